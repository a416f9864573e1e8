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

/** What a reading comes to. */
export type Decision =
  /** It may be committed. */
  | { kind: "commit"; draft: ManifestDraft }
  /**
   * It may add to `previous` and change it, never remove: for longer than `safety.maxStale` some story never fitted the
   * index, or no index held still.
   */
  | { kind: "add"; draft: ManifestDraft; previous: Manifest; error: OffprintError }
  /** The previous generation stays. */
  | { kind: "keep"; error: OffprintError }
  /** There is no generation that could stay. */
  | { kind: "stop"; error: OffprintError };

/** Whether a reading may be committed. Pure. @param nowMs The server's time in milliseconds since the epoch. */
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

/** Since when no reading was clean. A time that lies ahead comes from a clock that was wrong: it counts from now. */
export function uncleanSince({ uncleanSinceMs }: State, nowMs: number): number {
  return Math.min(uncleanSinceMs ?? nowMs, nowMs);
}

function inconsistent(reasons: readonly string[]): OffprintError {
  return new OffprintError(
    "UPSTREAM_INCONSISTENT",
    `No clean reading of the space: ${reasons[0] ?? "it kept changing"}.`,
    { hint: "What was read is staged: the next sync goes on from there." },
  );
}

/**
 * What a sync does next: `read` reads what is due, `render` renders the content tree again, `recover` puts the pointer
 * right, which whoever takes the lock does first.
 */
export type Step = "read" | "render" | "recover" | "nothing";

/** What there is to do. Pure. @param isDue Whether anything has to be read. */
export function nextStep(
  { damaged, contentIsCurrent, isPointed }: Pick<Base, "damaged" | "contentIsCurrent" | "isPointed">,
  isDue: boolean,
): Step {
  if (isDue || damaged.length > 0) return "read";
  if (!contentIsCurrent) return "render";
  return isPointed ? "nothing" : "recover";
}

/** What a sync has to read: decided once, for what is there, what the probe answered, and one moment. A value. */
export interface Due {
  readonly base: Base;
  readonly probe: ProbeAnswer;
  /** The moment: the server's time in milliseconds since the epoch, or this machine's where the upstream has none. */
  readonly nowMs: number;
  readonly scope: Scope;
  readonly work: DueWork;
  /** What earlier syncs have read and no later one has confirmed; and of that, what it is time to look at once more. */
  readonly looks: { open: readonly SecondLook[]; due: readonly SecondLook[] };
  /** Whether anything has to be read: what cv covers, what no cv covers, what is damaged, or assets that are missing. */
  readonly isAny: boolean;
}

/**
 * Decides what is due. Pure, where the moment is given.
 * @param scope What there is to read, where the space was asked; default: as far as it is known.
 */
export function dueOf(
  { config, options }: Pick<SyncContext, "config" | "options">,
  { base, probe, nowMs = probe.dateMs ?? Date.now(), scope = knownScope(config, base.previous) }: DueFrom,
): Due {
  const { usable, damaged, state } = base;
  const open = looksOf(base);
  const looks = { open, due: dueLooks(open, nowMs) };
  const confirmed = {
    cv: state.cv,
    checkedAtMs: state.checkedMs.parts ?? null,
    partSettings: state.partSettings,
    keptPart: state.spaceProblems.some(({ code }) => code === "PART_KEPT"),
    lookIsDue: looks.due.length > 0,
  };
  const asked = { full: options.full === true, asked: options.recheck };
  const { specs } = scope;
  const work = dueWork({ config, specs, previous: usable, damaged, confirmed, probe, ...asked, nowMs });
  const isAny = work.published.length > 0 || work.unpinned || state.assets !== assetState(config, 0);
  return { base, probe, nowMs, scope, work, looks, isAny };
}

type DueFrom = Pick<Due, "base" | "probe"> & Partial<Pick<Due, "nowMs" | "scope">>;

/**
 * What earlier syncs have read and no later one has confirmed. Where that was lost, or a generation was committed for what
 * lies beside the stories alone, it is as much as the generation's reading may have been.
 */
function looksOf({ usable, state }: Pick<Base, "usable" | "state">): readonly SecondLook[] {
  if (state.looks.length > 0 || usable?.confirmed !== false) return state.looks;
  const { startedAt, committedAt } = usable;
  const read = new Map(usable.editions.map(({ version }) => [version, { uuids: [], all: true }]));
  return [lookAfter(read, { startedMs: Date.parse(startedAt), readAtMs: Date.parse(committedAt) })];
}

/** Settings of the assets, and whether some are still to be fetched: a text that differs makes a sync look at them. */
export function assetState({ assets }: Config, open: number): string {
  const { download, hosts, maxBytes, metadata } = assets;
  return JSON.stringify([download, hosts, maxBytes, open > 0, ...(metadata ? ["metadata"] : [])]);
}
