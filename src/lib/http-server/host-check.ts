import { isLoopbackHost } from "../loopback.js";

/** On loopback, accepts only this machine's names: blocks pages whose name resolves to 127.0.0.1 (DNS rebinding). */
export function createHostCheck(boundHost: string): (hostHeader: string | undefined) => boolean {
  if (!isLoopbackHost(boundHost)) return () => true;
  // Clients keep using one name, so parse it once.
  let accepted: string | undefined;
  return (hostHeader) => {
    if (hostHeader === undefined) return false;
    if (hostHeader === accepted) return true;
    const url = `http://${hostHeader}`;
    if (!URL.canParse(url) || !isLoopbackHost(new URL(url).hostname)) return false;
    accepted = hostHeader;
    return true;
  };
}

/** Whether the requesting page is on this machine. Without `Origin`, it is no other site's. */
export function isLocalOrigin(origin: string | undefined): boolean {
  return origin === undefined || (URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname));
}
