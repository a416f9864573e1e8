import type { Config } from "../config/config.js";
import { openOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import type { OnProgress, Progress, ProgressStage } from "./crawl/run/progress.js";
import { openSource, type Source } from "./open-source.js";
import type { SyncOptions } from "./sync-options.js";

/** What every stage of a sync uses. Constant while the sync runs. */
export interface SyncContext {
  readonly options: SyncOptions;
  readonly config: Config;
  readonly output: Output;
  readonly source: Source;
  /** Origin that answers. */
  readonly url: string;
  readonly clock: StageClock;
  readonly onProgress: OnProgress;
}

export interface HeldLock {
  /** @throws OffprintError `LOCKED` if another process has taken over */
  assertHeld(): Promise<void>;
}

/** Sends and writes nothing yet. The caller must close the source. */
export function openContext(options: SyncOptions): SyncContext {
  const { config } = options;
  const clock = startStageClock(options.onProgress ?? (() => {}), () => performance.now());
  const { onProgress } = clock;
  const url = options.source?.url ?? config.source.url;
  return {
    options,
    config,
    output: options.output ?? openOutput(config.output),
    source: openSource({ ...options, url, onProgress }),
    url,
    clock,
    onProgress,
  };
}

/** An older probe, in milliseconds, is repeated: reading at a cv that has moved is wasted work. */
const freshProbeMs = 5_000;

/** That time does not count. @returns whether the last probe is too old by now @throws what the caller throws */
export async function takeTurn({ options, clock, source }: SyncContext): Promise<boolean> {
  if (options.admit === undefined) return false;
  const resume = clock.pause();
  const { pacing } = source;
  const sinceMs = pacing.now();
  try {
    await options.admit();
    options.signal?.throwIfAborted();
  } finally {
    resume();
  }
  return pacing.now() - sinceMs > freshProbeMs;
}

export type StageClock = ReturnType<typeof startStageClock>;

/** @param now monotonic milliseconds */
export function startStageClock(passOn: OnProgress, now: () => number) {
  const times = new Map<ProgressStage, number>();
  let running: ProgressStage | undefined;
  let sinceMs = now();
  let startedMs = sinceMs;
  const turn = (next: ProgressStage | undefined): void => {
    const nowMs = now();
    if (running !== undefined) times.set(running, (times.get(running) ?? 0) + nowMs - sinceMs);
    running = next;
    sinceMs = nowMs;
  };
  return {
    /** Passes events on, and times every stage that begins. */
    onProgress(progress: Progress): void {
      if (progress.kind === "stage") turn(progress.stage);
      passOn(progress);
    },
    /** Milliseconds since the start, without pauses. */
    elapsedMs: () => now() - startedMs,
    /** Stops the clock until the returned function is called. */
    pause(): () => void {
      const stage = running;
      const pausedMs = now();
      turn(undefined);
      return () => {
        startedMs += now() - pausedMs;
        turn(stage);
      };
    },
    /** Milliseconds by stage, in the order of their beginnings; the total for a repeated stage. */
    stagesMs(): Partial<Record<ProgressStage, number>> {
      turn(running);
      return Object.fromEntries([...times].map(([stage, ms]) => [stage, Math.round(ms)]));
    },
  };
}
