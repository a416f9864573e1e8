import { UuidSet } from "../../lib/collections/uuid-set.js";
import { parts as partNames } from "../../snapshot/layout.js";
import type { PartEntry } from "../../snapshot/manifest.js";
import type { CrawlRun, Round } from "./crawl-run.js";
import type { IndexDiff } from "./index/diff.js";
import { readsRelated } from "./run/editions.js";
import { type EditionsAsk, uuidOfNoStory } from "./stories/ask-editions.js";
import { type Batch, sizeOf, unshownBatches } from "./stories/batches.js";
import type { Asking, AskingMode } from "./stories/decision.js";
import { openRelationReader } from "./stories/related-stories.js";
import type { Accepted, StoryLedger } from "./stories/story-ledger.js";
import { storiesWithChangedTags, storiesWithChangedTerms } from "./stories-with-unshown-changes.js";

export interface AskedVersion {
  ledger: StoryLedger;
  diff: IndexDiff;
  batches: readonly Batch[];
}

/** What the index shows changed, then what it cannot show, then excluded stories that these name. */
export async function askVersion(run: CrawlRun, round: Round, { ledger, diff, batches }: AskedVersion): Promise<void> {
  ledger.stageFolders(diff.folders);
  const asksForAll = diff.storiesKept === 0;
  const isFirst = ledger.first && (asksForAll || goesOnAsItBegan(run, round, ledger));
  // If everything is requested, there are no neighbours left to find.
  const asked = asksForAll || isFirst ? new UuidSet() : uuidsOf(batches.filter(({ decides }) => decides));
  const ask = asker(run, round, ledger);
  const findings = await ask(batches, isFirst ? "first" : asksForAll ? "everything" : "changed", asked);
  noteAudit(run, round, ledger, batches, findings.auditHits);
  ledger.doubtReferrers(findings.inFlux);
  if (isFirst) ledger.tags.startFrom(run.workspace.parts[partNames.tags(ledger.version)]);
  if (!asksForAll && !isFirst) await askForUnshown(run, round, ledger, { ask, asked, neighbours: findings.neighbours });
  await askForRelated(run, round, ledger, ask);
}

/** Requests stories that no row shows changed: group neighbours, stories with a renamed tag or a changed term. */
async function askForUnshown(
  run: CrawlRun,
  round: Round,
  ledger: StoryLedger,
  { ask, asked, neighbours }: { ask: Ask; asked: UuidSet; neighbours: readonly string[] },
): Promise<void> {
  const tagged = await storiesWithChangedTags(run, round.pinned, ledger);
  const termed = await storiesWithChangedTerms(run, round.pinned, ledger);
  let more = notIn(asked, [...neighbours, ...tagged, ...termed]);
  while (more.length > 0) {
    for (const uuid of more) ledger.requeue(uuid);
    const again = await askBesides(run, ledger, { ask, asked, more, mode: "unshown" });
    more = notIn(asked, again.neighbours);
  }
}

/** Requests stories that `source.include` leaves out and a story just read names. */
async function askForRelated(run: CrawlRun, round: Round, ledger: StoryLedger, ask: Ask): Promise<void> {
  const asked = new UuidSet();
  // A story that is read only as a relation makes no others wanted: a second pass finds nothing more.
  for (let look = 0; look < 2; look++) {
    const more = notIn(asked, await relate(run, ledger));
    if (more.length === 0) return;
    for (const uuid of more) ledger.askAnew(uuid);
    await askBesides(run, ledger, { ask, asked, more, mode: "related" });
  }
  round.pin.taint("the relations of the stories changed while they were read");
}

/** Requests stories without their rows: if this fails, the next round requests them again. */
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

/** True if an interrupted first reading continues as one: at its first cv, with the same tags and terms. */
function goesOnAsItBegan(
  { began, workspace, termsBaseline }: CrawlRun,
  { number, pin }: Round,
  { version, tags }: StoryLedger,
): boolean {
  if (version !== "published" || number > 0 || pin.cv === null || pin.cv !== began.cv) return false;
  const now = workspace.parts[partNames.tags(version)];
  const trees = workspace.parts[partNames.terms];
  const isSame = (a: PartEntry | undefined, b: PartEntry | undefined) =>
    JSON.stringify(a?.shards) === JSON.stringify(b?.shards);
  return isSame(tags.baseline, now) && isSame(termsBaseline, trees);
}

type Ask = ReturnType<typeof asker>;
type Findings = Pick<Accepted, "inFlux" | "neighbours" | "auditHits">;

/** Requests batches in every language for the ledger; misfits taint the round. */
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
    // Stories that are read as relations join the index between two batches.
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
      if (workspace.full) await workspace.fold();
    });
    return findings;
  };
}

export function uuidsOf(batches: readonly Batch[]): UuidSet {
  const found = new UuidSet();
  for (const { uuids } of batches) for (const uuid of uuids) found.add(uuid);
  return found;
}

function notIn(asked: UuidSet, uuids: Iterable<string>): string[] {
  return [...new Set(uuids)].filter((uuid) => !asked.has(uuid)).sort();
}

/** Advances the audit. A difference that no row shows makes the next round request everything. */
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
  ledger.audit.isBlind = true;
  pin.taint(`story ${auditHits[0]} differs although its index row does not: reading everything again`);
  for (const each of ledgers) if (each.due) each.readAnew();
}

/**
 * For `source.include.related`: rows of named stories join, and staged ones that none names go. One step, from staged
 * data alone: the next round computes the same. @returns named stories that are not staged
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
    // Keep its row if its slug is wanted, whether or not it was left out for its content type.
    return swept.rows.has(uuid) || !staged.has(uuid);
  });
}
