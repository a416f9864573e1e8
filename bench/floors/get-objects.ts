import { Agent, request } from "undici";
import { generationFile, manifestFile, shardFile } from "../../src/snapshot/layout.js";
import type { Manifest } from "../../src/snapshot/manifest.js";

/**
 * The least that bringing a generation here takes: its pointer, then all of its objects, thirty-two at a time, their bytes dropped.
 * `get-objects <origin>` prints how long it took.
 */
const [origin = ""] = process.argv.slice(2);
const dispatcher = new Agent({ connections: 32 });
let requests = 0;
const get = async (name: string): Promise<ArrayBuffer> => {
  requests += 1;
  return (await request(`${origin}/bench/site/${name}`, { dispatcher })).body.arrayBuffer();
};
const startedMs = performance.now();
const startedCpu = process.cpuUsage();
const manifest: Manifest = JSON.parse(Buffer.from(await get(manifestFile)).toString());
const names = Object.entries(manifest.parts).flatMap(([part, { shards }]) =>
  shards.map((shard) => shardFile(part, shard)),
);
names.push(generationFile(manifest.generation));
await Promise.all(
  Array.from({ length: 32 }, async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await get(name);
  }),
);
process.stdout.write(`${JSON.stringify({ ms: performance.now() - startedMs, cpuMs: cpuMs(), requests })}\n`);
await dispatcher.close();

function cpuMs(): number {
  const { user, system } = process.cpuUsage(startedCpu);
  return (user + system) / 1000;
}
