import { createHash } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { Agent, request } from "undici";

/*
 * The least that a first sync takes with what a snapshot promises: `keep-pages <url> <dir> <links>` reads the index and asks for every
 * story that it lists by uuid, 100 at a time over 8 connections; proves that the text of each record is canonical; lays the records out in
 * shards by uuid, names each by its hash, writes it under another name, and makes all of them durable; then probes again.
 */
const [url = "", dir = "", links = "0"] = process.argv.slice(2);
const dispatcher = new Agent({ connections: 8 });
const shardBytes = 512 * 1024;
const probe = async (): Promise<string> => {
  const { body, headers } = await request(`${url}/v2/cdn/stories?version=published&per_page=1`, { dispatcher });
  await body.dump();
  return new URL(String(headers.location), url).searchParams.get("cv") ?? "";
};
const cv = await probe();
type Row = { uuid: string; is_folder?: boolean };
interface Body {
  stories: Row[];
  links: Record<string, Row>;
}

/** The records of an answer, each with its text, which has to be what `JSON.stringify` prints. */
async function read(path: string, recordsOf: (body: Body) => Row[]): Promise<{ record: Row; text: string }[]> {
  const body = await (await request(`${url}${path}`, { dispatcher })).body.text();
  let at = 0;
  return recordsOf(JSON.parse(body) as Body).map((record) => {
    const text = JSON.stringify(record);
    at = body.indexOf(text, at);
    if (at < 0) throw new Error(`${path} is not canonical`);
    at += text.length;
    return { record, text };
  });
}

/** Runs jobs eight at a time. */
async function all(count: number, job: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let n = next++; n < count; n = next++) await job(n);
    }),
  );
}

const rows: Awaited<ReturnType<typeof read>> = [];
const lines = new Map<string, string>();
await all(Math.ceil(Number(links) / 1_000), async (n) => {
  const page = `paginated=1&include_dates=1&per_page=1000&page=${n + 1}`;
  rows.push(...(await read(`/v2/cdn/links?cv=${cv}&version=published&${page}`, (body) => Object.values(body.links))));
});
const uuids = rows.flatMap(({ record: { uuid, is_folder } }) => (is_folder ? [] : [uuid])).sort();
await all(Math.ceil(uuids.length / 100), async (n) => {
  const asked = `per_page=100&by_uuids=${uuids.slice(n * 100, n * 100 + 100).join(",")}`;
  const stories = await read(`/v2/cdn/stories?cv=${cv}&version=published&${asked}`, (body) => body.stories);
  for (const { record, text } of stories) lines.set(record.uuid, text);
});
if (lines.size !== uuids.length) throw new Error(`${lines.size} of ${uuids.length} stories came`);

await mkdir(dir, { recursive: true });
const files: string[] = [];
const texts = [uuids.map((uuid) => lines.get(uuid) ?? ""), rows.map(({ text }) => text)];
for (const part of texts) {
  let shard: string[] = [];
  let size = 0;
  for (const [at, text] of part.entries()) {
    shard.push(text);
    size += text.length;
    if (size < shardBytes && at < part.length - 1) continue;
    const bytes = Buffer.from(`[\n${shard.join(",\n")}\n]\n`);
    const name = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    const file = await open(join(dir, `.${name}`), "wx");
    await file.writeFile(bytes);
    await file.close();
    await rename(join(dir, `.${name}`), join(dir, name));
    files.push(name);
    [shard, size] = [[], 0];
  }
}
await all(files.length, async (n) => {
  const file = await open(join(dir, files[n] ?? ""), "r+");
  await file.sync();
  await file.close();
});
if ((await probe()) !== cv) throw new Error("the space was edited meanwhile");
await dispatcher.close();
