import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { Agent, request } from "undici";

/*
 * The least that a sync of few changes takes with what a snapshot promises: `keep-changes <url> <output> <out> <links>` reads the
 * stored index and proves it by its hashes; sweeps the index and compares each row with the stored one; asks for the stories whose
 * row differs; puts them and their rows into their shards, which it proves as well, names those by their hashes, writes them under
 * another name and makes them durable; writes a manifest; and probes again. It prints how many stories changed.
 */
const [url = "", output = "", out = "", links = "0"] = process.argv.slice(2);
const dispatcher = new Agent({ connections: 8 });
const probe = async (): Promise<string> => {
  const { body, headers } = await request(`${url}/v2/cdn/stories?version=published&per_page=1`, { dispatcher });
  await body.dump();
  return new URL(String(headers.location), url).searchParams.get("cv") ?? "";
};
const read = async <T>(path: string): Promise<T> =>
  (await (await request(`${url}${path}`, { dispatcher })).body.json()) as T;

interface Shard {
  prefix: string;
  hash: string;
}
type Row = { uuid: string };
type Parts = Record<string, { shards: Shard[] }>;

const cv = await probe();
// Start-up is aside: time counts from the answer of the probe.
const startedMs = performance.now();
await mkdir(out, { recursive: true });
const { parts } = JSON.parse(await readFile(join(output, "manifest.json"), "utf8")) as { parts: Parts };

/** Runs jobs eight at a time. */
async function all<T>(jobs: readonly T[], work: (job: T) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) await work(job);
    }),
  );
}

/** Files of a part by the beginning of their hash. */
async function filesOf(part: string): Promise<(shard: Shard) => string> {
  const folder = join(output, "snapshot", part);
  const names = new Map((await readdir(folder)).map((name) => [name.split(".").at(-2), join(folder, name)]));
  return ({ hash }) => names.get(hash.slice(0, 32)) ?? "";
}

async function linesOf(file: string, { hash }: Shard): Promise<string[]> {
  const bytes = await readFile(file);
  if (createHash("sha256").update(bytes).digest("hex") !== hash) throw new Error(`${file} is damaged`);
  return bytes.toString().slice(2, -3).split(",\n");
}

const uuidOf = (line: string): string => {
  const at = line.indexOf('"uuid":"') + 8;
  return line.slice(at, at + 36);
};
const bitsOf = (uuid: string): string =>
  [...uuid.replaceAll("-", "").slice(0, 8)]
    .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0"))
    .join("");

/** Puts records in the place of those of the same uuid. */
async function update(part: string, records: ReadonlyMap<string, string>): Promise<void> {
  const fileOf = await filesOf(part);
  const places = [...records.keys()].map(bitsOf);
  const touched = parts[part]!.shards.filter(({ prefix }) => places.some((bits) => bits.startsWith(prefix)));
  await all(touched, async (shard) => {
    const lines = (await linesOf(fileOf(shard), shard)).map((line) => records.get(uuidOf(line)) ?? line);
    const bytes = Buffer.from(`[\n${lines.join(",\n")}\n]\n`);
    shard.hash = createHash("sha256").update(bytes).digest("hex");
    await durable(`${shard.prefix}.${shard.hash.slice(0, 32)}`, bytes);
  });
}

async function durable(name: string, bytes: Uint8Array | string): Promise<void> {
  const file = await open(join(out, `.${name}`), "w");
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
  await rename(join(out, `.${name}`), join(out, name));
}

const index = "links/published";
const stored = new Map<string, string>();
const fileOf = await filesOf(index);
await all(parts[index]!.shards, async (shard) => {
  for (const line of await linesOf(fileOf(shard), shard)) stored.set(uuidOf(line), line);
});
const rows = new Map<string, string>();
let swept = 0;
const pages = Array.from({ length: Math.ceil(Number(links) / 1_000) }, (_, at) => at + 1);
await all(pages, async (page) => {
  const asked = `paginated=1&include_dates=1&per_page=1000&page=${page}`;
  const body = await read<{ links: Record<string, Row> }>(`/v2/cdn/links?cv=${cv}&version=published&${asked}`);
  for (const row of Object.values(body.links)) {
    swept++;
    const text = JSON.stringify(row);
    if (stored.get(row.uuid) !== text) rows.set(row.uuid, text);
  }
});
if (swept !== stored.size) throw new Error(`${swept} rows came for ${stored.size}`);
const asked = [...rows.keys()].sort();
const found = await read<{ stories: Row[] }>(
  `/v2/cdn/stories?cv=${cv}&version=published&per_page=100&by_uuids=${asked.join(",")}`,
);
await update("stories/published/default", new Map(found.stories.map((story) => [story.uuid, JSON.stringify(story)])));
await update(index, rows);
await durable("manifest.json", JSON.stringify({ parts }));
const folder = await open(out, "r");
await folder.sync();
await folder.close();
if ((await probe()) !== cv) throw new Error("the space was edited meanwhile");
const ms = performance.now() - startedMs;
process.stdout.write(JSON.stringify({ ms, changed: found.stories.length, out: basename(out) }));
await dispatcher.destroy();
