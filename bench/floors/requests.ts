import { createHash } from "node:crypto";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Agent, request } from "undici";
import type { Manifest } from "../../src/snapshot/manifest.js";

/*
 * The least that asking takes: bare loops of requests, which prove nothing and keep nothing. `requests <loop> <url> …` prints what it
 * took where its start is aside.
 */
const [loop = "", url = "", ...more] = process.argv.slice(2);
const dispatcher = new Agent({ connections: { probes: 16, objects: 32 }[loop] ?? 8 });
const getJson = async (path: string): Promise<unknown> => (await request(`${url}${path}`, { dispatcher })).body.json();

/** Asks whether anything changed: one request. Gives the cv that it is sent to. */
async function probe(token = ""): Promise<string | null> {
  const path = `/v2/cdn/stories?version=published&per_page=1${token}`;
  const { body, headers } = await request(`${url}${path}`, { dispatcher });
  await body.dump();
  return new URL(String(headers.location ?? path), url).searchParams.get("cv");
}

/** Does something with each number from 1 to the last one, several at a time. */
async function each(last: number, atOnce: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 1;
  const worker = async (): Promise<void> => {
    for (let number = next++; number <= last; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Asks, and lists a tree of files; with `sizes`, with a look at each of them. */
async function list([folder = "", sizes]: string[]): Promise<void> {
  await probe();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  if (sizes !== undefined) for (const { parentPath, name } of files) statSync(join(parentPath, name));
}

/** A first sync: pages of 100 over 8 connections, parsed, one file a page. */
async function pages([dir = "", stories = "0"]: string[]): Promise<void> {
  const cv = await probe();
  await each(Math.ceil(Number(stories) / 100), 8, async (page) => {
    const body = await getJson(`/v2/cdn/stories?cv=${cv}&version=published&per_page=100&page=${page}`);
    writeFileSync(join(dir, `page-${page}.json`), JSON.stringify((body as { stories: unknown[] }).stories));
  });
}

/** Ten changes: every page of the links listing, then one batch of stories. */
async function sweep([links = "0", ...uuids]: string[]): Promise<object> {
  // The time of a process that stays counts from its order, that of another one from the answer of its probe.
  let [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  const cv = await probe();
  if (process.send === undefined) [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  const asked = `cv=${cv}&version=published`;
  await each(Math.ceil(Number(links) / 1_000), 8, async (page) => {
    await getJson(`/v2/cdn/links?${asked}&paginated=1&include_dates=1&per_page=1000&page=${page}`);
  });
  await getJson(`/v2/cdn/stories?${asked}&per_page=100&by_uuids=${uuids.join(",")}`);
  return took(startedMs, cpu);
}

/** A generation from a bucket: its pointer, then its objects, 32 at a time; with a folder, hashed and made durable in it. */
async function objects([dir]: string[]): Promise<object> {
  const { generationFile, manifestFile, shardFile } = await import("../../src/snapshot/layout.js");
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  const get = async (name: string): Promise<Buffer> =>
    Buffer.from(await (await request(`${url}/bench/site/${name}`, { dispatcher })).body.arrayBuffer());
  const { parts, generation }: Manifest = JSON.parse((await get(manifestFile)).toString());
  const names = Object.entries(parts).flatMap(([part, { shards }]) => shards.map((shard) => shardFile(part, shard)));
  names.push(generationFile(generation));
  await each(names.length, 32, async (number) => {
    const bytes = await get(names[number - 1]!);
    if (dir === undefined) return;
    createHash("sha256").update(bytes).digest("hex");
    const path = join(dir, names[number - 1]!);
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, "wx");
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
  });
  return took(startedMs, cpu);
}

function took(startedMs: number, cpu: NodeJS.CpuUsage): object {
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - startedMs, cpuMs: (user + system) / 1_000 };
}

const loops: Record<string, (args: string[]) => Promise<unknown>> = {
  probe: () => probe(),
  /** Of many spaces, over open connections. */
  probes: ([count]) => each(Number(count), 16, async (number) => void (await probe(`&token=${number}`))),
  list,
  pages,
  sweep,
  objects,
};

if (process.send === undefined) {
  process.stdout.write(JSON.stringify((await loops[loop]?.(more)) ?? null));
  await dispatcher.destroy();
} else {
  // In a process that stays, connections are kept, and what V8 has compiled: each message is an order.
  process.on("message", async () => process.send?.(await loops[loop]?.(more)));
  process.on("disconnect", () => process.exit());
  process.send({});
}
