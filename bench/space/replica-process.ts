import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startReplica } from "../../src/server/replica/http/server.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { parts, shardFile } from "../../src/snapshot/layout.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { followGeneration } from "../../src/snapshot/reader/follow-generation.js";
import { commit } from "../../src/snapshot/write/commit.js";
import { replacePart } from "../../src/snapshot/write/update-part.js";
import { folderCount, folderText, linkText, storyAt, storyText } from "./records.js";

/**
 * One side of the bench of the replica as a process of its own: `build <dir> <stories>` writes a snapshot, `serve <dir>`
 * serves it, `read <dir>` only reads its bytes, `floor` sends from memory what it is given. Talks through messages.
 */

export interface Told {
  port?: number;
  /** Until the first request can be answered, or all bytes are read. */
  readyMs?: number;
  bytes?: number;
  rss?: number;
  /** Time of the processor so far. */
  cpuMs?: number;
  shardsRead?: number;
}

/** What the floor sends for a path. */
export interface Given {
  path: string;
  /** One text, which is ready; or several, which are put together whenever they are asked for. */
  body: string | string[];
  /** The headers of the answer; default: its type alone. */
  headers?: Record<string, string>;
}

const typeAlone = { "Content-Type": "application/json; charset=utf-8" };

const [mode = "", dir = "", count = "0"] = process.argv.slice(2);
const part = parts.stories("published/default");

const tell = (told: Told): void => void process.send?.(told);

async function build(): Promise<void> {
  const { store } = openOutput({ dir });
  const stories = Array.from({ length: Number(count) }, (_, n) => n);
  const byKey = (a: string, b: string) => (keyOf(a) < keyOf(b) ? -1 : 1);
  const lines = stories.map((n) => storyText(n, storyAt(n), "default")).sort(byKey);
  const links = [
    ...stories.map((n) => linkText(n, storyAt(n))),
    ...Array.from({ length: folderCount(Number(count)) }, (_, n) => folderText(n)),
  ].sort(byKey);
  const published = { version: "published" as const, release: null, language: "default" };
  const edition = {
    ...published,
    name: "published/default",
    level: "exact" as const,
    cv: 1000,
    confirmedSince: 1000,
    settings: "",
    index: "links" as const,
    blindTo: [],
    newestPublishedAt: null,
    newestUpdatedAt: null,
  };
  await commit(store, {
    space: { id: 1, name: "Bench", source: "demo:", languages: [] },
    cv: 1000,
    startedAt: new Date(0).toISOString(),
    committedAt: new Date(0).toISOString(),
    editions: [edition],
    parts: {
      [part]: await replacePart(store, part, lines, 512 * 1024),
      [parts.links("published")]: await replacePart(store, parts.links("published"), links, 512 * 1024),
    },
    notIncluded: [],
    held: false,
  });
  tell({});
}

function keyOf(line: string): string {
  const at = line.indexOf('"uuid":"') + 8;
  return line.slice(at, at + 36);
}

async function read(): Promise<void> {
  const startedMs = performance.now();
  const manifest = await currentManifest(openOutput({ dir }).store);
  let bytes = 0;
  for (const [name, { shards }] of Object.entries(manifest?.parts ?? {})) {
    for (const shard of shards) bytes += (await readFile(join(dir, shardFile(name, shard)))).byteLength;
  }
  tell({ readyMs: performance.now() - startedMs, bytes });
}

async function serve(): Promise<void> {
  const startedMs = performance.now();
  const { store } = openOutput({ dir });
  const followed = await followGeneration(store, { intervalMs: 0 });
  if (followed === undefined) throw new Error("no snapshot");
  const { port } = await startReplica({ reader: followed.reader, store, redirect: false });
  tell({ port, readyMs: performance.now() - startedMs, rss: process.memoryUsage().rss });
  process.once("SIGINT", () => process.exit());
  process.on("message", (message) => {
    if (message === "usage") {
      const { user, system } = process.cpuUsage();
      tell({ rss: process.memoryUsage().rss, cpuMs: (user + system) / 1000 });
    }
    if (message === "reload") void reload();
  });
  const reload = async (): Promise<void> => {
    const fromMs = performance.now();
    const before = new Set(followed.reader().shards(part));
    await followed.check();
    const fresh = followed
      .reader()
      .shards(part)
      .filter((shard) => !before.has(shard));
    tell({ readyMs: performance.now() - fromMs, shardsRead: fresh.length });
  };
}

function floor(): void {
  const answers = new Map<string, { body: Buffer | Buffer[]; headers: Record<string, string> }>();
  // More than there are connections: an answer may still be on its way when the next one is made.
  const buffers = Array.from({ length: 32 }, () => Buffer.allocUnsafeSlow(1024 * 1024));
  let next = 0;
  const joined = (pieces: readonly Buffer[]): Buffer => {
    const buffer = buffers[next++ % buffers.length]!;
    let at = 0;
    for (const piece of pieces) {
      buffer.set(piece, at);
      at += piece.byteLength;
    }
    return buffer.subarray(0, at);
  };
  const server = createServer((request, response) => {
    const found = answers.get(request.url ?? "");
    const body = Array.isArray(found?.body) ? joined(found.body) : found?.body;
    response.writeHead(found === undefined ? 404 : 200, {
      ...(found?.headers ?? typeAlone),
      "Content-Length": body?.byteLength ?? 0,
    });
    response.end(body);
  });
  server.listen(0, "127.0.0.1", () => tell({ port: (server.address() as AddressInfo).port }));
  process.on("message", ({ path, body, headers = typeAlone }: Given) => {
    answers.set(path, {
      body: Array.isArray(body) ? body.map((piece) => Buffer.from(piece)) : Buffer.from(body),
      headers,
    });
    tell({});
  });
}

const modes: Record<string, () => unknown> = { build, read, serve, floor };
await modes[mode]?.();
