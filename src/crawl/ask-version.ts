import { parts as partNames } from "../snapshot/layout.js";
import { askStories, type StoryAnswers, type StoryAsk, takeLine } from "./ask-stories.js";
import type { IndexDiff } from "./diff.js";
import type { Index, IndexRow } from "./index-row.js";
import type { Pin } from "./pin.js";
import type { PinnedUpstream } from "./pinned-upstream.js";
import { type Batch, chunk } from "./plan.js";
import { type CrawlRun, doubtfulOf, storyRows, unlinedOf, type VersionRun } from "./run.js";
import { storiesWithChangedTags } from "./stories-with-changed-tags.js";

/**
 * Asks for the stories of a version: for those that the index shows changed, then for those whose own line cannot show
 * what changed (neighbours in a group, stories with a tag that was renamed).
 */
export async function askVersion(
  run: CrawlRun,
  pinned: PinnedUpstream,
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
  const total = batches.reduce((sum, { uuids }) => sum + uuids.length, 0);
  const ask: StoryAsk = {
    pinned,
    config: context.config,
    workspace,
    index,
    round,
    ...(run.variation === 0 ? {} : { absentUuid: absentUuid(run.variation) }),
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
  noteAudit(run, pinned.pin, version, batches, answers);
  doubtWhoNames(ask, version, answers.shaky);
  if (version.first && asksForAll) beginTagDelta(run, version);
  else noteTagDelta(run, version, answers);
  if (!asksForAll) {
    const tagged = await storiesWithChangedTags(run, pinned, version, index, tagDeltaOf(run, version));
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

/** A uuid that no story has; another one for every number. */
function absentUuid(number: number): string {
  return `00000000-0000-0000-0000-${number.toString(16).padStart(12, "0")}`;
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
  run.audited ||= last !== undefined;
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
  for (const { version: due } of run.versions.filter((one) => one.due)) {
    for (const { uuid } of storyRows(run.index.get(due) ?? new Map())) unlinedOf(run, due).add(uuid);
    run.workspace.adopt(partNames.links(due), undefined);
  }
}

/** Made when the first neighbour is looked for: most syncs look for none. */
function rowsById(index: Index): StoryAsk["rowOfId"] {
  let rows: Map<number, IndexRow> | undefined;
  return (id) => {
    rows ??= new Map(storyRows(index).map((row) => [row.id, row]));
    return rows.get(id);
  };
}
