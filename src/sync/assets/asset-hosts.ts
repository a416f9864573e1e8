/** Which hosts assets may be fetched from, and which of them are special. */
export interface AssetHosts {
  /** `assets.hosts` of the configuration: host names, at the default port; `source`: the two fields below. */
  hosts: readonly string[];
  /** Origin of the upstream. Only this one and those of `hostMap` may have a private address. */
  sourceOrigin: string;
  sourceHosts: readonly string[];
  /** Host → origin that is asked instead. These hosts are always allowed. */
  hostMap: Readonly<Record<string, string>>;
}

/** Where to send the request for an asset, or why none may be sent. */
export type AssetTarget = { allowed: true; url: URL; publicOnly: boolean } | { allowed: false; reason: string };

/**
 * `http:` or `https:` without user information, on a mapped host, the upstream's origin (when `source` is listed)
 * or a listed host. `publicOnly`, for all but mapped hosts and that origin: it must end at a public address.
 */
export function assetTarget(url: string | URL, settings: AssetHosts): AssetTarget {
  const parsed = typeof url === "string" ? parseUrl(url) : url;
  if (parsed === undefined) return { allowed: false, reason: "it is not a URL" };
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

export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Not by `new URL(…, origin)`: a path with `//` would name another host. */
function movedTo(origin: string, from: URL): URL {
  const url = new URL(origin);
  url.pathname = from.pathname;
  url.search = from.search;
  return url;
}

function lists(hosts: readonly string[], host: string): boolean {
  return hosts.some((listed) => listed.toLowerCase() === host);
}
