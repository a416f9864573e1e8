import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fromMarkdown } from "mdast-util-from-markdown";

/*
 * The least that an export after one changed story takes with what a content tree promises: `keep-pages-of <output> <uuid>` reads
 * the list of the tree's files and looks at each of them, as one may have been changed by hand; finds the pages that read the story;
 * proves the shards of their records by their hashes; prints a ready tree of the usual size for each; takes the index away before the
 * first change, and lists what is being written; writes each page under another name and makes all of them durable; then the list,
 * then the index. No path is planned, no address is looked up, and no answer is compared.
 */
const [output = "", uuid = ""] = process.argv.slice(2);
const text = "content index reads exact small space story writes quick";
const paragraph = `${text} **page change** ${text} index [record keeps](https://example.com/page).`;
const points = "* reads writes keeps whole exact small\n* quick change answer content space record\n";
const tree = fromMarkdown(`## content space record index\n\n${paragraph}\n\n${paragraph}\n\n${points}`);
const part = "stories/published/default";
const content = join(output, "content");

const startedMs = performance.now();
const startedCpu = process.cpuUsage();
const { toMarkdown } = await import("mdast-util-to-markdown");

/** Hash, bytes, settings, and the places of the answers that the file was made from. */
type FileNote = [hash: string, bytes: number, basis: string, places: number[]];
interface Notes {
  files: Record<string, FileNote>;
  answers: [key: string, answer: string][];
}
const list = join(content, ".offprint.json");
const index = await readFile(join(content, "index.json"));
const notes = JSON.parse(await readFile(list, "utf8")) as Notes;
const changed = new Set(notes.answers.flatMap(([key], place) => (key.includes(uuid) ? [place] : [])));
/** Pages by the uuid of their story. */
const due = new Map<string, string>();
for (const [name, [, bytes, , places]] of Object.entries(notes.files)) {
  if (lstatSync(join(content, name)).size !== bytes) throw new Error(`${name} was changed by hand`);
  if (!name.endsWith(".md") || !places.some((place) => changed.has(place))) continue;
  const story = places.find((place) => notes.answers[place]![0].startsWith('["story"'))!;
  due.set((JSON.parse(notes.answers[story]![0]) as string[])[2]!, name);
}

const records = new Map<string, unknown>();
await all(await shardsWith([...due.keys()]), async ([file, hash]) => {
  const bytes = await readFile(file);
  if (createHash("sha256").update(bytes).digest("hex") !== hash) throw new Error(`${file} is damaged`);
  for (const line of bytes.toString().slice(2, -3).split(",\n")) {
    const own = due.has(line.slice(line.indexOf('"uuid":"') + 8).slice(0, 36));
    if (!own) continue;
    const record = JSON.parse(line) as { uuid: string };
    records.set(record.uuid, record);
  }
});
await rm(join(content, "index.json"));
await replace(list, JSON.stringify(notes));
await sync([content]);
await all([...due], async ([story, name]) => {
  if (!records.has(story)) throw new Error(`${story} is in no shard`);
  const page = `---\nuuid: "${story}"\n---\n\n${toMarkdown(tree)}`;
  await replace(join(content, name), page);
  notes.files[name] = [hashOf(page), Buffer.byteLength(page), notes.files[name]![2], notes.files[name]![3]];
});
const pages = Array.from(due.values(), (name) => join(content, name));
await sync([...pages, ...new Set(pages.map(dirname))]);
await replace(list, JSON.stringify(notes));
await sync([list, content]);
await replace(join(content, "index.json"), index);
await sync([join(content, "index.json"), content]);
const { user, system } = process.cpuUsage(startedCpu);
const told = { ms: performance.now() - startedMs, cpuMs: (user + system) / 1000, pages: due.size };
process.stdout.write(JSON.stringify(told));

/** The shards that the stories with these uuids lie in: files with their hashes. */
async function shardsWith(uuids: readonly string[]): Promise<[file: string, hash: string][]> {
  const { parts } = JSON.parse(await readFile(join(output, "manifest.json"), "utf8")) as {
    parts: Record<string, { shards: { prefix: string; hash: string }[] }>;
  };
  const folder = join(output, "snapshot", part);
  const files = new Map((await readdir(folder)).map((name) => [name.split(".").at(-2), join(folder, name)]));
  const bits = uuids.map((id) =>
    Array.from(id.slice(0, 4), (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join(""),
  );
  return parts[part]!.shards.flatMap(({ prefix, hash }) =>
    bits.some((own) => own.startsWith(prefix)) ? [[files.get(hash.slice(0, 32)) ?? "", hash] as [string, string]] : [],
  );
}

/** Runs jobs sixteen at a time. */
async function all<T>(jobs: readonly T[], work: (job: T) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) await work(job);
    }),
  );
}

async function replace(path: string, bytes: string | Buffer): Promise<void> {
  const file = await open(`${path}.new`, "w");
  await file.writeFile(bytes);
  await file.close();
  await rename(`${path}.new`, path);
}

async function sync(paths: readonly string[]): Promise<void> {
  await all(paths, async (path) => {
    const file = await open(path, "r");
    await file.sync();
    await file.close();
  });
}

function hashOf(bytes: string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
