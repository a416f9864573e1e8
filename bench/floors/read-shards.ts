import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { parts, shardFile } from "../../src/snapshot/layout.js";
import { openOutput } from "../../src/snapshot/open-output.js";

/** The least that going through all stories takes: reads and parses every shard. `read-shards <dir>` prints how long it took. */
const [dir = ""] = process.argv.slice(2);
const startedMs = performance.now();
const manifest = await currentManifest(openOutput({ dir }).store);
const part = parts.stories("published/default");
let found = 0;
for (const shard of manifest?.parts[part]?.shards ?? []) {
  const records: { content: { component: string } }[] = JSON.parse(
    await readFile(join(dir, shardFile(part, shard)), "utf8"),
  );
  for (const { content } of records) found += content.component === "" ? 0 : 1;
}
process.stdout.write(
  `${JSON.stringify({ ms: performance.now() - startedMs, cpuMs: process.cpuUsage().user / 1000, found })}\n`,
);
