import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isMainThread, Worker, workerData } from "node:worker_threads";

/**
 * The least that proving files whole takes: reads and hashes each file below a folder, one after the other. With `parse` it also
 * looks whether each is JSON, in a thread for each core.
 * `hash-files <dir> [parse]` prints how many there are.
 */
async function main(): Promise<void> {
  const [dir = "", parse] = process.argv.slice(2);
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  if (parse === undefined) for (const file of files) hash(await readFile(file));
  else {
    const threads = availableParallelism();
    const shares = Array.from({ length: threads }, (_, at) => files.filter((_file, index) => index % threads === at));
    await Promise.all(shares.map(inThread));
  }
  process.stdout.write(JSON.stringify({ count: files.length }));
}

function inThread(share: readonly string[]): Promise<void> {
  return new Promise((done, fail) => {
    new Worker(new URL(import.meta.url), { workerData: share })
      .once("error", fail)
      .once("exit", (code) => (code === 0 ? done() : fail(new Error(`a thread ended with ${code}`))));
  });
}

function parseShare(files: readonly string[]): void {
  for (const file of files) {
    const bytes = readFileSync(file);
    hash(bytes);
    JSON.parse(bytes.toString());
  }
}

function hash(bytes: Uint8Array): void {
  createHash("sha256").update(bytes).digest("hex");
}

if (isMainThread) await main();
else parseShare(workerData as string[]);
