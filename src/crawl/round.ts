import type { Version } from "../config/config.js";
import { OffprintError } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { PartEntry } from "../snapshot/manifest.js";
import { takeLine } from "./ask-stories.js";
import { askVersion } from "./ask-version.js";
import type { IndexDiff } from "./diff.js";
import type { Index } from "./index-row.js";
import { KnownRow } from "./known-row.js";
import type { Pin } from "./pin.js";
import { type PinnedUpstream, pinUpstream } from "./pinned-upstream.js";
import { type Batch, backlogBatches, decidingBatches } from "./plan.js";
import { planRound, requestsAhead } from "./plan-round.js";
import { missingPart, type PartReading, readParts, readSpace, type SpaceReading } from "./read-parts.js";
import { readUnindexed, readVariants } from "./read-unindexed.js";
import { type CrawlRun, unlinedOf, type VersionRun } from "./run.js";
import { sameRows, sweepLinks } from "./sweep-links.js";
import { diffVersion, readIndexes } from "./version-index.js";

/**
 * One round: index, changes, ask, and everything beside the stories. Spoils the pin where an answer does not fit; what
 * does fit is staged either way.
 */
export async function readRound(run: CrawlRun, pin: Pin, round: number): Promise<void> {
  const { context } = run;
  const pinned = pinUpstream(context.upstream, pin);
  context.onProgress({ kind: "stage", stage: "index" });
  // Neither is left behind when the other fails: what it would still stage belongs to no later round.
  const [sweeps, parts] = await Promise.allSettled([readIndexes(run, pinned, round), readOtherParts(run, pin)]);
  if (sweeps.status === "rejected") throw sweeps.reason;
  if (parts.status === "rejected") throw parts.reason;
  await askAgainWithTags(run);
  const diffs = new Map<VersionRun, IndexDiff>();
  for (const version of run.versions) {
    const index = run.index.get(version.version);
    if (version.due && !run.derived && index !== undefined) diffs.set(version, await diffVersion(run, version, index));
  }
  const batches = planBatches(run, diffs);
  run.plan ??= planRound(run, { pin, sweeps: sweeps.value, diffs, batches });
  context.onProgress({ kind: "plan", requests: run.plan.requests, stories: countStories(batches) });
  if (context.dryRun) return;
  checkRequestLimit(run, requestsAhead(run, { pin, sweeps: sweeps.value, batches }));

  context.onProgress({ kind: "stage", stage: "stories" });
  for (const [version, diff] of diffs) await askVersion(run, pinned, round, version, diff, batches.get(version) ?? []);
  await readUnindexed(run, pinned);
  await readVariants(run, pinned);
  await sweepDraftsAgain(run, pinned, round, batches);
}

/** The requests for stories that the index asks for. */
function planBatches(run: CrawlRun, diffs: ReadonlyMap<VersionRun, IndexDiff>): Map<VersionRun, Batch[]> {
  const size = run.batchSize.stories;
  const batches = new Map<VersionRun, Batch[]>();
  for (const [version, diff] of diffs) {
    const index = run.index.get(version.version) as Index;
    const cursor = run.auditCursor[version.version] ?? "";
    const audit = { cursor, uuids: version.first ? [] : uuidsOf(index) };
    const deciding = decidingBatches(version.version, version.editions, diff, size, audit);
    const asked = new Set(deciding.flatMap(({ uuids }) => uuids));
    const backlogs = version.editions.flatMap((edition) => {
      const backlog = run.backlog.get(edition.name);
      if (backlog === undefined) return [];
      const open = [...uuidsOf(index)].filter(
        (uuid) => uuid > backlog.readUntil && !backlog.done.has(uuid) && !asked.has(uuid),
      );
      return backlogBatches(version.version, edition, open, size);
    });
    batches.set(version, [...deciding, ...backlogs]);
  }
  return batches;
}

/** Uuids of the stories that an index shows, in its order. */
function* uuidsOf(index: Index): Generator<string> {
  for (const { uuid, isFolder } of index.values()) if (!isFolder) yield uuid;
}

/** Drafts are not pinned: the sweep after the fetch has to equal the one before it. */
async function sweepDraftsAgain(
  run: CrawlRun,
  pinned: PinnedUpstream,
  round: number,
  batches: ReadonlyMap<VersionRun, Batch[]>,
): Promise<void> {
  const { context } = run;
  for (const [version, asked] of batches) {
    if (version.version !== "draft" || asked.length === 0) continue;
    const known = run.known.get("draft")?.rows;
    const again = await sweepLinks(pinned, "draft", context.config.source.include, round, known);
    if (!sameRows(again.rows, run.index.get("draft") as Index))
      pinned.pin.spoil("the draft index changed while it was read");
  }
}

