import type { SpaceConfig } from "../config/load/fleet.js";
import type { PageAnswer } from "../watch/http/watch-server.js";
import { metricsAfter, metricsOfSpaces, type ToldFreshness, withFreshness } from "../watch/telemetry/metrics.js";
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
  /** Goes on with these spaces. */
  follow(spaces: readonly SpaceConfig[]): Promise<void>;
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
  inBucketOf: (spaces: readonly SpaceConfig[]) => readonly string[],
): Promise<WatchStatus> {
  const { version } = context;
  const files = statusFilesOf(context, flags);
  let metrics = await readStatusFiles(files, await Promise.all(spaces.map(freshnessOf)), Date.now());
  let writing = Promise.resolve();
  const write = async () => {
    const problems = await writeStatusFiles(files, metrics, { version, nowMs: Date.now() });
    printProblems(context, problems, "yellow");
  };
  const pagesOf = (followed: readonly SpaceConfig[]) =>
    statusPages({ metrics: () => metrics, inBucket: inBucketOf(followed), version, now: Date.now });
  const pages = pagesOf(spaces);
  return {
    note(event) {
      metrics = metricsAfter(metrics, event);
      if (event.kind === "run-ended" || event.kind === "hook") writing = writing.then(write);
    },
    freshnessOf: (space) => metrics.spaces.get(space)?.freshness,
    learn(space, known) {
      metrics = withFreshness(metrics, space, known);
    },
    async follow(followed) {
      const known = await Promise.all(followed.map(freshnessOf));
      metrics = metricsOfSpaces(metrics, known);
      for (const path of Object.keys(pages)) delete pages[path];
      Object.assign(pages, pagesOf(followed));
    },
    noteQueue(isUp) {
      metrics = { ...metrics, hasQueue: isUp };
    },
    pages,
    written: () => writing,
  };
}
