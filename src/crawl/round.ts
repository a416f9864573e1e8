import { OffprintError } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import { askStories, type StoryAnswers } from "./ask-stories.js";
import type { IndexDiff } from "./diff.js";
import type { Index } from "./index-row.js";
import type { Pin } from "./pin.js";
import { type Batch, backlogBatches, chunk, decidingBatches, storiesPerPage } from "./plan.js";
import { planRound } from "./plan-round.js";
import { missingPart, type PartReading, readParts, readSpace } from "./read-parts.js";
import { readUnindexed, readVariants } from "./read-unindexed.js";
import { type CrawlRun, storyUuids, type VersionRun } from "./run.js";
import { oldStories, secondLook } from "./second-look.js";
import { sameRows, sweepLinks } from "./sweep-links.js";
import { diffVersion, readIndexes } from "./version-index.js";

/**
 * One round: index, changes, ask, and everything beside the stories. Spoils the pin where an answer does not fit; what
 * does fit is staged either way.
 */
export async function readRound(run: CrawlRun, pin: Pin, round: number): Promise<void> {
  const { context } = run;
  context.onProgress({ kind: "stage", stage: "index" });
  const [sweeps] = await Promise.all([readIndexes(run, pin), readOtherParts(run, pin)]);
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
  await sweepDraftsAgain(run, pin, batches);
}

/** The requests for stories that the index asks for. */
function planBatches(run: CrawlRun, diffs: ReadonlyMap<VersionRun, IndexDiff>): Map<VersionRun, Batch[]> {
  const size = storiesPerPage(run.context.config);
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
  for (const [uuid, line] of diff.folders) workspace.set(partNames.links(version.version), uuid, line);
  const asked = new Set(batches.filter(({ decides }) => decides).flatMap(({ uuids }) => uuids));
  const before = version.first ? new Map() : await oldStories(run, version, asked);
  let done = 0;
  const total = countStories(new Map([[version, [...batches]]]));
  const ask = {
    upstream: context.upstream,
    pin,
    config: context.config,
    workspace,
    index,
    round,
    onAnswer: (batch: Batch, settled: readonly string[]) => {
      done += batch.uuids.length;
      settleBacklog(run, batch, settled);
      context.onProgress({ kind: "advance", stage: "stories", done, total });
    },
  };
  const answers = await askStories(ask, batches);
  noteAudit(run, version, batches, answers);
  if (version.first || run.full) return;

  const more = await secondLook(run, pin, version, index, { asked, before, after: answers.records });
  if (more.length === 0) return;
  const size = storiesPerPage(context.config);
  const again = await askStories(
    ask,
    chunk(more, size).map((uuids) => ({
      version: version.version,
      editions: version.editions,
      uuids,
      audit: new Set<string>(),
      decides: true,
    })),
  );
  // A neighbour whose answer does not fit has an unchanged line: without it, the next round asks again.
  for (const uuid of again.unsettled) workspace.set(partNames.links(version.version), uuid, null);
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
function noteAudit(run: CrawlRun, version: VersionRun, batches: readonly Batch[], answers: StoryAnswers): void {
  const audited = batches.flatMap(({ audit, uuids }) => uuids.filter((uuid) => audit.has(uuid)));
  const cursor = run.auditCursor[version.version] ?? "";
  const ahead = audited.filter((uuid) => uuid > cursor).sort();
  const last = ahead.at(-1) ?? audited.sort().at(-1);
  if (last !== undefined) run.auditCursor[version.version] = last;
  for (const uuid of answers.unsettled) {
    if (audited.includes(uuid)) run.workspace.set(partNames.links(version.version), uuid, null);
  }
  if (answers.auditHits.length === 0) return;
  for (const edition of version.editions) {
    const blind = run.blind.get(edition.name) ?? new Set();
    run.blind.set(edition.name, blind.add("content"));
  }
  run.full = true;
  run.auditFull.push(version.version);
}

/** Drafts are not pinned: the sweep after the fetch has to equal the one before it. */
async function sweepDraftsAgain(run: CrawlRun, pin: Pin, batches: ReadonlyMap<VersionRun, Batch[]>): Promise<void> {
  const { context } = run;
  for (const [version, asked] of batches) {
    if (version.version !== "draft" || asked.length === 0) continue;
    const again = await sweepLinks(context.upstream, pin, "draft", context.config.source.include);
    if (!sameRows(again.rows, run.index.get("draft") as Index)) pin.spoil("the draft index changed while it was read");
  }
}

/** Datasources, entries, tags, experiments and the space: once for each cv that is read at. */
async function readOtherParts(run: CrawlRun, pin: Pin): Promise<void> {
  const { context } = run;
  if (context.due.published.length === 0) return;
  if (run.partReadings !== undefined && run.partReadings.cv === pin.cv) return;
  const cv = pin.cv;
  const space = run.partReadings === undefined ? context.space : await readSpace(context.upstream, pin, context.config);
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
  for (const reading of readings.readings) await stagePart(run, reading);
  if (space !== undefined) await stagePart(run, space.reading);
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
