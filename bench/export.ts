import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fullExportRows } from "./full-export.js";
import { commandLine, floor, floorMs, inFolder, interleaved, run } from "./measure.js";
import { type Bench, type BenchOptions, type BenchRow, exactRow } from "./row.js";
import { withSpace } from "./space/start-space.js";
import { firstSyncIn, syncIn } from "./sync-command.js";

/** A whole export, and one after one author changed: what depends on it is rendered again, and nothing else. */
export const exportBench: Bench = async (options) => [
  ...(await fullExportRows(options)),
  ...(await oneAuthor(options, "[markdown]")),
  ...(await oneAuthor(options, "[json, markdown]")),
];

/** @param formats as the configuration has them */
const oneAuthor = async ({ short }: BenchOptions, formats: string): Promise<BenchRow[]> =>
  withSpace({ stories: short ? 2_000 : 10_000, languages: [] }, (space) =>
    inFolder(async (dir) => {
      await space.configure(dir, { formats });
      await firstSyncIn(dir);
      const pages = join(dir, "pages");
      await mkdir(pages);
      await run(floor("requests", "pages", space.url, pages, String(space.shape.stories)));
      let written = 0;
      const [changed = 0, unrendered = 0, bare = 0] = await interleaved(short ? 3 : 5, [
        async () => {
          await space.edit({ author: 0 });
          const startedMs = Date.now();
          const { report } = await syncIn(dir);
          written = await pagesWrittenSince(dir, startedMs);
          return report.durationMs;
        },
        // The same change without content: what the sync itself takes.
        async () => {
          await space.configure(dir);
          await space.edit({ author: 0 });
          const { report } = await syncIn(dir);
          await space.configure(dir, { formats });
          await run([commandLine, "export", "--quiet"], { cwd: dir });
          return report.durationMs;
        },
        () => floorMs("files", "render", pages, join(pages, "out"), String(dependents)),
      ]);
      const value = changed - unrendered;
      const row: BenchRow = {
        name: `export after one author changed, ${formats}, ${space.shape.stories} stories`,
        unit: "ms",
        value,
        floor: bare,
        ratio: value / bare,
        aim: { text: "≤ 250 ms", met: value <= 250 },
        note: "a sync with content less one without",
      };
      return [row, exactRow(`${row.name}: pages written`, "files", written, dependents)];
    }),
  );

async function pagesWrittenSince(dir: string, startedMs: number): Promise<number> {
  const markdown = join(dir, "output", "content", "markdown");
  let written = 0;
  for (const entry of await readdir(markdown, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    if ((await stat(join(entry.parentPath, entry.name))).mtimeMs >= startedMs) written++;
  }
  return written;
}

/** The author's own page and the 99 articles that name it. */
const dependents = 100;
