import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Config } from "../../config/config.js";
import { storeAddressText } from "../../config/schema/store-address.js";
import { isOffprintError, type OffprintError } from "../../lib/errors.js";
import { lockFile, shardFile, snapshotFolder } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { openOutput, readDamagedOutput } from "../../snapshot/open-output.js";
import { emptyState, type State } from "../../snapshot/state.js";
import { Folders } from "../../snapshot/store/folders.js";
import { isGone, isNeighbour, parseOwner } from "../../snapshot/store/lock-owner.js";

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
