import type { EditionEntry, Manifest } from "../../src/snapshot/manifest.js";
import type { SyncReport } from "../../src/sync/report.js";
import { longestLagMs } from "../support/model-space/lags.js";
import { storiesOf } from "../support/model-space/records.js";
import type { HistoryRun } from "./history.js";
import { intervalFaults, intervalOf } from "./interval.js";
import {
  type Difference,
  describeDifference,
  differences,
  differOnlyInTerms,
  editionOf,
  expectedLines,
  isBlindSpot,
  wantedStories,
} from "./oracle.js";
import { differentParts, type ReadSnapshot, type SnapshotLines } from "./snapshot-lines.js";

/** A history in which something happened that must not. */
export class PropertyViolation extends Error {
  readonly seed: string;
  readonly property: string;
  readonly log: readonly string[];

  constructor(run: HistoryRun, property: string, what: string) {
    super(`seed ${run.result.seed}: "${property}" does not hold: ${what}`);
    this.seed = run.result.seed;
    this.property = property;
    this.log = [...run.upstream.log];
  }
}

/**
 * True if the sync was served another client's copy, or an old origin's answer, of a state that was
 * not the last one of its cv: two writes within one second, and a read in between. A reader of the
 * interface cannot detect that.
 */
export function isPoisoned({ space, upstream }: HistoryRun): boolean {
  return upstream.edges.borrowed.some(({ cv, storedMs }) =>
    space.absorbed.some((write) => write.cv === cv && storedMs < write.visibleMs),
  );
}

/** Checks every commit of any level: cv never goes back, and no existing story is removed. */
export function checkCommit(run: HistoryRun, before: ReadSnapshot | undefined, now: ReadSnapshot): void {
  if (before === undefined) return;
  const [from, to] = [before.manifest.cv, now.manifest.cv];
  if (from !== null && to !== null && to < from) {
    throw new PropertyViolation(run, "cv never goes backwards in manifests", `from ${from} to ${to}`);
  }
  for (const edition of now.manifest.editions) {
    const settings = before.manifest.editions.find(({ name }) => name === edition.name)?.settings;
    if (settings === edition.settings) checkRemovals(run, edition, before, now);
  }
}

function checkRemovals(run: HistoryRun, { name }: EditionEntry, before: ReadSnapshot, now: ReadSnapshot): void {
  const part = `stories/${name}`;
  const reading = editionOf(name);
  for (const uuid of before.lines.get(part)?.keys() ?? []) {
    if (now.lines.get(part)?.has(uuid)) continue;
    // If parts lag, a sync may be served a state from before it began, without the story: a second
    // look repairs that.
    const states = run.space.statesSince(run.sinceMs - longestLagMs(run.space.dialect.lags));
    const names = now.manifest.editions.map((edition) => edition.name);
    if (states.some((state) => !storiesOf(state, run.space.dialect, reading).has(uuid))) continue;
    // A story that was read as a relation may go with it; no single state shows which stories named
    // it together.
    if (states.some((state) => wantedStories(run, state, reading.version, names)?.included.has(uuid) === false))
      continue;
    throw new PropertyViolation(run, "no live story is removed", `${uuid} of ${name}, level ${now.manifest.level}`);
  }
}

/** If parts of the interface lag by more, only a second look can show that a reading is torn. */
const settledLagMs = 1_000;

/**
 * True if an exact reading must be exact: it was confirmed, or nothing lags by more than a commit
 * assumes.
 */
export function isHeld({ plan }: HistoryRun, report: SyncReport): boolean {
  return longestLagMs(plan.dialect.lags) <= settledLagMs || ("confirmed" in report && report.confirmed === true);
}

/**
 * `exact`: the published editions, their index and all other parts equal one state that was visible
 * while that cv was current. Nothing is promised about changes that the index cannot show.
 * @returns how many records differed in that way; `torn`: the reading matches no such state, and
 *   need not yet
 */
export function checkExact(run: HistoryRun, { manifest, lines }: ReadSnapshot, report: SyncReport): number | "torn" {
  const { space } = run;
  const exact = manifest.editions.filter(({ level }) => level === "exact");
  const names = exact.map(({ name }) => name);
  const cv = report.cv as number;
  const states = space.statesAt(cv, longestLagMs(space.dialect.lags));
  const incomplete = isIncomplete({ manifest }, report);
  let best: { found: Difference[]; blind: number } | undefined;
  for (const state of states) {
    const since = Math.min(...exact.map(({ confirmedSince }) => confirmedSince ?? 0));
    const all = differences(lines, expectedLines(run, state, names)).filter(
      (difference) =>
        !(incomplete && isBesideStories(difference.part)) &&
        !isDerived(manifest, difference.part) &&
        !isUncovered(run, lines, difference.part, cv) &&
        !isRetagged(run, difference, cv) &&
        !isRetermed(run, difference, cv),
    );
    const found = all.filter((difference) => !isBlindSpot(space, difference, state, since));
    if (found.length === 0) return all.length;
    if (best === undefined || found.length < best.found.length) best = { found, blind: all.length - found.length };
  }
  if (!isHeld(run, report)) return "torn";
  const shown =
    best === undefined
      ? "no state was ever visible at it"
      : best.found.slice(0, 5).map(describeDifference).join("\n  ");
  throw new PropertyViolation(
    run,
    "exact is a state that was visible at that cv",
    `cv ${cv} of generation ${manifest.generation} (${report.outcome})\n  ${shown}`,
  );
}

/** True if the upstream had no links listing, so that the lines were made from the stories. */
function isDerived({ editions }: Manifest, part: string): boolean {
  return (
    part.startsWith("links/") &&
    editions.some(({ version, index }) => part === `links/${version}` && index === "stories")
  );
}

