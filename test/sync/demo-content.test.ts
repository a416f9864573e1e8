// @module-tag long
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Link, Nodes } from "mdast";
import { expect, test } from "vitest";
import { startDemo } from "../../demo/start-demo.js";
import { runCheck } from "../../src/content/check/run-check.js";
import { readMarkdown } from "../../src/content/tree/verify-content.js";
import type { Problem } from "../../src/lib/errors.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { parsedMarkdown } from "../support/parsed-markdown.js";
import { readOutputFile, type SyncFolder, sourceYaml, syncFolder } from "../support/sync-folder.js";

interface Page {
  full_slug: string;
  url: string;
  markdown: string;
}

/** Addresses of links and images of a Markdown text. */
function addresses(node: Nodes): string[] {
  const own = node.type === "link" || node.type === "image" ? [(node as Link).url] : [];
  return "children" in node ? [...own, ...node.children.flatMap(addresses)] : own;
}

/** Where a link field or a rich text link to a story leads, as a path; undefined for any other value. */
function storyAddress(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { linktype, href, url, cached_url } = value as Record<string, unknown>;
  const address = String(href || url || cached_url || "");
  return linktype !== "story" || address === "" ? undefined : `/${address.replace(/^\//, "")}`;
}

/** Addresses of the links to stories in front matter. */
function storyAddresses(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = storyAddress(value);
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(storyAddresses)];
}

/** The value at a path such as `text.content[9].attrs`. */
function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split(/[.[\]]+/)) if (key !== "") found = (found as Record<string, unknown>)[key];
  return found;
}

const withoutSuffix = (address: string) => address.split(/[?#]/)[0]!.replace(/(?<=.)\/$/, "");

test("writes or reports every image and internal link in the demo space's Markdown", async () => {
  const demo = await startDemo();
  const folder = await syncFolder(`${sourceYaml('"demo:"')}assets: { download: true }\n`);
  try {
    const { problems } = await folder.sync({ source: { url: demo.url, hostMap: demo.assetHosts } });
    const lines: { editions: Record<string, Page> }[] = JSON.parse(await readOutputFile(folder, "content/links.json"));
    const pages = lines.flatMap(({ editions }) => Object.values(editions));
    const urls = new Set(pages.map(({ url }) => url));
    const missing: string[] = [];
    let images = 0;
    let links = 0;
    for (const { markdown } of pages) {
      const { data, body } = readMarkdown(await readOutputFile(folder, `content/${markdown}`));
      const { url: _, ...fields } = data;
      for (const address of [...addresses(parsedMarkdown(body)), ...storyAddresses(fields)]) {
        if (address.startsWith("../")) {
          images += 1;
          const file = join(folder.output, "content", dirname(markdown), decodeURIComponent(withoutSuffix(address)));
          await access(file).catch(() => missing.push(`${markdown}: ${address}`));
        } else if (address.startsWith("/")) {
          links += 1;
          if (!urls.has(withoutSuffix(address))) missing.push(`${markdown}: ${address}`);
        }
      }
    }
    expect({ images: images > 30, links: links > 500 }).toEqual({ images: true, links: true });
    for (const { markdown } of pages) await access(join(folder.output, "content", markdown));

    const output = openOutput({ dir: folder.output });
    const reader = await openReader(output.store, (await currentManifest(output.store))!);
    const reported = problems.flatMap(({ code, message }): string[] => {
      if (code !== "LINK_DEAD") return [];
      const [, slug, edition, field, what] = /^In story "(.+)" \((.+)\), field (\S+), a link (.+)$/.exec(message) ?? [];
      const page = lines.map(({ editions }) => editions[edition!]).find((one) => one?.full_slug === slug);
      // The address itself, where a Markdown field says it.
      const written = /^leads to "(.+)", where/.exec(what!)?.[1];
      if (written !== undefined) return [`${page!.markdown}: ${written}`];
      const story = reader.story(edition!, reader.uuidBySlug(edition!, slug!)!);
      const address = storyAddress(valueAt(story?.content, field!))!;
      return urls.has(withoutSuffix(address)) ? [] : [`${page!.markdown}: ${address}`];
    });
    expect(missing.sort()).toEqual(reported.sort());
    await expectSameFindings(folder, problems);
    expect(reported.length).toBeGreaterThan(1);
  } finally {
    await demo.close();
  }
}, 60_000);

/** What `offprint check` finds of references equals what the sync reported; the rest is what the demo shows on purpose. */
async function expectSameFindings(folder: SyncFolder, problems: readonly Problem[]): Promise<void> {
  const { store } = openOutput({ dir: folder.output });
  const { findings } = (await runCheck(store, { config: await folder.config() }))!;
  const found = (...codes: string[]) => findings.filter(({ code }) => codes.includes(code)).length;
  const told = (code: string) => problems.filter((problem) => problem.code === code).length;
  const untranslated = findings.filter(({ code }) => code === "LINK_UNTRANSLATED");
  const untranslatedLinks = untranslated.filter(({ message }) => message.startsWith("A link")).length;
  expect([
    found("RELATION_DANGLING") + untranslated.length - untranslatedLinks,
    found("LINK_DEAD", "LINK_ADDRESS_DEAD") + untranslatedLinks,
  ]).toEqual([told("RELATION_DANGLING"), told("LINK_DEAD")]);
  const errors = findings.filter(({ level }) => level === "error");
  const known = ["RELATION_DANGLING", "LINK_DEAD", "SCRIPT_LINK", "ASSET_GONE"];
  expect(errors.filter(({ code }) => !known.includes(code))).toEqual([]);
  const counts = [found("SCRIPT_LINK"), found("ALT_MISSING"), found("URL_TWICE", "STORY_EMPTY", "RECORD_KEY_UNKNOWN")];
  expect(counts).toEqual([1, 58, 0]);
}
