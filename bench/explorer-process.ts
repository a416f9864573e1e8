import { buildSnapshot } from "../demo/build-snapshot.js";
import { resolveConfig } from "../src/config/load/resolve-config.js";
import { configSchema } from "../src/config/schema/config-schema.js";
import { checkInThread } from "../src/content/check/usage/check-in-thread.js";
import { createExplorer } from "../src/server/explorer/explorer.js";
import { prefix } from "../src/server/explorer/parts/page.js";
import { startReplica } from "../src/server/replica/http/server.js";
import { parts } from "../src/snapshot/layout.js";
import { openOutput } from "../src/snapshot/open-output.js";
import { followGeneration } from "../src/snapshot/reader/follow-generation.js";
import { storyAt, storyText } from "./space/records.js";

/**
 * The explorer of a large space as a process of its own: `build <dir> <stories> <changes>` writes two generations, `serve
 * <dir>` serves them. Talks through messages.
 */

export interface ExplorerTold {
  port?: number;
  /** Bytes of memory that the process has. */
  rss?: number;
  /** Bytes that are in use: of the heap, and of buffers beside it. */
  held?: number;
}

const [mode = "", dir = "", stories = "0", changes = "0"] = process.argv.slice(2);
const tell = (told: ExplorerTold): void => void process.send?.(told);

function memory(): ExplorerTold {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, held: heapUsed + external };
}

async function build(): Promise<void> {
  const { store } = openOutput({ dir });
  const count = Number(stories);
  const step = Math.max(1, Math.floor(count / Number(changes)));
  for (const generation of [1, 2]) {
    const lines = Array.from({ length: count }, (_, n) => {
      const text = storyText(n, storyAt(n), "default");
      return generation === 2 && n % step === 1 ? text.replace("number", "edited number") : text;
    });
    const keyOf = (line: string) => line.slice(line.indexOf('"uuid":"') + 8, line.indexOf('"uuid":"') + 44);
    lines.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    await buildSnapshot(
      {
        space: { id: 1, name: "Bench" },
        cv: 1000 + generation,
        parts: { [parts.stories("published/default")]: lines },
        editions: [{ version: "published", release: null, language: "default" }],
      },
      store,
    );
  }
  tell({});
}

async function serve(): Promise<void> {
  const { store } = openOutput({ dir });
  const followed = await followGeneration(store, { intervalMs: 0 });
  if (followed === undefined) throw new Error("no snapshot");
  const read = configSchema.read({ source: { url: "demo:", token: "demo" }, output: { dir } });
  if (!("value" in read)) throw new Error("the defaults do not fit the schema");
  const config = resolveConfig(read.value, dir);
  const check = (since?: "previous") => checkInThread(config, since);
  const open = createExplorer({
    spaces: [{ config, store, check }],
    onError: (error) => process.stderr.write(`${error}\n`),
  });
  const { port } = await startReplica({ reader: followed.reader, store, redirect: false, pages: { prefix, open } });
  tell({ port, ...memory() });
  process.on("message", () => tell(memory()));
}

if (mode === "build") await build();
else await serve();
