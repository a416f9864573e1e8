import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shardFile } from "../../src/snapshot/layout.js";
import { parseManifest } from "../../src/snapshot/manifest-text.js";

/**
 * The floor of what reads every story: each shard of the stories is read and parsed, and nothing else is done.
 *
 *     node parse-shards.js <output folder>
 */
const [, , dir = ""] = process.argv;
const manifest = parseManifest(await readFile(join(dir, "manifest.json")), "manifest.json");
const startedMs = performance.now();
let stories = 0;
for (const { name } of manifest.editions) {
  const part = `stories/${name}`;
  for (const shard of manifest.parts[part]?.shards ?? []) {
    stories += (JSON.parse((await readFile(join(dir, shardFile(part, shard)))).toString()) as unknown[]).length;
  }
}
process.stdout.write(JSON.stringify({ stories, ms: performance.now() - startedMs }));
