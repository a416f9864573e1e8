import { UuidSet } from "../../lib/collections/uuid-set.js";
import { parts as partNames } from "../../snapshot/layout.js";
import type { CrawlRun, Round } from "./crawl-run.js";
import type { IndexDiff } from "./index/diff.js";
import { readsRelated } from "./run/story-filter.js";
import { type EditionsAsk, uuidOfNoStory } from "./stories/ask-editions.js";
import { type Batch, sizeOf, unshownBatches } from "./stories/batches.js";
import type { Asking, AskingMode } from "./stories/decision.js";
import { openRelationReader } from "./stories/related-stories.js";
import type { Accepted, StoryLedger } from "./stories/story-ledger.js";
import { storiesWithChangedTags } from "./stories-with-changed-tags.js";

/** What a round asks for of one version. */
export interface AskedVersion {
  ledger: StoryLedger;
  diff: IndexDiff;
  batches: readonly Batch[];
}

/**
 * Asks for the stories of a version: for those that the index shows changed, then for those whose own row cannot show
 * what changed (neighbours in a group, stories with a tag that was renamed), then for those that the stories read so far name
 * and `source.include` leaves out.
 */
export async function askVersion(run: CrawlRun, round: Round, { ledger, diff, batches }: AskedVersion): Promise<void> {
  ledger.stageFolders(diff.folders);
  const asksForAll = diff.storiesKept === 0;
  const isFirst = ledger.first && (asksForAll || goesOnAsItBegan(run, round, ledger));
  // Where everything is asked for, no neighbour is left to be found.
  const asked = asksForAll || isFirst ? new UuidSet() : uuidsOf(batches.filter(({ decides }) => decides));
  const ask = asker(run, round, ledger);
  const findings = await ask(batches, isFirst ? "first" : asksForAll ? "everything" : "changed", asked);
  noteAudit(run, round, ledger, batches, findings.auditHits);
  ledger.doubtReferrers(findings.inFlux);
  if (isFirst) ledger.tags.startFrom(run.workspace.parts[partNames.tags(ledger.version)]);
  if (!asksForAll && !isFirst) await askForUnshown(run, round, ledger, { ask, asked, neighbours: findings.neighbours });
  await askForRelated(run, round, ledger, ask);
}

/** Asks for stories that no row shows changed: neighbours in a group, and stories with a renamed tag. */
async function askForUnshown(
  run: CrawlRun,
  round: Round,
  ledger: StoryLedger,
  { ask, asked, neighbours }: { ask: Ask; asked: UuidSet; neighbours: readonly string[] },
): Promise<void> {
  const tagged = await storiesWithChangedTags(run, round.pinned, ledger);
  let more = notIn(asked, [...neighbours, ...tagged]);
  while (more.length > 0) {
    for (const uuid of more) ledger.requeue(uuid);
    const again = await askBesides(run, ledger, { ask, asked, more, mode: "unshown" });
    more = notIn(asked, again.neighbours);
  }
}

/**
 * Asks for stories that the ones which were read name, and `source.include` leaves out. Some were asked for before anybody named
 * them, and left out.
 */
async function askForRelated(run: CrawlRun, round: Round, ledger: StoryLedger, ask: Ask): Promise<void> {
  const asked = new UuidSet();
  // What is read for its relation alone makes nothing else wanted: the second look finds nothing more.
  for (let look = 0; look < 2; look++) {
    const more = notIn(asked, await relate(run, ledger));
    if (more.length === 0) return;
    for (const uuid of more) ledger.askAnew(uuid);
    await askBesides(run, ledger, { ask, asked, more, mode: "related" });
  }
  round.pin.taint("what the stories name changed while it was read");
}

/** Asks for stories without their rows: the next round asks for them again, whatever becomes of this one. */
async function askBesides(
  { batchSize }: CrawlRun,
  ledger: StoryLedger,
  { ask, asked, more, mode }: { ask: Ask; asked: UuidSet; more: readonly string[]; mode: AskingMode },
): Promise<Findings> {
  for (const uuid of more) asked.add(uuid);
  const found = await ask(unshownBatches(ledger.editions, more, batchSize.stories), mode, asked);
  ledger.doubtReferrers(found.inFlux);
  return found;
}

/** Whether an interrupted first reading goes on at its first cv, beside the same tags: all of it is then one reading. */
function goesOnAsItBegan(
  { began, workspace }: CrawlRun,
  { number, pin }: Round,
  { version, tags }: StoryLedger,
): boolean {
  if (version !== "published" || number > 0 || pin.cv === null || pin.cv !== began.cv) return false;
  const now = workspace.parts[partNames.tags(version)];
  return JSON.stringify(tags.baseline?.shards) === JSON.stringify(now?.shards);
}

