import type { Version } from "../config/config.js";
import { OffprintError } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { PartEntry } from "../snapshot/manifest.js";
import { askStories, type StoryAnswers, type StoryAsk, takeLine } from "./ask-stories.js";
import type { IndexDiff } from "./diff.js";
import type { Index, IndexRow } from "./index-row.js";
import type { Pin } from "./pin.js";
import { type Batch, backlogBatches, chunk, decidingBatches } from "./plan.js";
import { planRound } from "./plan-round.js";
import { missingPart, type PartReading, readParts, readSpace } from "./read-parts.js";
import { readUnindexed, readVariants } from "./read-unindexed.js";
import { type CrawlRun, doubtfulOf, storyRows, storyUuids, unlinedOf, type VersionRun } from "./run.js";
import { storiesWithChangedTags } from "./stories-with-changed-tags.js";
import { sameRows, sweepLinks } from "./sweep-links.js";
import { diffVersion, readIndexes } from "./version-index.js";

/**
 * One round: index, changes, ask, and everything beside the stories. Spoils the pin where an answer does not fit; what
 * does fit is staged either way.
 */
export async function readRound(run: CrawlRun, pin: Pin, round: number): Promise<void> {
  const { context } = run;
  context.onProgress({ kind: "stage", stage: "index" });
  const [sweeps] = await Promise.all([readIndexes(run, pin, round), readOtherParts(run, pin)]);
  const diffs = new Map<VersionRun, IndexDiff>();
  for (const version of run.versions) {
    const index = run.index.get(version.version);
    if (version.due && !run.derived && index !== undefined) diffs.set(version, await diffVersion(run, version, index));
  }
  const batches = planBatches(run, diffs);
  run.plan ??= planRound(run, { pin, sweeps, diffs, batches });
  context.onProgress({ kind: "plan", requests: run.plan.requests, stories: countStories(batches) });
  if (context.dryRun) return;
  checkRequestLimit(run, batches);

  context.onProgress({ kind: "stage", stage: "stories" });
  for (const [version, diff] of diffs) await askVersion(run, pin, round, version, diff, batches.get(version) ?? []);
  await readUnindexed(run, pin);
  await readVariants(run, pin);
  await sweepDraftsAgain(run, pin, round, batches);
}

/** The requests for stories that the index asks for. */
function planBatches(run: CrawlRun, diffs: ReadonlyMap<VersionRun, IndexDiff>): Map<VersionRun, Batch[]> {
  const size = run.batchSize.stories;
  const batches = new Map<VersionRun, Batch[]>();
  for (const [version, diff] of diffs) {
    const index = run.index.get(version.version) as Index;
    const cursor = run.auditCursor[version.version] ?? "";
    const audit = { cursor, uuids: version.first ? [] : storyUuids(index) };
    const deciding = decidingBatches(version.version, version.editions, diff, size, audit);
    const asked = new Set(deciding.flatMap(({ uuids }) => uuids));
    const backlogs = version.editions.flatMap((edition) => {
      const backlog = run.backlog.get(edition.name);
      if (backlog === undefined) return [];
      const open = audit.uuids.filter(
        (uuid) => uuid > backlog.readUntil && !backlog.done.has(uuid) && !asked.has(uuid),
      );
      return backlogBatches(version.version, edition, open, size);
    });
    batches.set(version, [...deciding, ...backlogs]);
  }
  return batches;
}

/** Made when the first neighbour is looked for: most syncs look for none. */
function rowsById(index: Index): StoryAsk["rowOfId"] {
  let rows: Map<number, IndexRow> | undefined;
  return (id) => {
    rows ??= new Map(storyRows(index).map((row) => [row.id, row]));
    return rows.get(id);
  };
}

