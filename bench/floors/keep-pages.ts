import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import PQueue from "p-queue";
import { Agent, request } from "undici";
import { parse } from "yaml";
import { syncFolder, writeDurably } from "./durable-file.js";

/*
 * The least that a first sync takes with what a snapshot promises: `keep-pages <config> <out>` reads the configuration, and locks the
 * folder; probes; reads the space, what else there is beside stories, and the index; asks for every story that it lists by uuid, 100 at
 * a time in the order of the uuids, eight requests at once; proves that the text of each record is canonical, and that each story is that
 * of its row; counts the names of assets in it; lays the records out in shards as they come, names each by its hash, and writes it under
 * another name; makes all of them durable; probes again; then the manifest, which names the shards and has a checksum, and the
 * pointer. Nothing is retried, paced or reported, no answer is bounded, and an interrupted run is begun anew.
 */
const [config = "", out = ""] = process.argv.slice(2);
const { source, queue: settings } = parse(await readFile(config, "utf8")) as {
  source: { url: string; token: string };
  queue: { rateLimit: boolean };
};
if (settings.rateLimit) throw new Error("this script paces nothing");
const shardBytes = 512 * 1024;
const dispatcher = new Agent({ connections: 8 });
const queue = new PQueue({ concurrency: 8 });

type Row = {
  uuid: string;
  slug: string;
  parent_id: number | null;
  published_at: string | null;
  is_folder: boolean;
};
type Story = Omit<Row, "slug" | "is_folder"> & { full_slug: string };
interface Shard {
  hash: string;
  bytes: number;
  records: number;
}

await mkdir(join(out, "shards"), { recursive: true });
const lock = join(out, "lock");
await (await open(lock, "wx")).close();
const cv = await probe();
const parts: Record<string, Shard[]> = {};
const written: Promise<void>[] = [];
const used = new Map<string, number>();
/** By uuid: the text of its row, which is parsed again when it is looked at, for a parsed one takes several times as much memory. */
const rows = new Map<string, string>();
const uuids: string[] = [];
await Promise.all([sweep(), ...["space", "datasources", "tags", "experiments", "entries"].map(readPart)]);
uuids.sort();
parts.stories = await readStories();
parts.links = layOut(
  Array.from(rows.keys())
    .sort()
    .map((uuid) => rows.get(uuid) ?? ""),
);
await Promise.all(written);
await syncShards();
if ((await probe()) !== cv) throw new Error("the space was edited meanwhile");
await commit();
await rm(lock);
await dispatcher.close();

async function ask(path: string): Promise<{ body: string; total: number }> {
  const url = `${source.url}/v2/cdn/${path}&token=${source.token}`;
  const { body, statusCode, headers } = await request(url, { dispatcher });
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
  return { body: await body.text(), total: Number(headers.total) };
}

async function probe(): Promise<string> {
  const url = `${source.url}/v2/cdn/stories?version=published&per_page=1&token=${source.token}`;
  const { body, headers } = await request(url, { dispatcher });
  await body.dump();
  return new URL(String(headers.location), source.url).searchParams.get("cv") ?? "";
}

/** The records of a body, each with its text, which has to be what `JSON.stringify` prints. */
function proved<T>(body: string, recordsOf: (parsed: Record<string, unknown>) => T[]): { record: T; text: string }[] {
  let at = 0;
  return recordsOf(JSON.parse(body) as Record<string, unknown>).map((record) => {
    const text = JSON.stringify(record);
    at = body.indexOf(text, at);
    if (at < 0) throw new Error("an answer is not canonical");
    at += text.length;
    return { record, text };
  });
}

/** The whole index: a page tells how many there are. */
async function sweep(): Promise<void> {
  const read = async (page: number): Promise<number> => {
    const path = `links?cv=${cv}&version=published&paginated=1&include_dates=1&per_page=1000&page=${page}`;
    const { body, total } = await ask(path);
    for (const { record, text } of proved(body, ({ links }) => Object.values(links as Record<string, Row>))) {
      rows.set(record.uuid, text);
      if (!record.is_folder) uuids.push(record.uuid);
    }
    return total;
  };
  const total = await read(1);
  const pages = Array.from({ length: Math.ceil(total / 1_000) - 1 }, (_, n) => n + 2);
  await Promise.all(pages.map((page) => queue.add(() => read(page))));
  if (rows.size !== total) throw new Error(`${rows.size} of ${total} rows came`);
}