type Ask = ReturnType<typeof asker>;
type Findings = Pick<Accepted, "inFlux" | "neighbours" | "auditHits">;

/** Asks for batches in every language and lets the ledger accept the answers; what does not fit taints the round. */
function asker(run: CrawlRun, round: Round, ledger: StoryLedger) {
  const { context, workspace } = run;
  const { config, rules, onProgress } = context;
  const asks: Omit<EditionsAsk, "index" | "noteOutdated"> = {
    rules,
    stagedIn: (edition, uuids) => ledger.stagedIn(edition, uuids),
    pinned: round.pinned,
    config,
    variation: run.tried.rounds - 1,
    absentUuid: run.began.variation === 0 ? undefined : uuidOfNoStory(run.began.variation),
    size: run.batchSize,
  };
  const answered = new UuidSet();
  let done = 0;
  let total = 0;
  return async (batches: readonly Batch[], mode: AskingMode, asked: UuidSet): Promise<Findings> => {
    const outdated = new Set<string>();
    const noteOutdated = (uuids: readonly string[]): void => {
      for (const uuid of uuids) outdated.add(uuid);
    };
    // Stories that are read by their relations join the index between two askings.
    const ask: EditionsAsk = { ...asks, index: ledger.index.rows, noteOutdated };
    const asking: Asking = { mode, asked, answered, outdated };
    const findings: Findings = { inFlux: [], neighbours: [], auditHits: [] };
    total += batches.reduce((sum, batch) => sum + sizeOf(batch), 0);
    await rules.askBatches(batches, round.pin.concurrency ?? config.queue.concurrency, async (batch: Batch) => {
      const answers = await rules.askEditions(ask, batch);
      const accepted = await ledger.accept(batch, answers, asking);
      for (const reason of accepted.misfits) round.pin.taint(reason);
      for (const key of ["inFlux", "neighbours", "auditHits"] as const)
        (findings[key] as unknown[]).push(...accepted[key]);
      done += sizeOf(batch);
      onProgress({ kind: "advance", stage: "stories", done, total });
      if (workspace.full) await workspace.foldButLast();
    });
    return findings;
  };
}

function uuidsOf(batches: readonly Batch[]): UuidSet {
  const found = new UuidSet();
  for (const { uuids } of batches) for (const uuid of uuids) found.add(uuid);
  return found;
}

function notIn(asked: UuidSet, uuids: Iterable<string>): string[] {
  return [...new Set(uuids)].filter((uuid) => !asked.has(uuid)).sort();
}

/**
 * Moves the audit on. A story that differs although its row does not shows that the index is blind to something: the next
 * round asks for everything.
 */
function noteAudit(
  { ledgers }: CrawlRun,
  { pin }: Round,
  ledger: StoryLedger,
  batches: readonly Batch[],
  auditHits: readonly string[],
): void {
  const auditing = batches.filter(({ audit }) => audit.size > 0);
  ledger.audit.advance(auditing.flatMap(({ audit, uuids }) => uuids.filter((uuid) => audit.has(uuid))));
  if (auditHits.length === 0) return;
  ledger.audit.noteBlindness();
  pin.taint(`story ${auditHits[0]} differs although its index row does not: everything is read anew`);
  for (const each of ledgers) if (each.due) each.readAnew();
}

/**
 * Where `source.include.related` is set, brings the index of a version in line with the relations of its staged stories: rows
 * of stories that an included one names are added, and staged stories that none names any more are removed. This goes one step
 * far: a story that is read only because another one names it adds no further ones.
 * All of it follows from what is staged, and from nothing in memory: after an interruption the next round comes to the same.
 * @returns uuids of named stories that are not staged: they have to be asked for, whether the index has a row of them or not
 */
export async function relate(run: CrawlRun, ledger: StoryLedger): Promise<string[]> {
  const { context, workspace } = run;
  const { config, store, rules } = context;
  if (!readsRelated(config.source.include)) return [];
  run.relations ??= openRelationReader(store, config);
  await workspace.fold();
  const { named, held, included } = await rules.relatedStories(workspace.parts, await run.relations, ledger.editions);
  ledger.index.relate(named);
  for (const uuid of held) if (!named.has(uuid)) ledger.leaveOut(uuid);
  await workspace.fold();
  const { rows, swept } = ledger.index;
  const { rows: staged } = await ledger.index.staged();
  return [...named].filter((uuid) => {
    const row = rows.get(uuid);
    if (row === undefined || row.isFolder || held.has(uuid) || included.has(uuid)) return false;
    // Its row is staged where its slug is wanted, whether or not it was left out for its content type.
    return swept.rows.has(uuid) || !staged.has(uuid);
  });
}
