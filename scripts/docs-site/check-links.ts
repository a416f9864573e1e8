import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Throws if a link of the built site leads to no file, or its anchor to no element. VitePress misses links to renamed pages. */
export function checkLinks(out: string): void {
  const files = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
  const pages = new Map(files.map((name) => [name, readFileSync(join(out, name), "utf8")]));
  const dead: string[] = [];
  for (const [name, html] of pages) {
    for (const [, href = ""] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^\w+:/.test(href)) continue;
      const [path = "", anchor] = decodeURI(href).split("#");
      const target = path === "" ? name : servedFile(out, join(path.startsWith("/") ? "" : dirname(name), path));
      const isThere = target !== undefined && (anchor === undefined || pages.get(target)?.includes(` id="${anchor}"`));
      if (!isThere) dead.push(`${name}: ${href}`);
    }
  }
  if (dead.length > 0) throw new Error(`Dead links in the site:\n${dead.join("\n")}`);
}

/** The file that a server sends for a path, relative to the site. */
function servedFile(out: string, path: string): string | undefined {
  const at = relative(out, join(out, path));
  const tries = path.endsWith("/") || at === "" ? [join(at, "index.html")] : [at, `${at}.html`];
  return tries.find((name) => existsSync(join(out, name)));
}
