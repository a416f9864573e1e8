import { isLoopbackHost } from "../loopback.js";

/**
 * Returns a function that accepts or rejects a `Host` header (a name with or without a port). A
 * server on a loopback address accepts only this machine's names: this blocks web pages whose host
 * name resolves to 127.0.0.1 (DNS rebinding).
 * @param boundHost What the server listens on: a name or an address, IPv6 with or without brackets.
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

/**
 * Whether the requesting page is on this machine. Without `Origin`, it is not another site's page.
 */
export function isLocalOrigin(origin: string | undefined): boolean {
  return origin === undefined || (URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname));
}
