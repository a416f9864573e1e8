import type { Config } from "../config/config.js";
import { OffprintError } from "../lib/errors.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { SecondLook, State } from "../snapshot/state.js";
import type { ManifestDraft } from "../snapshot/write/commit.js";
import type { Base } from "./base.js";
import type { CrawlResult } from "./crawl/crawl.js";
import { type DueWork, dueWork, knownScope, type Scope } from "./crawl/due.js";
import { dueLooks, lookAfter } from "./crawl/stories/second-look.js";
import type { SyncContext } from "./sync-context.js";
import type { ProbeAnswer } from "./upstream/upstream.js";

/** What to do with a reading. */
export type Decision =
  | { kind: "commit"; draft: ManifestDraft }
  /** It may add and change, but not remove: for longer than `safety.maxStale`, no reading was clean. */
  | { kind: "add"; draft: ManifestDraft; previous: Manifest; error: OffprintError }
  /** The previous generation stays. */
  | { kind: "keep"; error: OffprintError }
  /** There is no previous generation to keep. */
  | { kind: "stop"; error: OffprintError };

/** Whether a reading may be committed. Pure. */
export function decide(
  { outcome, draft, reasons }: Pick<CrawlResult, "outcome" | "draft" | "reasons">,
  { usable, state }: Pick<Base, "usable" | "state">,
  { safety }: Pick<Config, "safety">,
  nowMs: number,
): Decision {
  const error = inconsistent(reasons);
  if (draft === undefined) return { kind: "stop", error };
  if (outcome === "clean" || outcome === "interval") return { kind: "commit", draft };
  if (usable === undefined) return { kind: "stop", error };
  const isStale = nowMs - uncleanSince(state, nowMs) >= safety.maxStaleMs;
  if (safety.consistency === "exact" || !isStale) return { kind: "keep", error };
  return { kind: "add", draft, previous: usable, error };
}

/** Since when no reading was clean. A time in the future comes from a wrong clock: now. */
export function uncleanSince({ uncleanSinceMs }: State, nowMs: number): number {
  return Math.min(uncleanSinceMs ?? nowMs, nowMs);
}

function inconsistent(reasons: readonly string[]): OffprintError {
  return new OffprintError(
    "UPSTREAM_INCONSISTENT",
    `No clean reading of the space: ${reasons[0] ?? "it kept changing"}.`,
    { hint: "The reading is staged; the next sync continues from it." },
  );
}

/** The next step: `recover` repairs the pointer, which happens as soon as the lock is taken. */
export type Step = "read" | "render" | "recover" | "nothing";

export function nextStep(
  { damaged, contentIsCurrent, isPointed }: Pick<Base, "damaged" | "contentIsCurrent" | "isPointed">,
  isDue: boolean,
): Step {
  if (isDue || damaged.length > 0) return "read";
  if (!contentIsCurrent) return "render";
  return isPointed ? "nothing" : "recover";
}

/** What a sync must read, for one base, probe and time. A value. */
export interface Due {
  readonly base: Base;
  readonly probe: ProbeAnswer;
  /** Server time in milliseconds since the epoch, or this machine's if the upstream has none. */
  readonly nowMs: number;
  readonly scope: Scope;
  readonly work: DueWork;
  /** Earlier readings that no later one has confirmed, and those that are due for a second look. */
  readonly looks: { open: readonly SecondLook[]; due: readonly SecondLook[] };
  /** True if anything must be read: what cv covers, what it does not, damage, or missing assets. */
  readonly isAny: boolean;
}

/** Pure, if the time is given. @param scope what the space has, if it was asked */
export function dueOf(
  { config, options }: Pick<SyncContext, "config" | "options">,
  { base, probe, nowMs = probe.dateMs ?? Date.now(), scope = knownScope(config, base.previous) }: DueFrom,
): Due {
  const { usable, damaged, state } = base;
  const open = looksOf(base);
  const looks = { open, due: dueLooks(open, nowMs) };
  const asked = { full: options.full === true, asked: options.recheck, lookIsDue: looks.due.length > 0 };
  const work = dueWork({ config, specs: scope.specs, previous: usable, damaged, state, probe, ...asked, nowMs });
  const isAny = work.published.length > 0 || work.unpinned || state.assets !== assetState(config, 0);
  return { base, probe, nowMs, scope, work, looks, isAny };
}

type DueFrom = Pick<Due, "base" | "probe"> & Partial<Pick<Due, "nowMs" | "scope">>;

/** Not confirmed by a later reading. If that note was lost: all that the generation's reading may have covered. */
function looksOf({ usable, state }: Pick<Base, "usable" | "state">): readonly SecondLook[] {
  if (state.looks.length > 0 || usable?.confirmed !== false) return state.looks;
  const { startedAt, committedAt } = usable;
  const read = new Map(usable.editions.map(({ version }) => [version, { uuids: [], all: true }]));
  return [lookAfter(read, { startedMs: Date.parse(startedAt), readAtMs: Date.parse(committedAt) })];
}

/** The settings of the assets, and whether some are missing: a change makes a sync check them. */
export function assetState({ assets }: Config, open: number): string {
  const { download, hosts, maxBytes, metadata } = assets;
  return JSON.stringify([download, hosts, maxBytes, open > 0, ...(metadata ? ["metadata"] : [])]);
}
