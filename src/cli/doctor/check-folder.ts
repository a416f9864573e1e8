import type { Config } from "../../config/config.js";
import { durationText } from "../../config/schema/quantity.js";
import { type ErrorCode, isOffprintError } from "../../lib/errors.js";
import type { Manifest, SpacePartRecord } from "../../snapshot/manifest.js";
import { demoSource, isSameSpace } from "../../sync/space-identity.js";
import { storeErrorFindings } from "./check-store.js";
import { type Finding, type FindingCode, finding } from "./diagnosis-finding.js";
import type { FolderFacts } from "./gather-folder.js";

export interface FolderExpectations {
  config: Pick<Config, "source" | "schedule">;
  spaceId: number | undefined;
  nowMs: number;
}

export function checkFolder(facts: FolderFacts, expected: FolderExpectations): Finding[] {
  return [...checkSnapshot(facts, expected), ...checkLock(facts), ...checkGit(facts)];
}

const codesOfErrors: Partial<Record<ErrorCode, FindingCode>> = {
  SNAPSHOT_FORMAT: "FOLDER_NEWER",
  SNAPSHOT_DAMAGED: "FOLDER_DAMAGED",
  ...storeErrorFindings,
  STORE_BAD_ANSWER: "STORE_NOT_S3",
};

function checkSnapshot(facts: FolderFacts, expected: FolderExpectations): Finding[] {
  const { place, manifest, error } = facts;
  if (manifest === undefined) {
    if (error === undefined)
      return [finding("FOLDER_EMPTY", `${place} holds no snapshot yet.`, "Run `offprint sync`.")];
    return [finding(codesOfErrors[error.code] ?? "FOLDER_UNUSABLE", error.message, error.hint)];
  }
  const wrong = [
    ...checkSpace(manifest, expected),
    ...checkDamage(facts),
    ...checkAge(facts, expected),
    ...(manifest.held ? held(manifest) : []),
  ];
  if (wrong.length > 0) return wrong;
  const { generation, space } = manifest;
  const name = space.source === demoSource ? "the demo space" : `space ${space.id ?? "of unknown id"}`;
  return [finding("FOLDER_OK", `${place} holds generation ${generation} of ${name}.`)];
}

/** Without a space id from the upstream, a different address proves nothing. */
function checkSpace(manifest: Manifest, { config: { source }, spaceId }: FolderExpectations): Finding[] {
  if (spaceId === undefined && source.url !== demoSource) return [];
  const record = spaceId === undefined ? undefined : ({ me: { id: spaceId } } as SpacePartRecord);
  try {
    isSameSpace(manifest, source.url, record, false);
    return [];
  } catch (error) {
    if (!isOffprintError(error, "SPACE_MISMATCH")) throw error;
    return [finding("FOLDER_OTHER_SPACE", error.message, error.hint)];
  }
}

function checkDamage({ error, missing, state }: FolderFacts): Finding[] {
  const names = [...new Set([...missing, ...state.damaged])];
  if (names.length === 0 && error === undefined) return [];
  const shown = names.slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const what = names.length === 0 ? (error?.message ?? "") : `Missing or damaged in the snapshot: ${shown}${more}.`;
  const hint = "`offprint verify` looks at every byte, and `offprint sync` reads again what is damaged.";
  return [finding("FOLDER_DAMAGED", what, hint)];
}

/** A sync that finds nothing to read records nothing, for up to `source.recheck`. */
function checkAge({ state, manifest }: FolderFacts, { config, nowMs }: FolderExpectations): Finding[] {
  const { confirmedAtMs } = state;
  const allowedMs = config.schedule.maxAgeMs + config.source.recheckMs;
  if (manifest?.held === true || confirmedAtMs === null || nowMs - confirmedAtMs <= allowedMs) return [];
  const unitMs = [86_400_000, 3_600_000, 60_000].find((unit) => nowMs - confirmedAtMs >= 2 * unit) ?? 1_000;
  const age = durationText(Math.floor((nowMs - confirmedAtMs) / unitMs) * unitMs);
  const what = `The space was confirmed ${age} ago; schedule.maxAge is ${durationText(config.schedule.maxAgeMs)}.`;
  return [finding("FOLDER_STALE", what, "See that `offprint sync` or `offprint watch` runs.")];
}

function held({ generation }: Manifest): Finding[] {
  const hint = "`offprint rollback --release` lets sync go on.";
  return [finding("FOLDER_HELD", `Generation ${generation} was rolled back to, and is held.`, hint)];
}

function checkLock({ lock }: FolderFacts): Finding[] {
  if (lock === undefined) return [];
  if (lock.isGone === true) {
    const what = `The lock was left by ${lock.owner}, which is gone.`;
    return [finding("FOLDER_LOCK_LEFT", what, "Nothing is to be done: the next sync takes it over.")];
  }
  const hint = "A sync ends with LOCKED until that has ended.";
  return [finding("FOLDER_LOCKED", `${lock.owner} writes to the folder.`, hint)];
}

function checkGit({ git, dir }: FolderFacts): Finding[] {
  if (git !== "untracked") return [];
  const hint = "Add it to .gitignore, or add it to git on purpose: both work.";
  return [finding("FOLDER_NOT_IGNORED", `git does not ignore ${dir}.`, hint)];
}
