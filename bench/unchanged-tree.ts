import { join } from "node:path";
import { commandLine, floor, inFolder, interleaved, run } from "./measure.js";
import { type Bench, type BenchRow, ratioRow } from "./row.js";
import { withSpace } from "./space/start-space.js";
import { firstSyncIn, type SyncOutcome } from "./sync-command.js";

/** A sync that finds nothing new beside a content tree of many files, which it lists; in CI it looks at their sizes, too. */
export const unchangedTreeBench: Bench = async ({ short }) =>
  withSpace({ stories: short ? 5_000 : 100_000, languages: [] }, (space) =>
    inFolder(async (dir) => {
      await space.configure(dir, { formats: "[markdown]" });
      await firstSyncIn(dir);
      const tree = join(dir, "output", "content");
      const sync = async (CI: string): Promise<number> => {
        const { ms, stdout } = await run([commandLine, "sync", "--json"], { cwd: dir, env: { CI } });
        const { outcome, content } = JSON.parse(stdout) as SyncOutcome["report"];
        if (outcome !== "unchanged" || content.written > 0) throw new Error(`an unchanged space was ${outcome}`);
        return ms;
      };
      const list = async (...sizes: string[]) => (await run(floor("requests", "list", space.url, tree, ...sizes))).ms;
      const [names = 0, listed = 0, sizes = 0, looked = 0] = await interleaved(short ? 5 : 11, [
        () => sync(""),
        () => list(),
        () => sync("true"),
        () => list("sizes"),
      ]);
      const row = (name: string, measured: { value: number; floor: number }, floor: string): BenchRow =>
        ratioRow(`${name}, a tree of ${space.shape.stories} files`, "ms", measured, 1.5, `floor: ${floor}`);
      return [
        row("nothing changed", { value: names, floor: listed }, "one request and a listing of the tree"),
        row("the same in CI", { value: sizes, floor: looked }, "the same with a look at each file"),
      ];
    }),
  );
