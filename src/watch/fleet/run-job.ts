import { followProbe, toldOf } from "../event-sync.js";
import type { ProbeFound } from "../expectation.js";
import { type RunCause, type RunSurroundings, runSpace } from "../run-space.js";
import type { RunEnded, RunReason } from "../watch-event.js";
import type { WatchedSpace } from "../watch-space.js";
import { type Announced, announcedText, beginProbe, parseAnnounced } from "./announced.js";
import { type ServerClock, type SharedValues, updateValue } from "./shared-values.js";
import type { SpaceJob } from "./space-job.js";

export interface JobSurroundings extends RunSurroundings {
  values: Pick<SharedValues, "read" | "replace">;
  server: ServerClock;
  /** Returns when the space is due after a run, in milliseconds since the epoch; null: never. */
  nextAtMs(lookAtMs: number | null, done: Pick<RunEnded, "outcome" | "problems">): number | null;
}

/** @returns undefined: nothing found, or done by another worker @throws what the values throw, for an event */
export async function runJob(
  job: SpaceJob,
  space: WatchedSpace,
  around: JobSurroundings,
): Promise<RunEnded | undefined> {
  if (job.kind !== "event") return runOnce(space, around, { reasons: [reasonOf(job)] });
  return followEvents(space, around);
}

function reasonOf({ kind }: SpaceJob): RunReason {
  if (kind === "missed") return { kind: "start" };
  return kind === "look" ? { kind: "recheck" } : { kind: "schedule" };
}

async function runOnce(space: WatchedSpace, around: JobSurroundings, cause: RunCause): Promise<RunEnded> {
  const { emit, stop, abort } = around;
  const next: Parameters<typeof runSpace>[3] = async (done) =>
    around.nextAtMs((await space.readKnown()).lookAtMs, done);
  const ended = await runSpace(space, around, cause, next);
  emit(ended);
  if (ended.exitCode === 0 && !stop.aborted) await space.handOver?.(abort, ended);
  return ended;
}

async function followEvents(space: WatchedSpace, around: JobSurroundings): Promise<RunEnded | undefined> {
  const { values, server, stop, clock, emit } = around;
  const place = { group: "events", key: space.name } as const;
  const begun = await updateValue(values, place, (text, nowMs) => {
    const announced = parseAnnounced(text);
    if (announced === undefined) return { after: undefined, result: undefined };
    const { announced: next, probed } = beginProbe(announced, nowMs);
    const result = probed && { probed, dealtCv: next.dealtCv };
    return { after: announcedText(next), result };
  });
  if (begun === undefined) return undefined;
  const { probed } = begun;
  const found = await probe(space, around);
  if (stop.aborted) return undefined;
  const { cv: knownCv } = await space.readKnown();
  const cv = knownCv === null ? (begun.dealtCv ?? null) : Math.max(knownCv, begun.dealtCv ?? 0);
  const confirmed = { cv, startedMs: Number.NEGATIVE_INFINITY };
  const { open, result, ended, dealtCv } = await followProbe(
    { expectation: probed, found, confirmed, nowMs: server.now() },
    (cause) => runOnce(space, around, cause),
    () => stop.aborted,
  );
  await updateValue(values, place, (text) => {
    const before = parseAnnounced(text) ?? {};
    const next: Announced = { storm: before.storm, expectation: open, dealtCv: dealtCv ?? before.dealtCv };
    return { after: announcedText(next), result: undefined };
  });
  if (result !== undefined) {
    const waitedMs = Math.max(0, Math.round(server.now() - probed.receivedMs));
    emit(toldOf(probed, result, { space: space.name, atMs: clock.now(), waitedMs }));
  }
  return ended;
}

/** Undefined if it failed. The next probe or run reports why. */
async function probe({ session }: WatchedSpace, { stop, server }: JobSurroundings): Promise<ProbeFound | undefined> {
  try {
    const { cv, dateMs } = await session.probe(stop);
    return { cv, serverMs: dateMs ?? server.now() };
  } catch {
    return undefined;
  }
}
