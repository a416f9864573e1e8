import { percentDecoded } from "../../lib/percent-decoded.js";

const backends: Readonly<Record<string, "redis" | "postgres">> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
};

export function backendOf(address: string): "redis" | "postgres" | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, pathname } = new URL(address);
  const backend = backends[protocol];
  // The databases of Redis are numbers.
  const isNamed = backend !== "redis" || /^\/?\d*\/?$/.test(pathname);
  return hostname !== "" && isNamed ? backend : undefined;
}

/** Hides user, password and parameters of an address for messages: `redis://cache:6379/0`. Pure. */
export function shownQueue(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

/** Returns the passwords in an address, as written and decoded. Empty if it has none. Pure. */
export function queueSecrets(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { password, searchParams } = new URL(address);
  const inParameters = searchParams.get("password") ?? "";
  return [...new Set([password, percentDecoded(password), inParameters])].filter((secret) => secret !== "");
}
