import { isLoopbackHost } from "../loopback.js";

/**
 * Accepts or rejects a `Host` header. On a loopback address only this machine's names are accepted:
 * this blocks web pages whose name resolves to 127.0.0.1 (DNS rebinding).
 * @param boundHost what the server listens on, IPv6 with or without brackets
 */
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
