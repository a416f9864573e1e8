import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/*
 * The least that reading, proving and writing files takes: bare loops over the files of a folder. `files <loop> <dir> …` prints what
 * it took, its start aside.
 */
const [loop = "", dir = "", ...more] = process.argv.slice(2);

/** Reads and hashes every file, one after the other. */
async function hash(): Promise<number> {
  const startedMs = performance.now();
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    createHash("sha256")
      .update(await readFile(join(parentPath, name)))
      .digest("hex");
  }
  return performance.now() - startedMs;
}

/** Reads and parses each shard of the stories of a snapshot. */
async function parse(): Promise<number> {
  const { shardFile } = await import("../../src/snapshot/layout.js");
  const { parseManifest } = await import("../../src/snapshot/manifest-text.js");
  const { editions, parts } = parseManifest(await readFile(join(dir, "manifest.json")), "manifest.json");
  const startedMs = performance.now();
  for (const part of editions.map(({ name }) => `stories/${name}`)) {
    for (const shard of parts[part]?.shards ?? [])
      JSON.parse((await readFile(join(dir, shardFile(part, shard)))).toString());
  }
  return performance.now() - startedMs;
}

/** Parses records that `requests pages` wrote, at most so many, and writes a file with one ready tree of the usual size for each. */
async function render([out = "", most = "Infinity"]: string[]): Promise<number> {
  const { fromMarkdown } = await import("mdast-util-from-markdown");
  const { toMarkdown } = await import("mdast-util-to-markdown");
  const text = "content index reads exact small space story writes quick";
  const paragraph = `${text} **page change** ${text} index [record keeps](https://example.com/page).`;
  const list = "* reads writes keeps whole exact small\n* quick change answer content space record\n";
  const tree = fromMarkdown(`## content space record index\n\n${paragraph}\n\n${paragraph}\n\n${list}`);
  mkdirSync(out, { recursive: true });
  const startedMs = performance.now();
  let left = Number(most);
  for (const file of readdirSync(dir).filter((name) => name.startsWith("page-"))) {
    for (const record of JSON.parse(readFileSync(join(dir, file), "utf8")) as unknown[]) {
      if (left-- <= 0) break;
      const { uuid } = JSON.parse(JSON.stringify(record)) as { uuid: string };
      writeFileSync(join(out, `${uuid}.md`), `---\nuuid: "${uuid}"\n---\n\n${toMarkdown(tree)}`);
    }
  }
  return performance.now() - startedMs;
}

const loops: Record<string, (args: string[]) => Promise<number>> = { hash, parse, render };
process.stdout.write(JSON.stringify({ ms: await loops[loop]?.(more) }));
