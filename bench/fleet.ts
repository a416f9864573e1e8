import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandLine, floor as floorOf, inFolder, interleaved, type Run, run } from "./measure.js";
import { type Bench, type BenchRow, exactRow, ratioRow } from "./row.js";
import { type Space, withSpace } from "./space/start-space.js";

const MB = 1024 * 1024;

/** Many spaces of one file: what asking all of them takes, and how much memory reading all of them does. */
export const fleetBench: Bench = async ({ short }) => [
  ...(await unchangedSpaces(short ? 100 : 1_000, short ? 1 : 3)),
  ...(await firstSyncs(short ? 12 : 60)),
];

/** An upstream somewhere else answers in so many milliseconds. */
const latencyMs = 20;

function unchangedSpaces(count: number, repetitions: number): Promise<BenchRow[]> {
  return withSpace({ stories: 10, languages: [] }, (space) =>
    inFolder(async (dir) => {
      await configureFleet(dir, space, { count: 1, formats: "[]" });
      await run([commandLine, "sync"], { cwd: dir });
      for (let number = 1; number < count; number++) {
        await cp(join(dir, "output", nameOf(0)), join(dir, "output", nameOf(number)), { recursive: true });
      }
      await configureFleet(dir, space, { count, formats: "[]" });
      await space.reset({ latencyMs });
      let peakBytes = 0;
      const [value = 0, floor = 0] = await interleaved(repetitions, [
        async () => {
          const done = await run([commandLine, "sync", "--json"], { cwd: dir, peak: true });
          if (outcomesOf(done).some((outcome) => outcome !== "unchanged")) throw new Error("a space was not unchanged");
          peakBytes = Math.max(peakBytes, done.peakBytes ?? 0);
          return done.ms;
        },
        async () => (await run(floorOf("requests", "probes", space.url, String(count)))).ms,
      ]);
      const { requests } = await space.counts();
      const name = `${count} spaces unchanged, ${latencyMs} ms each`;
      const timed = ratioRow(name, "ms", { value, floor });
      return [
        { ...timed, aim: { text: "≤ 10 s", met: value <= 10_000 } },
        exactRow(`${name}: requests`, "requests", requests / repetitions - count, count),
        memoryRow(`${name}: memory`, peakBytes),
      ];
    }),
  );
}

function firstSyncs(count: number): Promise<BenchRow[]> {
  return withSpace({ stories: 500, languages: ["de"] }, (space) =>
    inFolder(async (dir) => {
      await configureFleet(dir, space, { count, formats: "[json, markdown]" });
      const first = await run([commandLine, "sync", "--json"], { cwd: dir, peak: true });
      if (outcomesOf(first).some((outcome) => outcome !== "committed")) throw new Error("a space was not committed");
      await space.reset();
      await run([commandLine, "sync", "--json"], { cwd: dir });
      const { requests } = await space.counts();
      const name = `${count} spaces of 500 stories in 2 languages`;
      return [
        memoryRow(`${name}, first sync`, first.peakBytes ?? 0),
        { name: `${name}, first sync`, unit: "s", value: first.ms / 1_000, floor: null, ratio: null, aim: null },
        exactRow(`${name}, unchanged: requests`, "requests", requests, count),
      ];
    }),
  );
}

function memoryRow(name: string, bytes: number): BenchRow {
  const value = bytes / MB;
  return { name, unit: "MB", value, floor: null, ratio: null, aim: { text: "≤ 250 MB", met: value <= 250 } };
}

function outcomesOf({ stdout }: Run): string[] {
  const lines = stdout.trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome);
}

function nameOf(number: number): string {
  return `space-${number}`;
}

/** A file of so many spaces, each with a token of its own. */
function configureFleet(dir: string, { url }: Space, { count, formats }: { count: number; formats: string }) {
  const spaces = Array.from(
    { length: count },
    (_, number) => `  ${nameOf(number)}: { source: { token: bench-token-of-space-${number} } }\n`,
  );
  return writeFile(
    join(dir, "sync.config.yaml"),
    `defaults:
  source: { url: "${url}" }
  queue: { rateLimit: false }
  content: { formats: ${formats} }
spaces:
${spaces.join("")}`,
  );
}
