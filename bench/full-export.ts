import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { loadConfig } from "../src/config/load-config.js";
import { exportGeneration } from "../src/export/export-generation.js";
import { mapBounded } from "../src/map-bounded.js";
import { buildSnapshot } from "../src/snapshot/build-snapshot.js";
import { openFileStore } from "../src/store/file-store.js";
import { inFolder, median, run, script } from "./measure.js";
import { type BenchOptions, type BenchRow, ratioRow } from "./row.js";
import { linkText, type SpaceStory, storyAt, storyText } from "./space/records.js";

/** Markdown and JSON of a whole space, beside writing the same files when they are ready; one author, beside all. */
export async function fullExportRows({ short }: BenchOptions): Promise<BenchRow[]> {
  const count = short ? 2_000 : 10_000;
  const stories = Array.from({ length: count }, (_, n) => storyAt(n));
  const full: number[] = [];
  const ready: number[] = [];
  const one: number[] = [];
  const bare: number[] = [];
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
      bare.push(await bareRender(dir, stories.slice(0, dependents)));
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
    {
      name: `${name}, one author renamed`,
      unit: "ms",
      value: median(one),
      floor: median(bare),
      ratio: median(one) / median(bare),
      aim: { text: "≤ 250 ms", met: median(one) <= 250 },
      note: `floor: a bare render of the ${dependents} pages that show it`,
    },
  ];
}

/** The author's own page and the 99 articles that name it. */
const dependents = 100;

/** The pages of these stories as a loop of their own makes them, in milliseconds; start-up aside. */
async function bareRender(dir: string, stories: readonly SpaceStory[]): Promise<number> {
  const pages = join(dir, "pages");
  await mkdir(pages);
  const records = stories.map((story, n) => storyText(n, story, "default"));
  await writeFile(join(pages, "page-1.json"), `[${records.join()}]`);
  const { stdout } = await run([script("floors/render-lines.js"), pages, join(pages, "out"), String(stories.length)]);
  return (JSON.parse(stdout) as { ms: number }).ms;
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

/** Writes the files of a folder into another one, plainly: no names that are not complete, one wait for the disk each. */
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
    await writeFile(join(to, name), bytes, { flush: true });
  });
  return performance.now() - started;
}
