/** Whether a host name, as `URL` spells it, means this machine. */
export function isLoopbackName(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    hostname === "::1" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** Whether the page that asks comes from this machine. An absent origin is no page of a browser. */
export function isLocalOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return isLoopbackName(new URL(origin).hostname);
}

/** The one that was asked about last: clients keep to one name. */
let knownHost = "";

/** Whether a `Host` header, a name with or without a port, means this machine. */
export function isLoopbackHost(host: string): boolean {
  if (host === knownHost) return true;
  const url = `http://${host}`;
  if (!URL.canParse(url) || !isLoopbackName(new URL(url).hostname)) return false;
  knownHost = host;
  return true;
}
