import type { Config } from "../config/config.js";
import type { ExportReport } from "../content/tree/export-content.js";
import { sameKey, type UnknownKey, unknownKeyText } from "../contract/unknown-key.js";
import type { Problem } from "../lib/errors.js";
import { damagedGenerations, parts as partNames } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { type SecondLook, type State, saveState } from "../snapshot/state.js";
import { findDamage } from "../snapshot/verify/verify.js";
import { confirmManifest } from "../snapshot/write/commit.js";
import { pruneByRule } from "../snapshot/write/prune.js";
import type { Base } from "./base.js";
import type { CrawlResult } from "./crawl/crawl.js";
import { partSettings } from "./crawl/due.js";
import { boundedLooks, secondLookAfterMs } from "./crawl/stories/second-look.js";
import { assetState, type Due } from "./decide.js";
import { foldersOf } from "./look-at-files.js";
import type { Prepared } from "./prepare-commit.js";
import { type Facts, runRecord, type SyncReport, syncReport } from "./report.js";
import type { HeldLock, SyncContext } from "./sync-context.js";

interface Commit extends Omit<Prepared, "drift"> {
  manifest: Manifest;
  isNew: boolean;
  reading: CrawlResult;
  content: ExportReport | undefined;
}

/** Prunes, notes the cv at which the generation is confirmed, and returns the report. */
export async function confirmGeneration(
  context: SyncContext,
  due: Due,
  { lock, commit }: { lock: HeldLock; commit: Commit },
): Promise<SyncReport> {
  const { isNew, reading, changes, added, entries, assets, content } = commit;
  const { base } = due;
  const looks = openLooks(due, reading);
  const manifest = await confirmed(context, commit, looks);
  const spaceProblems = [...spaceProblemsOf(base, reading), ...assets.problems];
  const unknown = newUnknownKeys(context, base.state);
  const contentProblems = content?.problems ?? base.state.contentProblems;
  // A killed process has noted nothing after its commit, and may not have removed anything.
  const suspects = damagedGenerations(base.damaged, manifest.generation);
  const removes = isNew || base.state.generation !== manifest.generation || suspects.length > 0;
  const pruneProblems = removes ? await pruneGenerations(context, lock, suspects) : [];
  const facts: Facts = {
    base,
    // A sync that met damage after its commit has started again from its own generation.
    outcome: isNew || manifest.generation !== base.headAtLock ? "committed" : "unchanged",
    manifest,
    cv: reading.cv,
    changes,
    added,
    entries,
    assets: assets.report,
    content,
    problems: [...base.repairs, ...spaceProblems, ...contentProblems, ...pruneProblems, ...unknown.problems],
    reading,
    looks,
  };
  const auditCursor: State["auditCursor"] = assets.auditedTo === "" ? {} : { [partNames.assets]: assets.auditedTo };
  const known = {
    ...{ assets: assetState(context.config, assets.open), auditCursor, contentProblems, looks },
    unknownKeys: unknown.remembered,
  };
  await confirm(context, due, facts, { ...known, spaceProblems: spaceProblems.filter(isOfGeneration) });
  return syncReport(context, facts);
}

/** The looks that remain open: of this sync's reading, and of earlier ones that were not due. */
function openLooks({ looks }: Due, { outcome, look }: CrawlResult): SecondLook[] {
  const isRead = outcome === "clean" || outcome === "interval";
  const left = isRead ? looks.open.filter((one) => !looks.due.includes(one)) : looks.open;
  return boundedLooks([...left, ...(look === undefined ? [] : [look])]);
}

/** Marks the manifest as confirmed once no look is open; never in the sync that commits it. */
async function confirmed(
  { output }: SyncContext,
  { manifest, isNew }: Pick<Commit, "manifest" | "isNew">,
  looks: readonly SecondLook[],
): Promise<Manifest> {
  if (isNew || manifest.confirmed !== false || looks.length > 0) return manifest;
  return confirmManifest(output.store, manifest, secondLookAfterMs);
}

/** A missing lock may be written any time: it is no fault of the generation. */
function isOfGeneration({ code }: Problem): boolean {
  return code !== "CONTENT_UNLOCKED";
}

const partCodes = new Set<Problem["code"]>(["PART_KEPT", "PART_NOT_INCLUDED"]);
const recordCodes = new Set<Problem["code"]>(["RECORD_UNUSABLE", "FIELD_UNUSABLE"]);

/** What could not be read or used. What was not requested again keeps its problems. */
function spaceProblemsOf({ state, previous }: Base, reading: CrawlResult): Problem[] {
  const found = new Set(reading.problems.map(({ message }) => message));
  const lasting = state.spaceProblems.flatMap((problem): Problem[] => {
    const { code, message } = problem;
    if (found.has(message)) return [];
    if (recordCodes.has(code) && problem.about !== undefined) return untouched(problem, previous, reading);
    const lasts = (partCodes.has(code) || recordCodes.has(code)) && !reading.partsWereRead;
    return lasts ? [problem] : [];
  });
  return [...lasting, ...reading.problems];
}

