import { isLoopbackHost } from "../loopback.js";

/**
 * Returns a function that decides whether a request with this `Host` header (a name with or without a port) may be
 * answered. While only this machine is served, the header has to name this machine. That keeps out pages of the
 * internet whose host name was made to resolve to 127.0.0.1 (DNS rebinding).
 *
 * @param boundHost What the server listens on: a name or an address, IPv6 with or without brackets.
 */
export function createHostCheck(boundHost: string): (hostHeader: string | undefined) => boolean {
  if (!isLoopbackHost(boundHost)) return () => true;
  // Clients keep to one name: parsing it once is enough.
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

/** Whether the page that asks comes from this machine. Without an `Origin` header it is no page of another site. */
export function isLocalOrigin(origin: string | undefined): boolean {
  return origin === undefined || (URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname));
}
