import { isLoopbackHost } from "../loopback.js";

/** On loopback, accepts only this machine's names: blocks pages whose name resolves to 127.0.0.1 (DNS rebinding). */
export function createHostCheck(boundHost: string): (hostHeader: string | undefined) => boolean {
  if (!isLoopbackHost(boundHost)) return () => true;
  return (hostHeader) => hostHeader !== undefined && isOnLoopback(`http://${hostHeader}`);
}

/** Whether the requesting page is on this machine. Without `Origin`, it is no other site's. */
export function isLocalOrigin(origin: string | undefined): boolean {
  return origin === undefined || isOnLoopback(origin);
}

function isOnLoopback(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}