async function askVersion(
  run: CrawlRun,
  pin: Pin,
  round: number,
  version: VersionRun,
  diff: IndexDiff,
  batches: readonly Batch[],
): Promise<void> {
  const { workspace, context } = run;
  const index = run.index.get(version.version) as Index;
  const linksPart = partNames.links(version.version);
  for (const [uuid, line] of diff.folders) workspace.set(linksPart, uuid, line);
  const asked = new Set(batches.filter(({ decides }) => decides).flatMap(({ uuids }) => uuids));
  const asksForAll = diff.added.length + diff.changed.length === diff.storiesNow;
  let done = 0;
  const total = countStories(new Map([[version, [...batches]]]));
  const ask: StoryAsk = {
    upstream: context.upstream,
    pin,
    config: context.config,
    workspace,
    index,
    round,
    asked,
    unlined: unlinedOf(run, version.version),
    doubtful: doubtfulOf(run, version.version),
    doubted: run.doubted,
    namedBy: run.namedBy,
    rowOfId: rowsById(index),
    comparesBefore: !version.first || !asksForAll,
    findsNeighbours: !asksForAll,
    isSecondLook: false,
    size: run.batchSize,
    onAnswer: (batch, settled) => {
      done += batch.uuids.length;
      settleBacklog(run, batch, settled);
      context.onProgress({ kind: "advance", stage: "stories", done, total });
    },
  };
  const answers = await askStories(ask, batches);
  noteAudit(run, pin, version, batches, answers);
  doubtWhoNames(ask, version, answers.shaky);
  if (version.first && asksForAll) beginTagDelta(run, version);
  else noteTagDelta(run, version, answers);
  if (!asksForAll) {
    const tagged = await storiesWithChangedTags(run, pin, version, index, tagDeltaOf(run, version));
    const found = [...answers.neighbours, ...tagged];
    const known = new Set(asked);
    for (let more = notIn(known, found); more.length > 0; ) {
      // Without their lines the next round asks for them, whatever becomes of this one.
      for (const uuid of more) takeLine(ask, version.version, uuid);
      for (const uuid of more) known.add(uuid);
      const again = await askStories({ ...ask, asked: known, isSecondLook: true }, moreBatches(run, version, more));
      noteTagDelta(run, version, again);
      doubtWhoNames(ask, version, again.shaky);
      more = notIn(known, again.neighbours);
    }
  }
}

function notIn(known: ReadonlySet<string>, uuids: Iterable<string>): string[] {
  return [...new Set(uuids)].filter((uuid) => !known.has(uuid)).sort();
}

/** Whoever names a story that may be just coming or going was perhaps read before it did. */
function doubtWhoNames(ask: StoryAsk, { version }: VersionRun, shaky: ReadonlySet<number>): void {
  for (const id of shaky) {
    for (const uuid of ask.namedBy.get(id) ?? []) {
      const row = ask.index.get(uuid);
      if (row === undefined || ask.unlined.has(uuid)) continue;
      takeLine(ask, version, uuid);
      ask.doubtful.set(uuid, row.text);
    }
  }
}

/** How many more of the staged stories carry a tag than of those that the tag baseline belongs to. */
function tagDeltaOf(run: CrawlRun, { version }: VersionRun): Map<string, number> {
  const delta = run.tagDelta.get(version) ?? new Map<string, number>();
  run.tagDelta.set(version, delta);
  return delta;
}

/** All stories were read beside the tags that are staged now. */
function beginTagDelta(run: CrawlRun, { version }: VersionRun): void {
  const tags = run.workspace.parts[partNames.tags(version)];
  if (tags !== undefined) run.tagBaseline.set(version, tags);
  run.tagDelta.delete(version);
}

function noteTagDelta(run: CrawlRun, version: VersionRun, { tagDelta }: StoryAnswers): void {
  const sum = tagDeltaOf(run, version);
  for (const [name, count] of tagDelta) sum.set(name, (sum.get(name) ?? 0) + count);
}

/** Batches for stories whose own line cannot show what changed. */
function moreBatches(run: CrawlRun, { version, editions }: VersionRun, uuids: readonly string[]): Batch[] {
  return chunk(uuids, run.batchSize.stories).map((batch) => ({
    version,
    editions,
    uuids: batch,
    audit: new Set<string>(),
    decides: true,
  }));
}

function settleBacklog(run: CrawlRun, { editions }: Batch, settled: readonly string[]): void {
  for (const edition of editions) {
    const backlog = run.backlog.get(edition.name);
    for (const uuid of settled) backlog?.done.add(uuid);
  }
}

/**
 * Moves the audit's cursor on. A story that differs although its line does not shows that the index is blind to
 * something: the next round asks for everything.
 */
