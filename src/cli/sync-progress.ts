import type { OnProgress, Progress } from "../crawl/progress.js";
import { duration, grouped } from "./quantity-text.js";
import { sentText } from "./request-text.js";
import { printable, type Terminal } from "./terminal.js";

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

/** In a pipe or in CI a stage prints no more than one line in this time, in milliseconds. */
const plainIntervalMs = 10_000;
/** With `--verbose`, a stage that took at least so long is printed with its time, in milliseconds. */
const slowStageMs = 100;

/**
 * On a terminal, one line that is overwritten: what is being read, how much of how much, rate, time left. Elsewhere
 * a plain line at the start of each stage and every ten seconds.
 *
 * @param options.showsStages false: of one space among several only what is worth a line of its own is shown
 */
export function syncProgress(terminal: Terminal, { showsStages = true }: { showsStages?: boolean } = {}): SyncProgress {
  let stage: Stage = "probe";
  let stageStartMs = performance.now();
  let lastPlainMs = 0;
  let requests = 0;
  let staged: number | undefined;
  const printed = new Set<Stage>();

  const draw = (amount: string): void => {
    if (!showsStages) return;
    const text = `${stageTexts[stage]}${amount}`;
    if (terminal.interactive) {
      terminal.progress(`${text}  · ${requests} requests`);
      return;
    }
    const now = performance.now();
    if (printed.has(stage) && now - lastPlainMs < plainIntervalMs) return;
    printed.add(stage);
    lastPlainMs = now;
    terminal.say(`${text} …`);
  };

  const endStage = (): void => {
    const ms = performance.now() - stageStartMs;
    if (ms >= slowStageMs) terminal.detail(`${stageTexts[stage]} took ${duration(ms)}`);
  };

  return {
    onProgress(progress) {
      if (progress.kind === "stage") {
        endStage();
        stage = progress.stage;
        stageStartMs = performance.now();
        draw("");
      } else if (progress.kind === "advance") {
        draw(amountText(progress.done, progress.total, performance.now() - stageStartMs));
      } else if (progress.kind === "request") {
        requests = progress.total;
        terminal.detail(sentText(progress.sent));
      } else if (progress.kind === "download") {
        terminal.detail(sentText(progress.sent));
      } else if (progress.kind === "wait") {
        terminal.detail(printable(`  waiting ${duration(progress.ms)}: ${progress.reason}`));
      } else if (progress.kind === "plan") {
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

function amountText(done: number, total: number | null, elapsedMs: number): string {
  const of = total === null ? grouped(done) : `${grouped(done)} of ${grouped(total)}`;
  const rate = elapsedMs < 500 ? 0 : done / (elapsedMs / 1_000);
  const left =
    total === null || rate === 0 || done >= total ? "" : `, ${duration(((total - done) / rate) * 1_000)} left`;
  return `: ${of}${rate === 0 ? "" : ` (${grouped(Math.round(rate))}/s${left})`}`;
}