/** A problem for those of its records that were not requested again, if any. */
function untouched(problem: Problem, previous: Manifest | undefined, reading: CrawlResult): Problem[] {
  const { part = "", uuids = [] } = problem.about ?? {};
  const changes = reading.changes.get(part)?.changes;
  const isSame = JSON.stringify(reading.draft?.parts[part]) === JSON.stringify(previous?.parts[part]);
  const again = reading.problems.filter(({ code, about }) => code === problem.code && about?.part === part);
  const settled = new Set([
    ...(changes?.map(({ key }) => key) ?? (isSame ? [] : uuids)),
    ...again.flatMap(({ about }) => about?.uuids ?? []),
  ]);
  const left = uuids.filter((uuid) => !settled.has(uuid));
  if (left.length === uuids.length) return [problem];
  return left.length === 0 ? [] : [{ ...problem, count: left.length, about: { part, uuids: left } }];
}

/** Notes the cv that the generation matches. A reading that is not clean confirms none. */
async function confirm(context: SyncContext, due: Due, facts: Facts, known: Partial<State>): Promise<void> {
  const { nowMs } = due;
  const { reading, cv, manifest, outcome } = facts;
  const { state, repairs } = facts.base;
  const isClean = reading?.outcome === "clean";
  const isRead = isClean || reading?.outcome === "interval";
  const next: State = {
    ...state,
    ...known,
    generation: manifest?.generation ?? null,
    auditCursor: { ...(reading?.auditCursor ?? state.auditCursor), ...known.auditCursor },
    damaged: [],
    folders: await foldersOf(context.output, context.config),
    // After an unclean reading no cv is confirmed: the next sync reads again, also at this one.
    cv: isClean ? cv : null,
    ...(isRead ? { confirmedAtMs: nowMs, uncleanSinceMs: null } : {}),
    ...(isRead && reading.partsWereRead ? partsChecked(context.config, state, reading, due) : {}),
    runs: outcome === "unchanged" && repairs.length === 0 ? state.runs : [...state.runs, runRecord(context, facts)],
  };
  // A new confirmation time alone is not worth a write at every sync of drafts.
  if (JSON.stringify({ ...next, confirmedAtMs: 0 }) === JSON.stringify({ ...state, confirmedAtMs: 0 })) return;
  await saveState(context.output.store, next);
}

/** When the other parts were checked. Unchanged while one is outdated, to try again. */
function partsChecked(config: Config, state: State, { problems }: CrawlResult, { nowMs, scope }: Due): Partial<State> {
  const isOlder = problems.some(({ code }) => code === "PART_KEPT");
  const asked = scope.taxonomies.requests > 0 ? { taxonomies: nowMs } : {};
  return {
    partSettings: partSettings(config),
    checkedMs: { ...state.checkedMs, ...(isOlder ? {} : { parts: nowMs }), ...asked },
  };
}

function removedGeneration(generation: number): Problem {
  return {
    code: "SNAPSHOT_DAMAGED",
    message: `Removed generation ${generation}: it was damaged, and the space no longer has its content.`,
    hint: "The kept generations are intact. Stored files should never change; check the disk.",
  };
}

/** Nothing if one cannot be read. @param suspects damaged generations: those that still are can never be read */
async function pruneGenerations(
  { output, config }: SyncContext,
  lock: HeldLock,
  suspects: readonly number[],
): Promise<Problem[]> {
  await lock.assertHeld();
  const isLost = async (manifest: Manifest) =>
    suspects.includes(manifest.generation) && (await findDamage(output.store, manifest)).length > 0;
  const hint =
    "A kept generation cannot be read, so no old file was removed. Run `offprint verify --all`: the next sync then removes that generation.";
  const { generations, problems } = await pruneByRule(output.store, config, hint, isLost);
  return [...problems, ...suspects.filter((suspect) => generations.includes(suspect)).map(removedGeneration)];
}

/** Most keys that a space's state remembers: a hostile upstream may name new ones at each sync. */
const mostRemembered = 200;
const hint = "Nothing is wrong. `offprint doctor --contract` prints all; a newer version may know them.";

/** What the state remembers, and the problems that no earlier sync has reported. A full reading forgets what is gone. */
function newUnknownKeys(
  { source, options }: Pick<SyncContext, "source" | "options">,
  { unknownKeys }: Pick<State, "unknownKeys">,
): { remembered: UnknownKey[]; problems: Problem[] } {
  const found = [...source.upstream.unknown.values()];
  const isIn = (keys: readonly UnknownKey[]) => (one: UnknownKey) => keys.some((other) => sameKey(one, other));
  const kept = options.full ? unknownKeys.filter(isIn(found)) : unknownKeys;
  const fresh = found.filter((one) => !isIn(unknownKeys)(one)).slice(0, Math.max(0, mostRemembered - kept.length));
  const problems = fresh.map((one): Problem => ({ code: "CONTRACT_UNKNOWN", message: unknownKeyText(one), hint }));
  return { remembered: [...kept, ...fresh], problems };
}