/** What is no story and no row: one page of each here. */
async function readPart(name: string): Promise<void> {
  const paths: Record<string, string> = {
    space: "spaces/me?",
    datasources: `datasources?cv=${cv}&page=1&per_page=1000`,
    tags: `tags?cv=${cv}&version=published`,
    experiments: `experiments?cv=${cv}`,
    entries: `datasource_entries?cv=${cv}&datasource=colours&page=1&per_page=1000`,
  };
  const { body } = (await queue.add(() => ask(paths[name] ?? "")))!;
  const records = proved(body, (parsed) => Object.values(parsed).flat().filter(isRecord));
  parts[name] = layOut(records.map(({ text }) => text));
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** All stories of the index, written as they come: a shard when there is enough for one. */
async function readStories(): Promise<Shard[]> {
  const shards: Shard[] = [];
  const arrived = new Map<number, string[]>();
  let [next, waiting, chars]: [number, string[], number] = [0, [], 0];
  const read = async (n: number): Promise<void> => {
    const asked = uuids.slice(n * 100, n * 100 + 100);
    const { body } = await ask(`stories?cv=${cv}&version=published&per_page=100&by_uuids=${asked.join(",")}`);
    const found = new Map(proved(body, ({ stories }) => stories as Story[]).map((one) => [one.record.uuid, one]));
    arrived.set(
      n,
      asked.map((uuid) => {
        const story = found.get(uuid);
        if (story === undefined || !isOfRow(story.record)) throw new Error(`${uuid} is not as its row tells`);
        for (const [name] of story.text.matchAll(/https:\/\/a[\w.-]*\/f\/[^"\\\s]+/g)) {
          used.set(name, (used.get(name) ?? 0) + 1);
        }
        return story.text;
      }),
    );
    for (let texts = arrived.get(next); texts !== undefined; texts = arrived.get(++next)) {
      arrived.delete(next);
      for (const text of texts) {
        waiting.push(text);
        chars += text.length;
        if (chars < shardBytes) continue;
        shards.push(...layOut(waiting));
        [waiting, chars] = [[], 0];
      }
    }
  };
  const batches = Array.from({ length: Math.ceil(uuids.length / 100) }, (_, n) => n);
  await Promise.all(batches.map((n) => queue.add(() => read(n))));
  return [...shards, ...layOut(waiting)];
}

function isOfRow({ uuid, full_slug, parent_id, published_at }: Story): boolean {
  const text = rows.get(uuid);
  const row = text === undefined ? undefined : (JSON.parse(text) as Row);
  if (row === undefined || row.slug !== full_slug || row.published_at !== published_at) return false;
  return (row.parent_id || null) === (parent_id || null);
}

/** Shards of these records, which begin to be written. */
function layOut(texts: readonly string[]): Shard[] {
  const shards: Shard[] = [];
  let from = 0;
  let chars = 0;
  for (const [at, text] of texts.entries()) {
    chars += text.length;
    if (chars < shardBytes && at < texts.length - 1) continue;
    const some = texts.slice(from, at + 1);
    const bytes = Buffer.from(`[\n${some.join(",\n")}\n]\n`);
    const hash = createHash("sha256").update(bytes).digest("hex");
    shards.push({ hash, bytes: bytes.length, records: some.length });
    written.push(writeShard(hash, bytes));
    [from, chars] = [at + 1, 0];
  }
  return shards;
}

async function writeShard(hash: string, bytes: Uint8Array): Promise<void> {
  const path = join(out, "shards", hash);
  const file = await open(`${path}.new`, "wx");
  await file.writeFile(bytes);
  await file.close();
  await rename(`${path}.new`, path);
}

async function syncShards(): Promise<void> {
  const hashes = Object.values(parts).flatMap((shards) => shards.map(({ hash }) => hash));
  const sync = async (hash: string): Promise<void> => {
    const file = await open(join(out, "shards", hash), "r+");
    await file.sync();
    await file.close();
  };
  const at16 = new PQueue({ concurrency: 16 });
  await at16.addAll(hashes.map((hash) => () => sync(hash)));
  await syncFolder(join(out, "shards"));
}

/** The manifest of the generation, and then the pointer to it. */
async function commit(): Promise<void> {
  const manifest = JSON.stringify({ generation: 1, cv, parts, used: Object.fromEntries(used) });
  const checksum = createHash("sha256").update(manifest).digest("hex");
  const bytes = Buffer.from(JSON.stringify({ checksum, manifest }));
  await mkdir(join(out, "generations"));
  await writeDurably(join(out, "generations", "1.json"), bytes);
  await syncFolder(join(out, "generations"));
  await syncFolder(out);
  await writeDurably(join(out, "manifest.json"), bytes);
  await syncFolder(out);
}