/** True if a part other than stories could not be read. */
function isIncomplete({ manifest }: Pick<ReadSnapshot, "manifest">, { problems }: SyncReport): boolean {
  return (
    manifest.notIncluded.length > 0 || problems.some(({ code }) => code === "PART_KEPT" || code === "PART_NOT_INCLUDED")
  );
}

function isBesideStories(part: string): boolean {
  return !part.startsWith("stories/") && !part.startsWith("links/");
}

/** True if a part is as it was at some time at this cv, and was edited without a new cv. */
function isUncovered(run: HistoryRun, lines: SnapshotLines, part: string, cv: number): boolean {
  const { space } = run;
  if (part.startsWith("stories/") || part.startsWith("links/")) return false;
  const edited = space.moments.some((moment) => moment.cv === cv && moment.what.endsWith("without a new cv"));
  return (
    edited &&
    space.statesAt(cv, 0).some((state) => {
      const expected = expectedLines(run, state, []).get(part);
      return expected !== undefined && differences(lines, new Map([[part, expected]])).length === 0;
    })
  );
}

/** True if only tags differ, one of which was renamed without a new cv. */
function isRetagged({ space }: HistoryRun, { part, expected, found }: Difference, cv: number): boolean {
  if (!space.moments.some((moment) => moment.cv === cv && moment.what === "rename a tag without a new cv"))
    return false;
  if (part.startsWith("tags/")) return true;
  return (
    part.startsWith("stories/") &&
    expected !== undefined &&
    found !== undefined &&
    untagged(expected) === untagged(found)
  );
}

/** True if only terms differ, which were edited without a new cv while this one was read. */
function isRetermed({ space }: HistoryRun, difference: Difference, cv: number): boolean {
  const edited = space.moments.some((moment) => moment.cv === cv && moment.what === "edit a term without a new cv");
  return edited && difference.part.startsWith("stories/") && differOnlyInTerms(difference);
}

function untagged(line: string): string {
  return JSON.stringify({ ...JSON.parse(line), tag_list: [] });
}

/**
 * `interval`: every record is as the space served it during the interval, and everything that was
 * there throughout is there.
 */
export function checkInterval(run: HistoryRun, now: ReadSnapshot, report: SyncReport): void {
  if (!isHeld(run, report)) return;
  const faults = intervalFaults(run, now, !isIncomplete(now, report));
  if (faults.length === 0) return;
  throw new PropertyViolation(
    run,
    "an interval holds what was served in it",
    `generation ${now.manifest.generation}\n  ${faults.slice(0, 5).join("\n  ")}`,
  );
}

/** While people publish all the time, every sync commits a recent state. */
export function checkFresh(run: HistoryRun, report: SyncReport | undefined, startedMs: number): void {
  const { plan, space, snapshot } = run;
  if (plan.editorsEveryMs === undefined || run.isQuiet) return;
  if (report === undefined || report.outcome === "kept")
    throw new PropertyViolation(run, "a busy space is never stale", report?.outcome ?? "the sync failed");
  // The existing snapshot was found unchanged.
  if (report.outcome === "unchanged") return;
  const cv = space.moments.findLast(({ fromMs }) => fromMs <= startedMs)?.cv ?? 0;
  for (const edition of snapshot?.manifest.editions ?? []) {
    const from = intervalOf(edition)?.from ?? edition.cv ?? cv;
    if (from < cv)
      throw new PropertyViolation(
        run,
        "a busy space is never stale",
        `read from cv ${from} at cv ${cv}, ${edition.level}`,
      );
  }
}

/**
 * After quiet and one more run, every record is the current one, even if parts of the interface
 * lagged.
 */
export function checkHealed(run: HistoryRun, { manifest, lines }: ReadSnapshot): void {
  const { space } = run;
  const names = manifest.editions.map(({ name }) => name);
  const wrong = differences(lines, expectedLines(run, space.state, names)).filter(
    (difference) =>
      !isBlindSpot(space, difference, space.state, null) &&
      !isDerived(manifest, difference.part) &&
      !isUncovered(run, lines, difference.part, space.cv),
  );
  if (wrong.length === 0) return;
  throw new PropertyViolation(
    run,
    "after quiet and one more run nothing is wrong",
    `generation ${manifest.generation}\n  ${wrong.slice(0, 5).map(describeDifference).join("\n  ")}`,
  );
}

/** Step by step or at once: the same shards. If the index is blind, after a full sync. */
export async function checkSameShards(
  run: HistoryRun,
  fresh: () => Promise<ReadSnapshot>,
  confirmAll: () => Promise<void>,
): Promise<void> {
  const { space } = run;
  const other = await fresh();
  const names = other.manifest.editions.map(({ name }) => name);
  const wrong = differences(other.lines, expectedLines(run, space.state, names));
  if (wrong.length > 0) {
    throw new PropertyViolation(
      run,
      "a fresh sync reads what is there",
      wrong.slice(0, 5).map(describeDifference).join("\n  "),
    );
  }
  const compare = (): Difference[] => differences(run.snapshot?.lines ?? new Map(), other.lines);
  const open = compare();
  const unexplained = open.filter((difference) => !isBlindSpot(space, difference, space.state, null));
  if (open.length > 0 && unexplained.length === 0) {
    run.result.blind += open.length;
    await confirmAll();
    unexplained.push(...compare());
  }
  const parts = run.snapshot === undefined ? ["all"] : differentParts(run.snapshot.manifest, other.manifest);
  if (unexplained.length === 0 && parts.length === 0) return;
  const shown = unexplained.slice(0, 5).map(describeDifference).join("\n  ");
  throw new PropertyViolation(run, "incremental is the same as fresh", `${parts.join(", ")}\n  ${shown}`);
}
