import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { buildSnapshot } from "./build-snapshot.js";
import { floorMs, inFolder, interleaved, run, script } from "./measure.js";
import { type Bench, ratioRow } from "./row.js";

/** What a request to storage in the same region takes until its first byte, in milliseconds. */
const latencyMs = 20;

/** Copying a snapshot from a store to a machine that has nothing of it, and to one that has all of it. */
export const pullBench: Bench = async ({ short }) => {
  const stories = short ? 2_000 : 10_000;
  return inFolder(async (dir) => {
    const source = join(dir, "source");
    await buildSnapshot(source, stories);
    const server = fork(script("./floors/object-server.js"), [source, String(latencyMs)]);
    try {
      return await measured(dir, stories, await originOf(server), short ? 3 : 7);
    } finally {
      server.disconnect();
    }
  });
};

async function measured(dir: string, stories: number, origin: string, repetitions: number) {
  const program = script("./pull-process.js");
  let folders = 0;
  const pulled = async (into: string) => JSON.parse((await run([program, origin, into])).stdout) as Told;
  const got = (...into: string[]) => floorMs("requests", "objects", origin, ...into);
  const [cold = 0, floor = 0, keeping = 0] = await interleaved(repetitions, [
    async () => (await pulled(join(dir, `cold-${++folders}`))).ms,
    () => got(),
    () => got(join(dir, `kept-${folders}`)),
  ]);
  const name = `pull ${stories} stories to an empty machine, ${latencyMs} ms a request`;
  const warm = await pulled(join(dir, "cold-1"));
  return [
    ratioRow(name, "ms", { value: cold, floor }, 1.3),
    ratioRow(`${name}, against GET, hash, write and fsync`, "ms", { value: cold, floor: keeping }, 1.3),
    ratioRow("pull when nothing is new", "requests", { value: warm.requests, floor: 1 }, 1),
  ];
}

interface Told {
  ms: number;
  cpuMs: number;
  requests: number;
}

async function originOf(server: ChildProcess): Promise<string> {
  const [{ port }] = (await once(server, "message")) as [{ port: number }];
  return `http://127.0.0.1:${port}`;
}
