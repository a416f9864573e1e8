import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contentModelsFile } from "../src/snapshot/layout.js";
import { commandLine, floorMs, inFolder, interleaved, run } from "./measure.js";
import { type Bench, type BenchRow, ratioRow } from "./row.js";
import { commitStories } from "./space/commit-stories.js";
import { storyAt } from "./space/records.js";

/** Types of a whole space, against a bare parse of the same files; and after ten stories changed. */
export const typesBench: Bench = async ({ short }) =>
  inFolder(async (dir) => {
    const count = short ? 5_000 : 100_000;
    const repetitions = short ? 3 : 5;
    const stories = Array.from({ length: count }, (_, n) => storyAt(n));
    // No request is sent: the snapshot alone is read.
    await writeFile(join(dir, "sync.config.yaml"), "source: { url: http://127.0.0.1:9, token: bench }\n");
    await commitStories(dir, stories);
    const typesMs = async () => (await run([commandLine, "types", "--out", "types.ts"], { cwd: dir })).ms;
    const startMs = async () => (await run([commandLine, "--version"], { cwd: dir })).ms;
    const [whole = 0, start = 0, bare = 0] = await interleaved(repetitions, [
      async () => {
        await rm(join(dir, "output", ...contentModelsFile.split("/")), { force: true });
        return typesMs();
      },
      startMs,
      () => floorMs("files", "parse", join(dir, "output")),
    ]);
    let edit = 0;
    const [changed = 0] = await interleaved(repetitions, [
      async () => {
        edit += 1;
        await commitStories(
          dir,
          stories.map((story, n) => (n % (count / 10) === 1 ? { ...story, revision: edit } : story)),
        );
        return typesMs();
      },
    ]);
    const name = `types of ${count} stories`;
    const afterChanges: BenchRow = {
      name: `${name}, after 10 changes`,
      unit: "ms",
      value: changed,
      floor: start,
      ratio: changed / start,
      aim: { text: "≤ 300 ms", met: changed <= 300 },
      note: "the whole command; the floor is --version",
    };
    return [
      ratioRow(
        name,
        "ms",
        { value: whole - start, floor: bare },
        1.2,
        "the command without its start; the floor parses the shards",
      ),
      afterChanges,
    ];
  });
