/**
 * Whether a host name means this machine: `localhost`, `*.localhost`, 127.0.0.0/8 and ::1.
 *
 * @param hostname As WHATWG URL parsing leaves it (shortened, octal and hexadecimal forms of IPv4 already made canonical);
 *   IPv6 with or without brackets. Without a port.
 */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || name === "::1") return true;
  return /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name);
}
