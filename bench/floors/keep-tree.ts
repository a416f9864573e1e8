import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder, writeDurably } from "./durable-file.js";

/*
 * The least that a whole export takes with what a content tree promises: `keep-tree <content> <out>` has the files of a tree ready
 * in memory, hashes each file, writes it under another name, makes it durable and gives it its name; then the folders, the list, and
 * the index. Nothing is rendered: no record is parsed, resolved or printed, nothing is looked up or noted.
 */
const [content = "", out = ""] = process.argv.slice(2);

const entries = await readdir(content, { recursive: true, withFileTypes: true });
const files = await Promise.all(
  entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { name: path.slice(content.length + 1), bytes: await readFile(path) };
    }),
);
const last = [".offprint.json", "index.json"];

const startedMs = performance.now();
const folders = new Set(files.map(({ name }) => join(out, dirname(name))));
for (const folder of folders) await mkdir(folder, { recursive: true });
const hashes = new Map<string, string>();
let at = 0;
await Promise.all(
  Array.from({ length: 16 }, async () => {
    for (let file = files[at++]; file !== undefined; file = files[at++]) {
      const { name, bytes } = file;
      if (last.includes(name)) continue;
      hashes.set(name, createHash("sha256").update(bytes).digest("hex"));
      await writeDurably(join(out, name), bytes);
    }
  }),
);
for (const folder of folders) await syncFolder(folder);
for (const name of last) {
  await writeDurably(join(out, name), files.find((file) => file.name === name)!.bytes);
  await syncFolder(out);
}
process.stdout.write(JSON.stringify({ ms: performance.now() - startedMs, written: hashes.size }));
