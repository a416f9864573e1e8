import type { OnProgress, ProgressStage } from "./crawl/run/progress.js";

export interface StageClock {
  /** Passes events on, and times every stage that begins. */
  onProgress: OnProgress;
  /** Milliseconds since the start, without pauses. */
  elapsedMs(): number;
  /** Stops the clock until the returned function is called. */
  pause(): () => void;
  /** Milliseconds by stage, in the order of their beginnings; the total for a repeated stage. */
  stagesMs(): Partial<Record<ProgressStage, number>>;
}

/** @param now monotonic milliseconds */
export function startStageClock(passOn: OnProgress, now: () => number): StageClock {
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
    onProgress(progress) {
      if (progress.kind === "stage") turn(progress.stage);
      passOn(progress);
    },
    elapsedMs: () => now() - startedMs,
    pause() {
      const stage = running;
      const pausedMs = now();
      turn(undefined);
      return () => {
        startedMs += now() - pausedMs;
        turn(stage);
      };
    },
    stagesMs() {
      turn(running);
      return Object.fromEntries([...times].map(([stage, ms]) => [stage, Math.round(ms)]));
    },
  };
}
