import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { samePath } from "./check-page.js";
import { checkSite } from "./check-site.js";
import { expectedDemoSite } from "./demo-site.js";
import type { SiteProblem } from "./site-expectations.js";

/** The site that `init --site --full` wrote, built of the demo space or of a part of it. */
export interface FullSite {
  /** Where it is built into. */
  built: string;
  /** The folder of a content tree of the same generation. */
  content: string;
  /** Images of Markdown files have no sizes. */
  isMarkdown: boolean;
  /** Addresses of the stories that it does not read; empty for the whole demo space. */
  elsewhere: readonly string[];
  /** Whether stories have moved. */
  hasMoved: boolean;
}

const origin = "https://www.example.com";

/** The pages of the list in each language, a file that Next exports, and pages of `site-starts`. */
const ownPages = [/^(?:\/[\w-]+)?\/stories(?:\/(?:page\/)?\d+)?$/, /^\/(?:_not-found|articles|server)$/];

/**
 * Whether each story has its page in all languages, each link leads somewhere, and each earlier address of a story to its
 * page.
 *
 * @returns every problem
 */
export async function checkFullSite(site: FullSite): Promise<SiteProblem[]> {
  const { built, content, isMarkdown, elsewhere, hasMoved } = site;
  const moves = hasMoved ? JSON.parse(await readFile(join(content, "redirects.json"), "utf8")) : [];
  const { generation: _, pages, deadLinks = [], ...expected } = await expectedDemoSite(content, origin, ownPages);
  const problems = await checkSite(built, {
    ...expected,
    moves,
    // The site shows titles and bodies, but no relations and no entries of datasources.
    pages: pages.map(({ texts = [], ...page }) => ({ ...page, texts: texts.filter((text) => text.length > 15) })),
    deadLinks: [...deadLinks, ...elsewhere],
    ...(elsewhere.length > 0 && { elements: ["img"] }),
  });
  return problems.filter(({ kind, message }) => !(isMarkdown && kind === "picture" && message.endsWith("? × ?")));
}

/**
 * The address of every story of the demo space, from its content tree. A site that leaves a story out does not know in which
 * languages it is, so each has the address of a translation, too.
 */
export async function storyAddresses(content: string): Promise<string[]> {
  const rows: { editions: Record<string, { url: string }> }[] = JSON.parse(
    await readFile(join(content, "links.json"), "utf8"),
  );
  return rows.flatMap(({ editions }) => {
    const urls = Object.values(editions).map(({ url }) => samePath(url));
    const { url = "/" } = editions["published/default"] ?? {};
    return [...urls, ...["/de", "/pt-br"].map((language) => samePath(language + url))];
  });
}
