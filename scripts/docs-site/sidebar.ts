import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** An entry of VitePress's sidebar. */
export interface Entry {
  text: string;
  link: string;
  items?: Entry[];
  collapsed?: boolean;
}

export interface Group {
  text: string;
  items: Entry[];
}

/**
 * The sidebar: the paragraphs of docs/README.md that begin with bold words, with the pages that they link. The other pages of a
 * folder are below its README; a page that nothing names is in a last group. Links are paths of files, from the root.
 */
export function sidebarOf(root: string, pages: readonly string[]): Group[] {
  const map = readFileSync(join(root, "docs/README.md"), "utf8");
  const named = new Set(["README.md", "docs/README.md"]);
  const groups: Group[] = [];
  for (const [, bold = "", rest = ""] of map.matchAll(/\*\*([^*]+)\*\*([^*]*?)(?=\n\n|\*\*|$)/g)) {
    const text = bold.replace(/[.:]$/, "");
    const items: Entry[] = [];
    for (const [, label = "", target = ""] of rest.matchAll(/\[([^\]]+)\]\(([^)#:]+\.md)[^)]*\)/g)) {
      const link = relative(root, join(root, "docs", target));
      if (!pages.includes(link) || named.has(link)) continue;
      named.add(link);
      items.push({ text: capital(label), link, ...below(root, link, pages, named) });
    }
    if (items.length > 0) groups.push({ text, items });
  }
  if (groups.length < 4) throw new Error("docs/README.md no longer lists its pages under four doors.");
  const rest = pages.filter((page) => !named.has(page));
  const internals = rest.filter((page) => page.startsWith("docs/internals/"));
  const others = rest.filter((page) => !internals.includes(page));
  for (const [text, links] of [
    ["More", others],
    ["Internals", internals],
  ] as const) {
    if (links.length > 0) groups.push({ text, items: links.map((link) => ({ text: titleOf(root, link), link })) });
  }
  return groups;
}

/** The first heading of a page. */
export function titleOf(root: string, page: string): string {
  const [, title = page] = /^# (.*)$/m.exec(readFileSync(join(root, page), "utf8")) ?? [];
  return title.replaceAll("`", "");
}

function below(root: string, link: string, pages: readonly string[], named: Set<string>): Partial<Entry> {
  if (!link.endsWith("/README.md")) return {};
  const links = pages.filter((page) => dirname(page) === dirname(link) && page !== link);
  for (const page of links) named.add(page);
  return { collapsed: true, items: links.map((page) => ({ text: titleOf(root, page), link: page })) };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
