import { createHash } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Agent, request } from "undici";
import { generationFile, manifestFile, shardFile } from "../../src/snapshot/layout.js";
import type { Manifest } from "../../src/snapshot/manifest.js";

/**
 * The least that bringing a generation here takes: its pointer, then all of its objects, thirty-two at a time, all bytes of
 * which are received. `get-objects <origin>` drops them; `get-objects <origin> <dir>` hashes them, writes them to files and makes
 * these durable. Prints how long it took, and its processor time.
 */
const [origin = "", dir] = process.argv.slice(2);
const atOnce = 32;
const dispatcher = new Agent({ connections: atOnce });
let requests = 0;
const get = async (name: string): Promise<Buffer> => {
  requests += 1;
  return Buffer.from(await (await request(`${origin}/bench/site/${name}`, { dispatcher })).body.arrayBuffer());
};
const keep = async (name: string, bytes: Buffer): Promise<void> => {
  if (dir === undefined) return;
  createHash("sha256").update(bytes).digest("hex");
  await mkdir(dirname(join(dir, name)), { recursive: true });
  const file = await open(join(dir, name), "wx");
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
};
const startedMs = performance.now();
const startedCpu = process.cpuUsage();
const manifest: Manifest = JSON.parse((await get(manifestFile)).toString());
const names = Object.entries(manifest.parts).flatMap(([part, { shards }]) =>
  shards.map((shard) => shardFile(part, shard)),
);
names.push(generationFile(manifest.generation));
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await keep(name, await get(name));
  }),
);
const { user, system } = process.cpuUsage(startedCpu);
process.stdout.write(
  `${JSON.stringify({ ms: performance.now() - startedMs, cpuMs: (user + system) / 1000, requests })}\n`,
);
await dispatcher.close();
