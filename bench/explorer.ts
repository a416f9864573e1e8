import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { ExplorerTold } from "./explorer-process.js";
import { inFolder, script } from "./measure.js";
import type { Bench, BenchRow } from "./row.js";
import { storyAt } from "./space/records.js";

const MB = 1024 * 1024;
const program = script("./explorer-process.js");

/** The explorer over a large space: how long pages take, what others wait meanwhile, and what it needs of memory. */
export const explorerBench: Bench = async ({ short }) => {
  const stories = short ? 5_000 : 100_000;
  const changes = stories / 10;
  const rounds = short ? 5 : 20;
  return inFolder(async (dir) => {
    await told(fork(program, ["build", dir, String(stories), String(changes)]), true);
    const child = fork(program, ["serve", dir], { execArgv: ["--expose-gc"] });
    try {
      const { port, rss = 0, held = 0 } = await told(child);
      const origin = `http://127.0.0.1:${port}`;
      const get = async (path: string): Promise<number> => {
        const startedMs = performance.now();
        const response = await fetch(`${origin}${path}`);
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`${response.status} ${path}`);
        return performance.now() - startedMs;
      };
      const waiting = watchOthers(() => get(`/v2/cdn/stories/${storyAt(7).fullSlug}?token=any`));
      const comparison = await get("/_explorer/compare?from=1&to=2");
      // What is asked for first makes fields and orders ready, once for a generation.
      const first: number[] = [];
      for (const path of pagesOf(0, stories)) first.push(await get(`/_explorer/${path}`));
      const times: number[] = [];
      for (let round = 1; round <= rounds; round++) {
        for (const path of pagesOf(round, stories)) times.push(await get(`/_explorer/${path}`));
      }
      const waits = await waiting.stop();
      child.send("usage");
      const after = await told(child);
      return [
        aimRow(`a page of ${stories} stories, p95`, "ms", percentile(times, 0.95), 200),
        toldRow("the slowest page after a start", "ms", Math.max(...first)),
        aimRow(`first page of a comparison of ${changes} changes`, "ms", comparison, 500),
        aimRow("a request beside pages, p99", "ms", percentile(waits, 0.99), 50),
        aimRow("memory in use that pages added", "MB", ((after.held ?? 0) - held) / MB, 60),
        toldRow("memory of the process that pages added", "MB", ((after.rss ?? 0) - rss) / MB),
      ];
    } finally {
      child.kill();
    }
  });
};

/** Pages that no cache has, of each kind. */
function pagesOf(round: number, stories: number): string[] {
  const { uuid } = storyAt((round * 7919 + 1) % stories);
  return [
    "",
    `stories?page=${round + 1}`,
    `stories?folder=section-${round}`,
    `stories?tag=tag-${round % 20}`,
    `stories?q=${round}${round + 3}`,
    `search.json?q=article-${round * 7}`,
    `stories/${uuid}`,
    `compare?from=1&to=2&page=${round + 1}`,
    `compare/${uuid}?from=1&to=2`,
    "usage",
    "assets",
    "runs",
    `problems?page=${round + 1}`,
    "assets?show=untold",
  ];
}

/** Asks for the same again and again, and notes how long each answer took. */
function watchOthers(ask: () => Promise<number>) {
  const waits: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      waits.push(await ask());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return waits;
    },
  };
}

async function told(child: ChildProcess, isLast = false): Promise<ExplorerTold> {
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`the process ended with ${code}`);
  });
  const [message] = (await Promise.race([once(child, "message"), failed])) as [ExplorerTold];
  failed.catch(() => undefined);
  if (isLast) child.kill();
  return message;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function toldRow(name: string, unit: BenchRow["unit"], value: number): BenchRow {
  return { name, unit, value, floor: null, ratio: null, aim: null };
}

function aimRow(name: string, unit: BenchRow["unit"], value: number, atMost: number): BenchRow {
  return { ...toldRow(name, unit, value), aim: { text: `≤ ${atMost} ${unit}`, met: value <= atMost } };
}