/** Datasources, entries, tags, experiments and the space: once for each cv that is read at. */
async function readOtherParts(run: CrawlRun, pin: Pin): Promise<void> {
  const { context } = run;
  if (context.due.published.length === 0) return;
  if (run.partReadings !== undefined && run.partReadings.cv === pin.cv) return;
  const cv = pin.cv;
  // spaces/me is kept by the edges for a moment: what was read before the cv was old enough may be of the cv before.
  const told = context.space?.record.me?.version ?? cv;
  const isCurrent = run.partReadings === undefined && told === cv;
  const space = isCurrent ? context.space : await readSpace(pinUpstream(context.upstream, pin), context.config);
  // Only at the cv that the sync began with: at a newer one the same address would be the copy of before.
  const isRecheck = context.due.recheck && cv !== null && cv === context.probe.cv;
  const recheckCv = isRecheck ? Math.floor((context.probe.dateMs ?? Date.now()) / 1000) : undefined;
  const readings = await readParts(pinUpstream(context.upstream, pin, recheckCv), context.config);
  run.partReadings = { cv, readings, space };
  run.problems = [];
  const before = { ...run.workspace.parts };
  for (const reading of readings.readings) await stagePart(run, reading);
  for (const version of readings.tags.keys()) noteTags(run, version, before);
  if (space !== undefined) await stageSpace(run, space);
}

/**
 * Keeps the tags that the staged stories were read with, until the stories have been compared with the new ones: those
 * of before, or in a first sync the first that were read.
 */
function noteTags(run: CrawlRun, version: Version, before: Readonly<Record<string, PartEntry>>): void {
  const part = partNames.tags(version);
  const baseline = before[part] ?? run.workspace.parts[part];
  if (baseline === undefined || run.tagBaseline.has(version)) return;
  run.tagBaseline.set(version, baseline);
  if (before[part] === undefined) run.untagged.add(version);
}

/** Stories that were read without the tags are asked for again beside them: no line shows which tags were renamed since. */
async function askAgainWithTags(run: CrawlRun): Promise<void> {
  for (const version of run.untagged) {
    await run.workspace.fold();
    let stories = 0;
    for await (const { key, line } of run.workspace.all(partNames.links(version))) {
      if (new KnownRow(key, line).isFolder) continue;
      takeLine({ workspace: run.workspace, unlined: unlinedOf(run, version) }, version, key);
      stories++;
    }
    if (stories === 0) continue;
    const message = `the tags are read for the first time: all ${version} stories are asked for again beside them`;
    run.context.onProgress({ kind: "note", message });
  }
  run.untagged.clear();
}

/** Where a piece of the space could not be read, the record of before is kept; the first time what there is is taken. */
async function stageSpace(run: CrawlRun, { reading, refused }: SpaceReading): Promise<void> {
  if (refused === undefined) return stagePart(run, reading);
  if (run.workspace.parts[partNames.space] !== undefined || reading.lines === undefined) return stagePart(run, refused);
  run.problems.push(missingPart(refused, undefined));
  await run.workspace.replace(partNames.space, reading.lines);
}

async function stagePart(run: CrawlRun, reading: PartReading): Promise<void> {
  if (reading.lines === undefined) {
    run.problems.push(missingPart(reading, run.workspace.parts[reading.part]));
    return;
  }
  await run.workspace.replace(reading.part, reading.lines);
}

/** Stops before the stories are asked for, not in their midst. */
function checkRequestLimit(run: CrawlRun, ahead: number): void {
  const { config, upstream } = run.context;
  const limit = config.queue.maxRequests;
  const needed = upstream.counts.total + ahead;
  if (limit === undefined || needed <= limit) return;
  throw new OffprintError("REQUEST_LIMIT", `This sync needs ${needed} requests; queue.maxRequests allows ${limit}.`, {
    hint: "Raise queue.maxRequests, or narrow source.include. `offprint sync --dry-run` prints what costs how much.",
  });
}

function countStories(batches: ReadonlyMap<VersionRun, Batch[]>): number {
  return [...batches.values()].flat().reduce((sum, { uuids }) => sum + uuids.length, 0);
}
