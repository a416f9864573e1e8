import type { SpaceConfig } from "../config/load/fleet.js";
import type { PageAnswer } from "../watch/http/watch-server.js";
import { metricsAfter, type ToldFreshness, withFreshness } from "../watch/telemetry/metrics.js";
import type { SpaceFreshness } from "../watch/telemetry/space-freshness.js";
import { readStatusFiles, writeStatusFiles } from "../watch/telemetry/status-files.js";
import { statusPages } from "../watch/telemetry/status-pages.js";
import type { WatchEvent } from "../watch/watch-event.js";
import type { CommandContext } from "./context.js";
import { printProblems } from "./report-failure.js";
import { freshnessOf, type StatusFileFlags, statusFilesOf } from "./sync-status.js";

export interface WatchStatus {
  note(event: WatchEvent): void;
  freshnessOf(space: string): SpaceFreshness | undefined;
  /** Takes what other processes know about a space's copy. */
  learn(space: string, known: ToldFreshness): void;
  /** Whether the queue of a worker can be reached. */
  noteQueue(isUp: boolean): void;
  pages: Readonly<Record<string, () => PageAnswer>>;
  /** Resolves when the files contain everything noted so far. */
  written(): Promise<void>;
}

export async function openWatchStatus(
  context: CommandContext,
  spaces: readonly SpaceConfig[],
  flags: StatusFileFlags,
  inBucket: readonly string[],
): Promise<WatchStatus> {
  const { version } = context;
  const files = statusFilesOf(context, flags);
  let metrics = await readStatusFiles(files, await Promise.all(spaces.map(freshnessOf)), Date.now());
  let writing = Promise.resolve();
  const write = async () => {
    const problems = await writeStatusFiles(files, metrics, { version, nowMs: Date.now() });
    printProblems(context, problems, "yellow");
  };
  return {
    note(event) {
      metrics = metricsAfter(metrics, event);
      if (event.kind === "run-ended" || event.kind === "hook") writing = writing.then(write);
    },
    freshnessOf: (space) => metrics.spaces.get(space)?.freshness,
    learn(space, known) {
      metrics = withFreshness(metrics, space, known);
    },
    noteQueue(isUp) {
      metrics = { ...metrics, hasQueue: isUp };
    },
    pages: statusPages({
      metrics: () => metrics,
      inBucket,
      version,
      now: Date.now,
    }),
    written: () => writing,
  };
}
