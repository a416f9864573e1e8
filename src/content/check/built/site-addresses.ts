import type { LinkSettings } from "../../resolve/link-pattern.js";
import { ownText } from "./html-page.js";
import type { SiteFiles } from "./site-files.js";

/** Which addresses on a page are the site's own, and where in its folder they lead. */
export interface SiteAddresses {
  /** The path in the built folder, encoded as it is written; undefined for another host, and for what is no path. */
  pathOf(address: string, from: string): string | undefined;
  /** The origin of an absolute address that is not the site's own. */
  foreignOrigin(address: string, from: string): string | undefined;
}

export interface AddressSettings {
  links: Pick<LinkSettings, "pattern">;
  /** `site.url` of the configuration. */
  site: string | undefined;
  /** The origin that most pages name, where the configuration names none. */
  learned: string | undefined;
}

const nowhere = "http://site.invalid";
const mostRemembered = 50_000;

export function siteAddresses(files: SiteFiles, { links, site, learned }: AddressSettings): SiteAddresses {
  const written = [originIn(site), originIn(links.pattern)].filter((origin) => origin !== undefined);
  const known = new Set(written.length > 0 ? written : [learned].filter((origin) => origin !== undefined));
  const base = basePath(files, site, links.pattern);
  const remembered = new Map<string, string | undefined>();
  const resolved = (address: string, from: string): string | undefined => {
    const url = URL.canParse(address, nowhere + from) ? new URL(address, nowhere + from) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
    if (url.origin !== nowhere && !known.has(url.origin)) return undefined;
    const { pathname } = url;
    if (pathname === base) return "/";
    return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
  };
  return {
    pathOf(address, from) {
      // Most are in the header of each page. From the root, where they lead does not depend on the page.
      if (!address.startsWith("/")) return resolved(address, base + from);
      if (!remembered.has(address)) {
        if (remembered.size >= mostRemembered) remembered.clear();
        remembered.set(ownText(address), resolved(address, "/"));
      }
      return remembered.get(address);
    },
    foreignOrigin(address, from) {
      const url = URL.canParse(address, nowhere + from) ? new URL(address, nowhere + from) : undefined;
      if (url === undefined || url.origin === nowhere) return undefined;
      // Nobody but the machine that built the site is there.
      if (isOwnMachine(url.origin)) return url.origin;
      return known.size === 0 || known.has(url.origin) ? undefined : url.origin;
    },
  };
}

/** The origin of an address; undefined without one. */
export function originIn(address: string | undefined): string | undefined {
  const written = /^https?:\/\/[^/{]+/i.exec(address ?? "")?.[0];
  return written !== undefined && URL.canParse(written) ? new URL(written).origin : undefined;
}

export function isOwnMachine(origin: string): boolean {
  return /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?::\d+)?$/i.test(origin);
}

/** `/repo` where the site is below a path that its folder does not have; else "". */
function basePath({ names }: SiteFiles, site: string | undefined, pattern: string): string {
  const paths = [site, /^[^{]*/.exec(pattern)?.[0]].map((text = "") => {
    return text.replace(/^https?:\/\/[^/]*/i, "").replace(/\/+$/, "");
  });
  const base = paths.find((path) => path !== "") ?? "";
  const inside = `${base.slice(1)}/`;
  for (const name of names) if (base === "" || name.startsWith(inside)) return "";
  return base;
}
