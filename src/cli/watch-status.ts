import type { SpaceConfig } from "../config/load/fleet.js";
import {
  metricsAfter,
  metricsOfSpaces,
  type QueueMetrics,
  type ToldFreshness,
  withFreshness,
  withKept,
  withRunElsewhere,
} from "../watch/telemetry/metrics.js";
import { readStatusFiles, writeStatusFiles } from "../watch/telemetry/status-files.js";
import { statusPages } from "../watch/telemetry/status-pages.js";
import type { WatchEvent } from "../watch/watch-event.js";
import type { CommandContext } from "./context.js";
import { keptSnapshot } from "./kept-generations.js";
import { printProblems } from "./report-failure.js";
import { builtCommit, freshnessOf, type StatusFileFlags, statusFilesOf } from "./sync-status.js";

export type WatchStatus = Awaited<ReturnType<typeof openWatchStatus>>;

export async function openWatchStatus(
  context: CommandContext,
  spaces: readonly SpaceConfig[],
  flags: StatusFileFlags,
  inBucketOf: (spaces: readonly SpaceConfig[]) => readonly string[],
) {
  const { version } = context;
  const commit = builtCommit();
  const files = statusFilesOf(context, flags);
  let metrics = await readStatusFiles(files, await Promise.all(spaces.map(freshnessOf)), Date.now());
  let writing = Promise.resolve();
  const write = async () => {
    const problems = await writeStatusFiles(files, metrics, { version, commit, nowMs: Date.now() });
    printProblems(context, problems, "yellow");
  };
  let current = spaces;
  const pagesOf = (followed: readonly SpaceConfig[]) =>
    statusPages({ metrics: () => metrics, inBucket: inBucketOf(followed), version, commit, now: Date.now });
  const pages = pagesOf(spaces);
  const noteKept = async (name: string) => {
    const { freshness, kept } = metrics.spaces.get(name) ?? {};
    const config = current.find((space) => space.name === name)?.config;
    // A space that ends has told its last run.
    if (freshness === undefined || config === undefined || freshness.generation === kept?.generation) return;
    const read = await keptSnapshot(config, freshness.generation);
    metrics = withKept(metrics, name, read);
  };
  return {
    note(event: WatchEvent): void {
      metrics = metricsAfter(metrics, event);
      if (event.kind === "run-ended") writing = writing.then(() => noteKept(event.space)).then(write);
      if (event.kind === "hook") writing = writing.then(write);
    },
    freshnessOf: (space: string) => metrics.spaces.get(space)?.freshness,
    /** Takes what other processes know about a space's copy. `ranAtMs`: when the last run ended, if anybody knows. */
    learn(space: string, known: ToldFreshness, ranAtMs = 0): void {
      metrics = withRunElsewhere(withFreshness(metrics, space, known), space, ranAtMs);
    },
    /** Goes on with these spaces. */
    async follow(followed: readonly SpaceConfig[]): Promise<void> {
      current = followed;
      const known = await Promise.all(followed.map(freshnessOf));
      metrics = metricsOfSpaces(metrics, known);
      for (const path of Object.keys(pages)) delete pages[path];
      Object.assign(pages, pagesOf(followed));
    },
    /** Takes what changed. */
    noteQueue(queue: QueueMetrics): void {
      metrics = { ...metrics, queue: { ...metrics.queue, ...queue } };
    },
    pages,
    /** Resolves when the files contain everything noted so far. */
    written: () => writing,
  };
}
