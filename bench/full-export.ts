import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildSnapshot } from "../demo/build-snapshot.js";
import { loadConfig } from "../src/config/load/load-spaces.js";
import { exportGeneration } from "../src/content/tree/export-generation.js";
import { mapBounded } from "../src/lib/concurrency/map-bounded.js";
import { openFileStore } from "../src/snapshot/store/file-store.js";
import { flushFileSystem } from "../src/snapshot/store/flush-file-system.js";
import { inFolder, median } from "./measure.js";
import { type BenchOptions, type BenchRow, ratioRow } from "./row.js";
import { linkText, type SpaceStory, storyAt, storyText } from "./space/records.js";

/** Markdown and JSON of a whole space, beside writing the same files when they are ready; one author, beside all. */
export async function fullExportRows({ short }: BenchOptions): Promise<BenchRow[]> {
  const count = short ? 2_000 : 10_000;
  const stories = Array.from({ length: count }, (_, n) => storyAt(n));
  const full: number[] = [];
  const ready: number[] = [];
  const one: number[] = [];
  let rendered = 0;
  for (let repetition = 0; repetition < (short ? 2 : 3); repetition++) {
    await inFolder(async (dir) => {
      await writeFile(join(dir, "sync.config.yaml"), "source: { url: 'demo:', token: demo }\n");
      const config = await loadConfig({ cwd: dir, env: {} });
      const exported = async (generation: readonly SpaceStory[], number: number): Promise<number> => {
        const { store, manifest } = await snapshotOf(generation);
        const started = performance.now();
        const report = await exportGeneration({
          config,
          output: store,
          manifest: { ...manifest, generation: number },
          assertHeld: async () => {},
        });
        rendered = report.rendered;
        return performance.now() - started;
      };
      full.push(await exported(stories, 1));
      ready.push(await writeReady(join(dir, "output", "content"), join(dir, "ready")));
      const renamed = stories.map((story, n) => (n === 0 ? { ...story, name: "Another name", revision: 1 } : story));
      one.push(await exported(renamed, 2));
    });
  }
  const name = `Markdown and JSON of ${count} stories`;
  return [
    ratioRow(name, "ms", { value: median(full), floor: median(ready) }, undefined, "floor: the same files, ready"),
    ratioRow(
      `${name}, one author renamed`,
      "ms",
      { value: median(one), floor: median(full) },
      0.35,
      `${rendered} files rendered; floor: all of them`,
    ),
  ];
}

function snapshotOf(stories: readonly SpaceStory[]) {
  return buildSnapshot({
    space: { id: 1, name: "Bench", source: "demo:", languages: [] },
    cv: 1_700_000_000,
    parts: {
      "stories/published/default": stories.map((story, n) => storyText(n, story, "default")),
      "links/published": stories.map((story, n) => linkText(n, story)),
    },
    editions: [{ version: "published", release: null, language: "default" }],
  });
}

/** Writes the files of a folder into another one, plainly: no names that are not complete, one wait for the disk. */
async function writeReady(from: string, to: string): Promise<number> {
  const source = openFileStore(from);
  const files = await source.list("");
  const contents = await mapBounded(files, 16, async ({ name }) => ({
    name,
    bytes: (await source.get(name)) ?? new Uint8Array(),
  }));
  const started = performance.now();
  for (const folder of new Set(files.map(({ name }) => dirname(name))))
    await mkdir(join(to, folder), { recursive: true });
  await mapBounded(contents, 16, async ({ name, bytes }) => {
    await writeFile(join(to, name), bytes);
  });
  if (!(await flushFileSystem(to))) throw new Error("this system cannot flush a file system");
  return performance.now() - started;
}
