import type { Config } from "../config/config.js";
import { type DueWork, dueWork } from "../crawl/due.js";
import { knownScope, type Scope } from "../crawl/known-scope.js";
import { openSource, type Source } from "../crawl/open-source.js";
import type { ProbeAnswer } from "../crawl/opening-probe.js";
import type { Pacing } from "../crawl/pin.js";
import type { OnProgress } from "../crawl/progress.js";
import type { CrawlRules } from "../crawl/rules.js";
import type { Problem } from "../errors.js";
import { hasContent } from "../export/content-folder.js";
import type { Manifest } from "../snapshot/manifest.js";
import { type Output, openOutput, readDamagedOutput } from "../snapshot/open-output.js";
import type { State } from "../snapshot/state.js";
import { repaired } from "./repair.js";
import { type StageClock, startStageClock } from "./stage-clock.js";

export interface SyncOptions {
  config: Config;
  /** Where the source answers when its configured address is a name (`demo:`), and hosts that stand for other origins. */
  source?: { url: string; hostMap: Readonly<Record<string, string>> };
  /** Confirm every record, whatever the index shows. */
  full?: boolean;
  /** Remove what is gone upstream, however much it is. */
  forceRemove?: boolean;
  /** Replace the snapshot of another space. */
  replace?: boolean;
  /** Plan only: nothing is written. */
  dryRun?: boolean;
  /** Where the snapshot lies; default: the files of `output.dir`. */
  output?: Output;
  /** How time passes for waits and retries; default: as it does. */
  pacing?: Pacing;
  /** For proxies. */
  env?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  onProgress?: OnProgress;
  /** @internal Rules of the crawl to replace: the simulation plants bugs with them. */
  rules?: Partial<CrawlRules>;
}

/** Everything that a sync has at hand. */
export interface SyncRun {
  readonly options: SyncOptions;
  readonly config: Config;
  readonly output: Output;
  readonly source: Source;
  /** Origin that answers. */
  readonly url: string;
  previous: Manifest | undefined;
  /** The previous generation without what is damaged of it: what is not in there is read again. */
  readable: Manifest | undefined;
  /** Names of what is damaged of the previous generation: parts, asset files, the manifest. */
  damaged: readonly string[];
  /** Whether the pointer holds the previous generation's manifest, so that nothing has to be put right. */
  isPointed: boolean;
  /** What was found damaged, and is put right by this sync. */
  readonly repairs: Problem[];
  state: State;
  contentIsCurrent: boolean;
  readonly startedMs: number;
  readonly clock: StageClock;
  readonly onProgress: OnProgress;
}

/** The right to commit: held while a sync writes. */
export interface HeldLock {
  assertHeld(): Promise<void>;
}

export async function begin(options: SyncOptions): Promise<SyncRun> {
  const { config, env = {}, signal } = options;
  const output = options.output ?? openOutput(config.output.dir);
  const { manifest, state, isPointed, damage } = await readDamagedOutput(output);
  const clock = startStageClock(options.onProgress ?? (() => {}), () => performance.now());
  const { onProgress } = clock;
  const url = options.source?.url ?? config.source.url;
  return {
    options,
    config,
    output,
    source: openSource({
      config,
      url,
      env,
      signal,
      pacing: options.pacing,
      onProgress,
      through: options.rules?.upstream,
    }),
    url,
    previous: manifest,
    readable: manifest,
    damaged: state.damaged,
    isPointed: isPointed || (manifest === undefined && damage === undefined),
    repairs: damage === undefined ? [] : [repaired(damage)],
    state,
    contentIsCurrent: (await hasCurrentContent(config, manifest)) && !isBlocked(state),
    startedMs: performance.now(),
    clock,
    onProgress,
  };
}

export async function hasCurrentContent(config: Config, manifest: Manifest | undefined): Promise<boolean> {
  if (!hasContent(config)) return true;
  if (manifest === undefined) return false;
  const { isContentCurrent } = await import("../export/export-generation.js");
  return isContentCurrent(config, manifest);
}

/** Whether a file that is not ours stood where a content file belongs: every sync looks whether it is gone. */
export function isBlocked({ contentProblems }: State): boolean {
  return contentProblems.some(({ code }) => code === "CONTENT_BLOCKED");
}

export function dueOf(run: SyncRun, scope: Scope, probe: ProbeAnswer): DueWork {
  return dueWork({
    config: run.config,
    specs: scope.specs,
    previous: run.readable,
    damaged: run.damaged,
    confirmed: {
      cv: run.state.cv,
      checkedAtMs: run.state.checkedMs.parts ?? null,
      partSettings: run.state.partSettings,
      keptPart: run.state.spaceProblems.some(({ code }) => code === "PART_KEPT"),
    },
    probe,
    full: run.options.full === true,
    nowMs: Date.now(),
  });
}

/** Whether anything has to be read: what cv covers, what no cv covers, what is damaged, or assets that are still missing. */
export function isDue(run: SyncRun, probe: ProbeAnswer): boolean {
  const due = dueOf(run, knownScope(run.config, run.readable), probe);
  return due.published.length > 0 || due.unpinned || run.state.assets !== assetState(run.config, 0);
}

/** Whether there is nothing to read, to render or to put right. */
export function isUpToDate(run: SyncRun, probe: ProbeAnswer): boolean {
  return run.isPointed && run.damaged.length === 0 && run.contentIsCurrent && !isDue(run, probe);
}

export function knownProblems({ spaceProblems, contentProblems }: State) {
  return [...spaceProblems, ...contentProblems];
}

/** Settings of the assets, and whether some are still to be fetched: a mark that differs makes a sync look at them. */
export function assetState({ assets }: Config, open: number): string {
  const { download, hosts, maxBytes, metadata } = assets;
  return JSON.stringify([download, hosts, maxBytes, open > 0, ...(metadata ? ["metadata"] : [])]);
}
