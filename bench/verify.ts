import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandLine, floor, inFolder, interleaved, run } from "./measure.js";
import { type Bench, ratioRow } from "./row.js";
import { commitStories } from "./space/commit-stories.js";
import { storyAt } from "./space/records.js";

/** `verify` of a whole snapshot, beside a loop that reads and hashes the same files. */
export const verifyBench: Bench = async ({ short }) =>
  inFolder(async (dir) => {
    const count = short ? 5_000 : 100_000;
    // No request is sent, and there is no content: the snapshot alone is read.
    const settings = "source: { url: http://127.0.0.1:9, token: bench }\ncontent: { formats: [] }\n";
    await writeFile(join(dir, "sync.config.yaml"), settings);
    await commitStories(
      dir,
      Array.from({ length: count }, (_, n) => storyAt(n)),
    );
    const snapshot = join(dir, "output", "snapshot");
    const [value = 0, hashed = 0] = await interleaved(short ? 3 : 7, [
      async () => (await run([commandLine, "verify"], { cwd: dir })).ms,
      async () => (await run(floor("files", "hash", snapshot))).ms,
    ]);
    const name = `verify ${count} stories`;
    return [ratioRow(name, "ms", { value, floor: hashed }, 1.3, "floor: read and hash the same files")];
  });
