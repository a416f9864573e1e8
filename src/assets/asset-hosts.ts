/** Which hosts assets may be fetched from, and which of them are special. */
export interface AssetHosts {
  /** `assets.hosts` of the configuration: host names, at the scheme's own port; `source` stands for the two below. */
  hosts: readonly string[];
  /** Origin of the upstream. The only origin that may lie at a private address (beside those of `hostMap`). */
  sourceOrigin: string;
  /** Asset hosts of the upstream's region. */
  sourceHosts: readonly string[];
  /** Host → origin that is asked instead; a host that stands here is allowed. */
  hostMap: Readonly<Record<string, string>>;
}

/** Where to send the request for an asset, or why it must not be sent. */
export type AssetTarget = { allowed: true; url: URL; publicOnly: boolean } | { allowed: false; reason: string };

/**
 * Decides whether a URL (of the content, or of a redirect) may be asked, and at which address.
 *
 * Allowed are `http:` and `https:` without user information, on a mapped host, the upstream's own origin (when `source`
 * is allowed) or a listed host. `publicOnly` says that the connection must end at a public address; it is false for
 * mapped hosts and the upstream's own origin only.
 */
export function assetTarget(url: string | URL, settings: AssetHosts): AssetTarget {
  const parsed = typeof url === "string" ? parseUrl(url) : url;
  if (parsed === undefined) return { allowed: false, reason: "it is no URL" };
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") {
    return { allowed: false, reason: `${parsed.protocol} is not fetched` };
  }
  if (parsed.username !== "" || parsed.password !== "") {
    return { allowed: false, reason: "it carries user information" };
  }
  const mapped = Object.hasOwn(settings.hostMap, parsed.host) ? settings.hostMap[parsed.host] : undefined;
  if (mapped !== undefined) {
    return { allowed: true, url: movedTo(mapped, parsed), publicOnly: false };
  }
  const fromSource = settings.hosts.includes("source");
  if (fromSource && parsed.origin === settings.sourceOrigin) return { allowed: true, url: parsed, publicOnly: false };
  if (lists(settings.hosts, parsed.host) || (fromSource && lists(settings.sourceHosts, parsed.host))) {
    return { allowed: true, url: parsed, publicOnly: true };
  }
  return { allowed: false, reason: `assets.hosts does not allow ${parsed.host}` };
}

/** The URL, or undefined when the text is none. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Part by part: resolved as a relative reference, a path that begins with two slashes would name another host. */
function movedTo(origin: string, from: URL): URL {
  const url = new URL(origin);
  url.pathname = from.pathname;
  url.search = from.search;
  return url;
}

function lists(hosts: readonly string[], host: string): boolean {
  return hosts.some((listed) => listed.toLowerCase() === host);
}
