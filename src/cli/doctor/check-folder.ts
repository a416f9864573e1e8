import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Config } from "../../config/config.js";
import { durationText } from "../../config/schema/quantity.js";
import { storeAddressText } from "../../config/schema/store-address.js";
import { type ErrorCode, isOffprintError, type OffprintError } from "../../lib/errors.js";
import { lockFile, shardFile, snapshotFolder } from "../../snapshot/layout.js";
import type { Manifest, SpacePartRecord } from "../../snapshot/manifest.js";
import { openOutput, readDamagedOutput } from "../../snapshot/open-output.js";
import { emptyState, type State } from "../../snapshot/state.js";
import { Folders } from "../../snapshot/store/folders.js";
import { isGone, isNeighbour, parseOwner } from "../../snapshot/store/lock-owner.js";
import { demoSource, isSameSpace } from "../../sync/space-identity.js";
import { storeErrorFindings } from "./check-store.js";
import { type Finding, type FindingCode, finding } from "./diagnosis-finding.js";

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
  return [finding("FOLDER_LOCKED", `The folder is in use: ${lock.owner} writes to it.`, hint)];
}

function checkGit({ git, dir }: FolderFacts): Finding[] {
  if (git !== "untracked") return [];
  const hint = "Add it to .gitignore, or add it to git on purpose: both work.";
  return [finding("FOLDER_NOT_IGNORED", `git does not ignore ${dir}.`, hint)];
}

export interface FolderFacts {
  dir: string;
  place: string;
  manifest: Manifest | undefined;
  state: State;
  /** Problems of the manifests, or why the folder cannot be read. */
  error: OffprintError | undefined;
  /** Shards of the manifest that are missing or have another size. Their bytes are not hashed. */
  missing: string[];
  /** `isGone`: that process has ended. Undefined if it is on another machine or in another container. */
  lock: { owner: string; isGone: boolean | undefined } | undefined;
  /** How git treats the folder. Undefined without git or a repository. */
  git: "ignored" | "tracked" | "untracked" | undefined;
}

export async function gatherFolder(where: Pick<Config["output"], "dir" | "store">): Promise<FolderFacts> {
  const { dir } = where;
  const git = await gitState(dir);
  const place = where.store === undefined ? dir : storeAddressText(where.store);
  const nothing = { dir, place, manifest: undefined, state: emptyState(), missing: [], lock: undefined, git };
  const output = openOutput(where);
  try {
    // Opening to read a link, a file or a git folder in its place would show no snapshot.
    await new Folders(dir).exists(snapshotFolder);
    const { manifest, damage, state } = await readDamagedOutput(output);
    const missing = manifest === undefined ? [] : await missingShards(output.store, manifest);
    return { dir, place, manifest, state, error: damage, missing, lock: await readLockFacts(dir), git };
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    return { ...nothing, error };
  }
}

export function snapshotBytes(manifest: Manifest | undefined): number {
  const parts = Object.values(manifest?.parts ?? {});
  return parts.flatMap(({ shards }) => shards).reduce((sum, { bytes }) => sum + bytes, 0);
}

async function missingShards(store: ReturnType<typeof openOutput>["store"], manifest: Manifest): Promise<string[]> {
  const sizes = new Map((await store.list(snapshotFolder)).map(({ name, size }) => [name, size]));
  return Object.entries(manifest.parts).flatMap(([part, { shards }]) =>
    shards.flatMap((shard) => (sizes.get(shardFile(part, shard)) === shard.bytes ? [] : [shardFile(part, shard)])),
  );
}

async function readLockFacts(dir: string): Promise<FolderFacts["lock"]> {
  try {
    const owner = parseOwner(await readFile(join(dir, lockFile), "utf8"));
    if (owner === undefined) return { owner: "an unknown process", isGone: undefined };
    const name = `process ${owner.pid} on ${owner.host} since ${owner.since}`;
    return { owner: name, isGone: isNeighbour(owner) ? await isGone(owner) : undefined };
  } catch {
    return undefined;
  }
}

const run = promisify(execFile);

/** Asks git. The trailing slash marks a folder, even if it does not exist. */
async function gitState(dir: string): Promise<FolderFacts["git"]> {
  const at = await nearestFolder(dir);
  const ask = (...args: string[]) => run("git", ["-C", at, ...args], { timeout: 5000 });
  try {
    await ask("check-ignore", "--quiet", "--", `${dir}/`);
    return "ignored";
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === 1)) return undefined;
  }
  try {
    return (await ask("ls-files", "--", `${dir}/`)).stdout === "" ? "untracked" : "tracked";
  } catch {
    return undefined;
  }
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() || dirname(path) === path ? path : nearestFolder(dirname(path));
}
