import { printable } from "../lib/printable.js";
import { duration } from "../lib/quantity-text.js";
import type { Progress } from "../sync/crawl/run/progress.js";
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

const plainColumns = 100;
/** Milliseconds between two lines of a long stage in a pipe or in CI. */
const plainIntervalMs = 10_000;
/** Minimum milliseconds between two drawings on a terminal. */
export const drawIntervalMs = 100;
/** `--verbose` prints the time of stages that took at least this many milliseconds. */
const slowStageMs = 100;

/** On a terminal, redraws one line ({@link progressLine}); elsewhere prints one every ten seconds of a long stage. */
export function syncProgress(terminal: Terminal, { showsStages = true, now = () => performance.now() } = {}) {
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
    else terminal.say(`${progressLine(view, plainColumns, false)} …`);
  };

  const tick = (): void => {
    if (!showsStages || terminal.noProgress) return;
    if (now() - drawnMs >= (terminal.drawsProgress ? drawIntervalMs : plainIntervalMs)) draw();
  };

  const endStage = (): void => {
    const ms = now() - stageStartMs;
    if (ms >= slowStageMs) terminal.detail(`${stageTexts[stage]} took ${duration(ms)}`);
  };

  return {
    onProgress(progress: Progress): void {
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
        // Redacting the address costs time, so only if it is printed.
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
    end(): void {
      endStage();
      terminal.progress(undefined);
    },
    /** Stories that a failed sync kept for the next one. Undefined if it failed before reading any. */
    stagedStories: () => (staged === 0 && stage === "assets" ? undefined : staged),
  };
}
