import { printable } from "../lib/printable.js";
import { duration } from "../lib/quantity-text.js";
import type { OnProgress, Progress } from "../sync/crawl/run/progress.js";
import { type ProgressAmount, progressLine } from "./progress-line.js";
import { sentText } from "./request-text.js";
import type { Terminal } from "./terminal.js";

type Stage = Extract<Progress, { kind: "stage" }>["stage"];

const stageTexts: Readonly<Record<Stage, string>> = {
  probe: "Asking for the current cv",
  index: "Reading the index",
  stories: "Reading stories",
  parts: "Reading datasources and tags",
  assets: "Fetching assets",
  settle: "Waiting for the space to settle",
  commit: "Committing",
  export: "Rendering content",
};

/** Shows the progress of one sync. */
export interface SyncProgress {
  onProgress: OnProgress;
  end(): void;
  /** How many stories a failed sync has kept for the next one; undefined where it failed before reading any. */
  stagedStories(): number | undefined;
}

/** How wide a plain line may be. */
const plainColumns = 100;
/** In a pipe or in CI a stage that takes longer says that it goes on, each time after so long, in milliseconds. */
const plainIntervalMs = 10_000;
/** The line on a terminal is drawn again after so long at the earliest, in milliseconds. */
export const drawIntervalMs = 100;
/** With `--verbose`, a stage that took at least so long is printed with its time, in milliseconds. */
const slowStageMs = 100;

export interface SyncProgressOptions {
  /** false: of one space among several only what is worth a line of its own is shown. */
  showsStages?: boolean;
  /** Milliseconds from any time on; default: a clock that nobody sets. */
  now?(): number;
}

/**
 * On a terminal, one line that is overwritten: what is being read, how much of how much, rate, time and requests that are
 * left ({@link progressLine}). Elsewhere nothing, but a plain line every ten seconds of a long stage; with `--no-progress` not even that.
 */
export function syncProgress(
  terminal: Terminal,
  { showsStages = true, now = () => performance.now() }: SyncProgressOptions = {},
): SyncProgress {
  let stage: Stage = "probe";
  let amount: ProgressAmount | undefined;
  let stageStartMs = now();
  let drawnMs = stageStartMs;
  let requests = 0;
  let planned: number | undefined;
  let staged: number | undefined;

  const draw = (): void => {
    drawnMs = now();
    const requestsLeft = planned === undefined ? undefined : planned - requests;
    const elapsedMs = drawnMs - stageStartMs;
    const view = { text: stageTexts[stage], amount, elapsedMs, requests, requestsLeft };
    if (terminal.drawsProgress) terminal.progress((width) => progressLine(view, width));
    else terminal.say(`${progressLine(view, plainColumns)} …`);
  };

  /** Draws where that is due. */
  const tick = (): void => {
    if (!showsStages || terminal.noProgress) return;
    if (now() - drawnMs >= (terminal.drawsProgress ? drawIntervalMs : plainIntervalMs)) draw();
  };

  const endStage = (): void => {
    const ms = now() - stageStartMs;
    if (ms >= slowStageMs) terminal.detail(`${stageTexts[stage]} took ${duration(ms)}`);
  };

  return {
    onProgress(progress) {
      if (progress.kind === "stage") {
        endStage();
        stage = progress.stage;
        amount = undefined;
        stageStartMs = now();
        if (terminal.drawsProgress && showsStages) draw();
        else drawnMs = stageStartMs;
      } else if (progress.kind === "advance") {
        amount = progress;
        tick();
      } else if (progress.kind === "request") {
        requests = progress.total;
        // The address of a request is redacted when its text is made: not where nobody reads it.
        if (terminal.verbose) terminal.detail(sentText(progress.sent));
        tick();
      } else if (progress.kind === "download") {
        if (terminal.verbose) terminal.detail(sentText(progress.sent));
      } else if (progress.kind === "wait") {
        terminal.detail(printable(`  waiting ${duration(progress.ms)}: ${progress.reason}`));
      } else if (progress.kind === "plan") {
        planned = progress.requests;
        terminal.detail(`Planned: ${progress.requests} requests for ${progress.stories} stories`);
      } else if (progress.kind === "staged") {
        staged = progress.stories;
      } else {
        terminal.say(printable(progress.message));
      }
    },
    end() {
      endStage();
      terminal.progress(undefined);
    },
    stagedStories: () => (staged === 0 && stage === "assets" ? undefined : staged),
  };
}
