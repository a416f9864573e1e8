import { fork } from "node:child_process";
import { inFolder, interleaved, median, script } from "./measure.js";
import type { ResidentTold } from "./resident-process.js";
import { type Bench, type BenchRow, ratioRow } from "./row.js";
import { folderCount, storyAt } from "./space/records.js";
import { type Space, withSpace } from "./space/start-space.js";
import { firstSyncIn } from "./sync-command.js";

/**
 * Ten changed stories at a time, found by a process that stays: snapshot only, and with JSON and Markdown. The floor is
 * a process that stays, too.
 */
export const residentBench: Bench = async ({ short }) => {
  const stories = short ? 10_000 : 100_000;
  return withSpace({ stories, languages: [] }, async (space) => [
    ...(await snapshotOnly(space, short ? 5 : 15)),
    ...(await withContent(space, short ? 3 : 5)),
  ]);
};

async function snapshotOnly(space: Space, repetitions: number): Promise<BenchRow[]> {
  return inFolder(async (dir) => {
    await space.configure(dir);
    await firstSyncIn(dir);
    const links = String(space.shape.stories + folderCount(space.shape.stories));
    const uuids = Array.from({ length: 10 }, (_, n) => storyAt(n).uuid);
    const resident = await startResident(dir);
    const sweep = ["sweep", space.url, links, ...uuids];
    const loop = await stay<{ ms: number; cpuMs: number }>("floors/requests.js", sweep);
    try {
      for (let warmUp = 0; warmUp < 3; warmUp++) {
        await changed(space, resident);
        await loop.tell();
      }
      const cpuMs: Record<"value" | "floor", number[]> = { value: [], floor: [] };
      const measures = [
        async () => {
          const last = await changed(space, resident);
          cpuMs.value.push(last.cpuMs);
          return last.ms;
        },
        async () => {
          const told = await loop.tell();
          cpuMs.floor.push(told.cpuMs);
          return told.ms;
        },
      ];
      const [value = 0, floor = 0] = await interleaved(repetitions, measures);
      const unchanged = async () => (await resident.tell()).ms;
      const [nothing = 0] = await interleaved(repetitions, [unchanged]);
      const name = `resident, 10 changes in ${space.shape.stories}`;
      return [
        ratioRow(name, "ms", { value, floor }, 1.5),
        ratioRow(`${name}, processor time`, "ms", { value: median(cpuMs.value), floor: median(cpuMs.floor) }),
        { name: "resident, nothing changed", unit: "ms", value: nothing, floor: null, ratio: null, aim: null },
      ];
    } finally {
      resident.end();
      loop.end();
    }
  });
}

async function withContent(space: Space, repetitions: number): Promise<BenchRow[]> {
  return inFolder(async (dir) => {
    await space.configure(dir, { formats: "[json, markdown]" });
    await firstSyncIn(dir);
    const resident = await startResident(dir);
    try {
      await changed(space, resident);
      const [value = 0] = await interleaved(repetitions, [async () => (await changed(space, resident)).ms]);
      const name = `resident, 10 changes in ${space.shape.stories}, with JSON and Markdown`;
      return [{ name, unit: "ms", value, floor: null, ratio: null, aim: null }];
    } finally {
      resident.end();
    }
  });
}

/** A process that does something whenever it is told to. */
interface Staying<T> {
  tell(): Promise<T>;
  end(): void;
}

async function stay<T>(name: string, args: readonly string[]): Promise<Staying<T>> {
  const child = fork(script(name), args, { stdio: "inherit" });
  const told = () =>
    new Promise<T>((done, fail) => {
      const ended = (): void => fail(new Error(`${name} ended`));
      child.once("exit", ended);
      child.once("message", (message) => {
        child.off("exit", ended);
        done(message as T);
      });
    });
  await told();
  return {
    tell() {
      const answer = told();
      child.send({});
      return answer;
    },
    end: () => void child.kill(),
  };
}

/** The process, after a sync that found nothing: all that a sync needs is loaded then. */
async function startResident(dir: string): Promise<Staying<ResidentTold>> {
  const resident = await stay<ResidentTold>("resident-process.js", [dir]);
  await resident.tell();
  return resident;
}

async function changed(space: Space, resident: Staying<ResidentTold>): Promise<ResidentTold> {
  await space.edit({ articles: 10 });
  const told = await resident.tell();
  if (told.changed !== 10) throw new Error(`${told.changed} of 10 changes were found`);
  return told;
}
