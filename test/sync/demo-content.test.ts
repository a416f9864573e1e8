import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Link, Nodes } from "mdast";
import { expect, test } from "vitest";
import { startDemo } from "../../demo/start-demo.js";
import { readMarkdown } from "../../src/export/read-markdown.js";
import { parsedMarkdown } from "../support/parsed-markdown.js";
import { readOutputFile, sourceYaml, syncFolder } from "../support/sync-folder.js";

interface LinkLine {
  editions: Record<string, { url: string; markdown: string }>;
}

/** Addresses of links and images of a Markdown text. */
function addresses(node: Nodes): string[] {
  const own = node.type === "link" || node.type === "image" ? [(node as Link).url] : [];
  return "children" in node ? [...own, ...node.children.flatMap(addresses)] : own;
}

test("in the demo space's Markdown every image is a file, and every internal link leads to one or is reported", async () => {
  const demo = await startDemo();
  const folder = await syncFolder(`${sourceYaml('"demo:"')}assets: { download: true }\n`);
  try {
    const { problems } = await folder.sync({ source: { url: demo.url, hostMap: demo.assetHosts } });
    const lines: LinkLine[] = JSON.parse(await readOutputFile(folder, "content/links.json"));
    const pages = lines.flatMap(({ editions }) => Object.values(editions));
    const byUrl = new Map(pages.map((page) => [page.url, page.markdown]));
    const missing: string[] = [];
    let images = 0;
    let links = 0;
    for (const { markdown } of pages) {
      const { body } = readMarkdown(await readOutputFile(folder, `content/${markdown}`));
      for (const address of addresses(parsedMarkdown(body))) {
        const path = address.split(/[?#]/)[0] ?? "";
        if (path.startsWith("../")) {
          images += 1;
          const file = join(folder.output, "content", dirname(markdown), decodeURIComponent(path));
          await access(file).catch(() => missing.push(`${markdown}: ${address}`));
        } else if (path.startsWith("/")) {
          links += 1;
          // An address that an editor typed may end with a slash.
          const target = byUrl.get(path) ?? byUrl.get(path.replace(/\/$/, ""));
          if (target === undefined) missing.push(`${markdown}: ${address}`);
          else await access(join(folder.output, "content", target));
        }
      }
    }
    expect({ images: images > 30, links: links > 500 }).toEqual({ images: true, links: true });
    const dead = problems.filter(({ code }) => code === "LINK_DEAD");
    expect(missing.length).toBeLessThanOrEqual(dead.length);
    expect(missing.filter((one) => one.includes("../"))).toEqual([]);
  } finally {
    await demo.close();
  }
}, 60_000);