function noteAudit(
  run: CrawlRun,
  pin: Pin,
  version: VersionRun,
  batches: readonly Batch[],
  answers: StoryAnswers,
): void {
  const audited = batches.flatMap(({ audit, uuids }) => uuids.filter((uuid) => audit.has(uuid)));
  const cursor = run.auditCursor[version.version] ?? "";
  const ahead = audited.filter((uuid) => uuid > cursor).sort();
  const last = ahead.at(-1) ?? audited.sort().at(-1);
  if (last !== undefined) run.auditCursor[version.version] = last;
  for (const uuid of answers.unsettled) {
    if (audited.includes(uuid)) {
      takeLine({ workspace: run.workspace, unlined: unlinedOf(run, version.version) }, version.version, uuid);
    }
  }
  if (answers.auditHits.length === 0) return;
  for (const edition of version.editions) {
    const blind = run.blind.get(edition.name) ?? new Set();
    run.blind.set(edition.name, blind.add("content"));
  }
  pin.spoil(`story ${answers.auditHits[0]} differs although its index line does not: everything is read anew`);
  run.full = true;
  for (const { uuid } of storyRows(run.index.get(version.version) ?? new Map()))
    unlinedOf(run, version.version).add(uuid);
  run.workspace.adopt(partNames.links(version.version), undefined);
}

/** Drafts are not pinned: the sweep after the fetch has to equal the one before it. */
async function sweepDraftsAgain(
  run: CrawlRun,
  pin: Pin,
  round: number,
  batches: ReadonlyMap<VersionRun, Batch[]>,
): Promise<void> {
  const { context } = run;
  for (const [version, asked] of batches) {
    if (version.version !== "draft" || asked.length === 0) continue;
    const again = await sweepLinks(context.upstream, pin, "draft", context.config.source.include, round);
    if (!sameRows(again.rows, run.index.get("draft") as Index)) pin.spoil("the draft index changed while it was read");
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
  const space = isCurrent ? context.space : await readSpace(context.upstream, pin, context.config);
  const readings = await readParts({
    upstream: context.upstream,
    pin,
    config: context.config,
    ...(context.due.recheck && context.probe.dateMs !== null
      ? { recheckCv: Math.floor(context.probe.dateMs / 1000) }
      : {}),
  });
  run.partReadings = { cv, readings, space };
  run.problems = [];
  const before = { ...run.workspace.parts };
  for (const reading of readings.readings) await stagePart(run, reading);
  for (const version of readings.tags.keys()) noteTags(run, version, before);
  if (space !== undefined) await stagePart(run, space.reading);
}

/**
 * Keeps the tags that the staged stories were read with, until the stories have been compared with the new ones: those
 * of before, or in a first sync the first that were read.
 */
function noteTags(run: CrawlRun, version: Version, before: Readonly<Record<string, PartEntry>>): void {
  const part = partNames.tags(version);
  const baseline = before[part] ?? run.workspace.parts[part];
  if (baseline !== undefined && !run.tagBaseline.has(version)) run.tagBaseline.set(version, baseline);
}

async function stagePart(run: CrawlRun, reading: PartReading): Promise<void> {
  if (reading.lines === undefined) {
    run.problems.push(missingPart(reading, run.workspace.parts[reading.part]));
    return;
  }
  await run.workspace.replace(reading.part, reading.lines);
}

function checkRequestLimit(run: CrawlRun, batches: ReadonlyMap<VersionRun, Batch[]>): void {
  const { config, upstream } = run.context;
  const limit = config.queue.maxRequests;
  if (limit === undefined) return;
  const stories = [...batches.values()].flat().reduce((sum, { editions }) => sum + editions.length, 0);
  const needed = upstream.counts.total + stories + 1;
  if (needed <= limit) return;
  throw new OffprintError("REQUEST_LIMIT", `This sync needs ${needed} requests; queue.maxRequests allows ${limit}.`, {
    hint: "Raise queue.maxRequests, or narrow source.include. `offprint sync --dry-run` prints what costs how much.",
  });
}

function countStories(batches: ReadonlyMap<VersionRun, Batch[]>): number {
  return [...batches.values()].flat().reduce((sum, { uuids }) => sum + uuids.length, 0);
}
