import { createHash } from "node:crypto";
import { on } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { fromMarkdown } from "mdast-util-from-markdown";
import { toMarkdown } from "mdast-util-to-markdown";
import { syncFolder, writeDurably } from "./durable-file.js";

/*
 * The least that a whole export takes with what a content tree promises, rendering included: `render-tree <snapshot> <out>` parses
 * each record of the shards that keep-pages wrote once, and makes a page of it, with a front matter of its fields and a ready tree of
 * the usual size, and a line of JSON. One thread renders, a shard at a time; the other one hashes each file, writes it under
 * another name, makes it durable and gives it its name; then the folders, the list, and the index. Nothing is resolved, no address is
 * looked up, what a file read is not noted, and no rich text is made a tree.
 */
interface Story {
  uuid: string;
  full_slug: string;
  content: Record<string, unknown>;
}

interface RenderedFile {
  path: string;
  text: string;
}

if (isMainThread) await main();
else renderAll(workerData as string[]);

async function main(): Promise<void> {
  const [snapshot = "", out = ""] = process.argv.slice(2);
  const shards = (await readdir(snapshot)).map((name) => join(snapshot, name));
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  const list: Record<string, string> = {};
  const folders = new Map<string, Promise<unknown>>();
  const files = renderedFiles(shards);
  const writeFiles = async (): Promise<void> => {
    for (let file = await files.next(); !file.done; file = await files.next()) {
      const { path, text } = file.value;
      const bytes = Buffer.from(text);
      list[path] = createHash("sha256").update(bytes).digest("hex");
      const folder = join(out, dirname(path));
      if (!folders.has(folder)) folders.set(folder, mkdir(folder, { recursive: true }));
      await folders.get(folder);
      await writeDurably(join(out, path), bytes);
    }
  };
  await Promise.all(Array.from({ length: 16 }, writeFiles));
  for (const folder of folders.keys()) await syncFolder(folder);
  for (const name of [".list.json", "index.json"]) {
    await writeDurably(
      join(out, name),
      Buffer.from(JSON.stringify(name === "index.json" ? { files: ".list.json" } : list)),
    );
    await syncFolder(out);
  }
  const { user, system } = process.cpuUsage(startedCpu);
  const told = { ms: performance.now() - startedMs, cpuMs: (user + system) / 1000, written: Object.keys(list).length };
  process.stdout.write(JSON.stringify(told));
}

/** What the thread renders; it is two shards ahead at most. */
async function* renderedFiles(shards: readonly string[]): AsyncGenerator<RenderedFile> {
  const worker = new Worker(new URL(import.meta.url), { workerData: shards });
  const ahead = 2;
  const answers = on(worker, "message");
  for (let at = 0; at < ahead; at++) worker.postMessage("next");
  for (let at = 0; at < shards.length; at++) {
    const { value } = (await answers.next()) as { value: [RenderedFile[]] };
    worker.postMessage("next");
    yield* value[0];
  }
  await worker.terminate();
}

/** In the thread: renders the next shard whenever it is asked to. */
function renderAll(shards: readonly string[]): void {
  const paragraph = () => {
    const text = "content index reads exact small space story writes quick";
    return `${text} **page change** ${text} index [record keeps](https://example.com/page).`;
  };
  const points = "* reads writes keeps whole exact small\n* quick change answer content space record\n";
  const tree = fromMarkdown(`## content space record index\n\n${paragraph()}\n\n${paragraph()}\n\n${points}`);
  let at = 0;
  parentPort!.on("message", () => {
    if (at >= shards.length) return;
    parentPort!.postMessage(renderShard(readFileSync(shards[at]!, "utf8"), at, () => toMarkdown(tree)));
    at += 1;
  });
}

function renderShard(shard: string, number: number, body: () => string): RenderedFile[] {
  // The rows of the index lie beside the stories.
  if (!shard.slice(0, 1_000).includes('"content":')) return [];
  const lines: string[] = [];
  const pages = (JSON.parse(shard) as Story[]).map((story) => {
    lines.push(JSON.stringify(story));
    return { path: `pages/${story.full_slug}.md`, text: `---\n${frontMatter(story)}---\n\n${body()}` };
  });
  return [{ path: `stories/${number}.json`, text: `[\n${lines.join(",\n")}\n]\n` }, ...pages];
}

/** The fields of a story but its rich text, one a line; JSON is YAML. */
function frontMatter({ content, ...story }: Story): string {
  let text = "";
  for (const [key, value] of [...Object.entries(story), ...Object.entries(content)]) {
    if (value === null || (value as { type?: unknown }).type === "doc") continue;
    text += `${key}: ${JSON.stringify(value)}\n`;
  }
  return text;
}
