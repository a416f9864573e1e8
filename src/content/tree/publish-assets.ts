import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { hashOfPieces } from "../../lib/content-hash.js";
import type { Problem } from "../../lib/errors.js";
import { isObject } from "../../lib/shape.js";
import { assetFile } from "../../snapshot/layout.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store, StoredBytes } from "../../snapshot/store/store.js";
import { assetPath } from "./asset-location.js";
import { parseJson } from "./tree-record.js";

/** In `assets.dir`: the list of the files that we copied there. */
const assetNotesFile = ".offprint-assets.json";

/** How many files are copied at the same time. */
const parallel = 4;

export interface PublishOptions {
  reader: Reader;
  /** The URLs that the content looked up; not all of them are those of assets. */
  urls: readonly string[];
  /** Rooted at the output folder, which has the files of all assets. */
  output: Store;
  /** Rooted at `assets.dir`, which may hold files that are not ours. */
  target: Store;
  report(problem: Problem): void;
}

/**
 * Copies the files of the assets that content names to `assets.dir`, under the paths that content gives them. Files
 * of an earlier export that content does not name any more are removed, unless someone changed them.
 */
export async function publishAssets(options: PublishOptions): Promise<{ written: number; removed: number }> {
  const { target, report } = options;
  const earlier = await readAssetNotes(target);
  const wanted = namedAssets(options);
  const sizes = new Map((await target.list("")).map(({ name, size }) => [name, size]));
  const current = new Map<string, string>();
  const missing: { path: string; file: string; hash: string }[] = [];
  for (const [path, asset] of wanted) {
    const size = sizes.get(path);
    if (size === asset.bytes && earlier.get(path) === asset.hash) current.set(path, asset.hash);
    else missing.push({ path, ...asset });
  }
  const stale = [...earlier].filter(([path]) => !wanted.has(path) && sizes.has(path));
  if (missing.length + stale.length === 0) return { written: 0, removed: 0 };
  // If this export is interrupted, the next one learns which files may be ours; "" makes it compare their bytes.
  await target.replace(
    assetNotesFile,
    notesBytes(new Map([...earlier, ...missing.map(({ path }) => [path, ""] as const)])),
  );
  await target.flush();
  let written = 0;
  await mapBounded(missing, parallel, async ({ path, file, hash }) => {
    const there = sizes.has(path) ? await hashOfFile(target, path) : undefined;
    if (there === hash) {
      current.set(path, hash);
      return;
    }
    if (there !== undefined && !earlier.has(path)) return report(inTheWay(path));
    const bytes = await options.output.read(file);
    if (bytes === undefined) return report(lacking(file));
    await copy(bytes, target, path);
    current.set(path, hash);
    written += 1;
  });
  const removed = await mapBounded(stale, parallel, async ([path, hash]): Promise<number> => {
    const found = await hashOfFile(target, path);
    if (found === undefined || (hash !== "" && found !== hash)) return 0;
    await target.remove(path);
    return 1;
  });
  await target.flush();
  await target.replace(assetNotesFile, notesBytes(current));
  await target.flush();
  return { written, removed: removed.reduce((sum, count) => sum + count, 0) };
}

async function hashOfFile(store: Store, name: string): Promise<string | undefined> {
  const bytes = await store.read(name);
  return bytes === undefined ? undefined : hashOfPieces(bytes.pieces());
}

/** Copies a file with one piece in memory at a time; it is invisible until it is whole. */
async function copy(from: StoredBytes, to: Store, name: string): Promise<void> {
  const object = await to.begin();
  try {
    for await (const piece of from.pieces()) await object.write(piece);
    await object.finish(name);
  } finally {
    await object.discard();
  }
}

/** The assets that content names, by path below `assets.dir`, with their files in the output folder. */
function namedAssets({ reader, urls }: PublishOptions): Map<string, { file: string; hash: string; bytes: number }> {
  const named = new Map<string, { file: string; hash: string; bytes: number }>();
  for (const url of urls) {
    const asset = reader.asset(url);
    if (asset === undefined || asset.hash === null) continue;
    const { hash, name, bytes } = asset;
    named.set(assetPath(hash, name), { file: assetFile(hash, name), hash, bytes });
  }
  return named;
}

async function readAssetNotes(target: Store): Promise<Map<string, string>> {
  const bytes = await target.get(assetNotesFile);
  const notes = bytes === undefined ? undefined : parseJson(bytes);
  if (!isObject(notes) || !isObject(notes.files)) return new Map();
  return new Map(Object.entries(notes.files).filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}

function notesBytes(files: ReadonlyMap<string, string>): Buffer {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(`${JSON.stringify({ format: 1, files: Object.fromEntries(sorted) }, null, 1)}\n`);
}

function inTheWay(path: string): Problem {
  return {
    code: "CONTENT_BLOCKED",
    message: `assets.dir has a file ${JSON.stringify(path)} that offprint did not write. It was kept; the asset file of that name is missing.`,
    hint: "Move that file away, or choose another assets.dir.",
  };
}

function lacking(file: string): Problem {
  return {
    code: "SNAPSHOT_DAMAGED",
    message: `The asset file ${JSON.stringify(file)} is missing in the output folder, so it could not be copied.`,
    hint: "Run `offprint sync --full` to fetch it again.",
  };
}
