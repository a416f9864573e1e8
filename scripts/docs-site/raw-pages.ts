import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Group, titleOf } from "./sidebar.js";

/** Writes each page as Markdown beside its HTML, the files that pages link, and `llms.txt`, which lists the pages. */
export async function writeRawPages(
  root: string,
  out: string,
  pages: readonly string[],
  groups: readonly Group[],
): Promise<void> {
  for (const path of [...pages, "docs/images", "docs/recipes"]) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await cp(join(root, path), join(out, path), { recursive: true });
  }
  const { description } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const lists = groups.map(({ text, items }) => {
    const links = items.flatMap((item) => [item, ...(item.items ?? [])]).map(({ link }) => link);
    return `## ${text}\n\n${links.map((page) => `- [${titleOf(root, page)}](/${page})`).join("\n")}\n`;
  });
  await writeFile(
    join(out, "llms.txt"),
    [
      `# Offprint\n`,
      `> ${description}\n`,
      "- [Read me](/README.md)\n- [Map of the docs](/docs/README.md)\n",
      ...lists,
    ].join("\n"),
  );
}
