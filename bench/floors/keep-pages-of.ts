import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlockContent, ListItem, PhrasingContent, Root } from "mdast";

/*
 * The least that an export after one changed story takes with what a content tree promises: `keep-pages-of <output> <uuid>` reads
 * the list of the tree's files and looks at each of them, as one may have been changed by hand; finds the pages that read the story;
 * proves the shards of their records and of the story by their hashes; makes each page of its record, the fields in a front matter,
 * with the story in place of its uuid, and the rich text as Markdown; in files of JSON, which are proved by their hashes, puts the story into
 * the lines that show it; takes the index away before the first change, and lists what is being written; writes each file under another name
 * and makes all of them durable; then the list with the answer that has changed, then the index. No path is planned, no address is looked
 * up, and what has changed is told.
 */
const [output = "", uuid = ""] = process.argv.slice(2);
const part = "stories/published/default";
const content = join(output, "content");

const startedMs = performance.now();
const startedCpu = process.cpuUsage();
const { toMarkdown } = await import("mdast-util-to-markdown");

/** The places of the answers that a file was made from; of JSON, those of each line. */
type Read = number[] | { notes: [uuid: string, places: number[]][] };
/** Hash, bytes, settings, and what was read. */
type FileNote = [hash: string, bytes: number, basis: string, read: Read, ...more: unknown[]];
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
/** Of files of JSON: the stories of the lines that are others now, by the number of the line. */
const dueLines = new Map<string, Map<number, string>>();
for (const [name, [, bytes, , places]] of Object.entries(notes.files)) {
  if (lstatSync(join(content, name)).size !== bytes) throw new Error(`${name} was changed by hand`);
  if (!Array.isArray(places)) {
    const lines = places.notes.flatMap(([id, read], at) => (read.some(isChanged) ? [[at, id] as const] : []));
    if (lines.length > 0) dueLines.set(name, new Map(lines));
    continue;
  }
  if (!name.endsWith(".md") || !places.some(isChanged)) continue;
  const story = places.find((place) => notes.answers[place]![0].startsWith('["story"'))!;
  due.set((JSON.parse(notes.answers[story]![0]) as string[])[2]!, name);
}

interface Story {
  uuid: string;
  full_slug: string;
  content: Record<string, unknown>;
}
const records = new Map<string, Story>();
const wanted = new Set([uuid, ...due.keys(), ...Array.from(dueLines.values(), (lines) => [...lines.values()]).flat()]);
await all(await shardsWith([...wanted]), async ([file, hash]) => {
  const bytes = await readFile(file);
  if (createHash("sha256").update(bytes).digest("hex") !== hash) throw new Error(`${file} is damaged`);
  for (const line of bytes.toString().slice(2, -3).split(",\n")) {
    const own = line.slice(line.indexOf('"uuid":"') + 8).slice(0, 36);
    if (wanted.has(own)) records.set(own, JSON.parse(line) as Story);
  }
});
const shown = records.get(uuid);
if (shown === undefined) throw new Error(`${uuid} is in no shard`);
for (const place of changed) notes.answers[place]![1] = hashOf(JSON.stringify(shown));
await rm(join(content, "index.json"));
await replace(list, JSON.stringify(notes));
await sync([content]);
await all([...due], async ([story, name]) => {
  await write(name, pageOf(recordOf(story), shown));
});
await all([...dueLines], async ([name, stories]) => {
  const text = await readFile(join(content, name), "utf8");
  if (hashOf(text) !== notes.files[name]![0]) throw new Error(`${name} was changed by hand`);
  const lines = text.slice(2, -3).split(",\n");
  for (const [at, story] of stories) lines[at] = lineOf(recordOf(story), shown);
  await write(name, `[\n${lines.join(",\n")}\n]\n`);
});
const written = [...due.values(), ...dueLines.keys()].map((name) => join(content, name));
await sync([...written, ...new Set(written.map(dirname))]);
await replace(list, JSON.stringify(notes));
await sync([list, content]);
await replace(join(content, "index.json"), index);
await sync([join(content, "index.json"), content]);
const { user, system } = process.cpuUsage(startedCpu);
const told = { ms: performance.now() - startedMs, cpuMs: (user + system) / 1000, files: written.length };
process.stdout.write(JSON.stringify(told));

function isChanged(place: number): boolean {
  return changed.has(place);
}

function recordOf(story: string): Story {
  const record = records.get(story);
  if (record === undefined) throw new Error(`${story} is in no shard`);
  return record;
}

async function write(name: string, text: string): Promise<void> {
  await replace(join(content, name), text);
  const [, , ...more] = notes.files[name]!;
  notes.files[name] = [hashOf(text), Buffer.byteLength(text), ...more];
}

interface RichText {
  type: string;
  text?: string;
  attrs?: { level?: 1 | 2 | 3 | 4 | 5 | 6; href?: string };
  marks?: RichText[];
  content?: RichText[];
}

/** Fields but rich text, one a line, as JSON is YAML; then the rich text. */
function pageOf({ content, ...story }: Story, related: Story): string {
  let front = "";
  let body = "";
  for (const [key, value] of [...Object.entries(story), ...Object.entries(content)]) {
    if (value === null) continue;
    if ((value as RichText).type === "doc") body += toMarkdown(treeOf(value as RichText));
    else front += `${key}: ${JSON.stringify(value === related.uuid ? related : value)}\n`;
  }
  return `---\n${front}---\n\n${body}`;
}

/** The record with the story in place of its uuid. */
function lineOf({ content, ...story }: Story, related: Story): string {
  const fields = Object.entries(content).map(([key, value]) => [key, value === related.uuid ? related : value]);
  return JSON.stringify({ ...story, content: Object.fromEntries(fields) });
}

function treeOf({ content = [] }: RichText): Root {
  return { type: "root", children: content.map(blockOf) };
}

function blockOf({ type, attrs, content = [] }: RichText): BlockContent {
  if (type === "heading") return { type: "heading", depth: attrs?.level ?? 1, children: content.map(phraseOf) };
  if (type === "paragraph") return { type: "paragraph", children: content.map(phraseOf) };
  const itemOf = (item: RichText): ListItem => ({ type: "listItem", children: (item.content ?? []).map(blockOf) });
  return { type: "list", ordered: type === "ordered_list", spread: false, children: content.map(itemOf) };
}

function phraseOf({ text = "", marks = [] }: RichText): PhrasingContent {
  let node: PhrasingContent = { type: "text", value: text };
  for (const { type, attrs } of marks) {
    if (type === "bold") node = { type: "strong", children: [node] };
    else if (type === "link") node = { type: "link", url: attrs?.href ?? "", children: [node] };
  }
  return node;
}

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
