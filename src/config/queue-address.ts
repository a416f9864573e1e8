const backends: Readonly<Record<string, "redis" | "postgres">> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
};

/** Whether a text is the address of a queue: of Redis, or of PostgreSQL. */
export function isQueueAddress(written: string): boolean {
  return backendOf(written) !== undefined;
}

/** What keeps the jobs at an address; undefined: it is no address of a queue. Pure. */
export function backendOf(address: string): "redis" | "postgres" | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  return hostname === "" ? undefined : backends[protocol];
}

/** The address without user, password and parameters: `redis://cache:6379/0`. For messages. Pure. */
export function shownQueue(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

/** The password of an address, as it is written and as it is meant; none where there is none. Pure. */
export function queueSecrets(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { password, searchParams } = new URL(address);
  const inParameters = searchParams.get("password") ?? "";
  return [...new Set([password, decoded(password), inParameters])].filter((secret) => secret !== "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
