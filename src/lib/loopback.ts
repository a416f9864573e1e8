/** `localhost`, `*.localhost`, 127.0.0.0/8 or ::1. @param hostname as URL parsing leaves it, without a port */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || name === "::1") return true;
  return /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name);
}
