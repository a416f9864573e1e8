/**
 * Whether a host name is this machine: `localhost`, `*.localhost`, 127.0.0.0/8 and ::1.
 * @param hostname without a port, as WHATWG URL parsing leaves it; IPv6 with or without brackets
 */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || name === "::1") return true;
  return /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name);
}
