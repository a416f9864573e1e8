import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { Config } from "../../config/config.js";
import { contentHash } from "../../lib/content-hash.js";
import { isOffprintError, OffprintError } from "../../lib/errors.js";
import { partsHash } from "../../snapshot/compare-stories.js";
import { writeNote } from "../../snapshot/disposable-notes.js";
import { typesNoteFile } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { errnoOf, fileError } from "../../snapshot/store/file-error.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import type { Store } from "../../snapshot/store/store.js";
import { relationFields } from "../resolve/relations.js";
import { declareTypes } from "./declare-types.js";
import type { DeclaredTypes } from "./declared-types.js";
import { readContentModel } from "./read-content-model.js";
import { readTypesHeader, typesText } from "./types-text.js";

/** Increased if the same content is printed differently. */
const spelling = 2;

export interface TypesFile {
  config: Config;
  file: string;
}

/** True if the file exists for this generation and these settings. Reads two small files. */
export async function areTypesCurrent(store: Store, manifest: Manifest, types: TypesFile): Promise<boolean> {
  try {
    const note = await store.get(typesNoteFile);
    if (note === undefined || Buffer.from(note).toString() !== basisOf(manifest, types)) return false;
    return readTypesHeader((await readTypes(types.file)) ?? "") !== undefined;
  } catch (error) {
    if (isOffprintError(error)) return false;
    throw error;
  }
}

/** Writes the file of a generation and notes it. @throws OffprintError as `typesOfGeneration`, `writeTypes` */
export async function bringTypesFile(store: Store, manifest: Manifest, { config, file }: TypesFile): Promise<void> {
  await assertOurs(file);
  const types = await typesOfGeneration(store, manifest, config);
  await writeTypes(file, typesText(types, config.types.format));
  await writeNote(store, typesNoteFile, basisOf(manifest, { config, file }));
}

function basisOf(manifest: Manifest, { config, file }: TypesFile): string {
  const { resolve, assets, content, types } = config;
  const settings = [resolve.relations, resolve.depth, assets.metadata, content.richText, types.format];
  return contentHash(JSON.stringify([spelling, partsHash(manifest), file, settings]));
}

/** The types of a generation's content, as the settings resolve it. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function typesOfGeneration(
  store: Store,
  manifest: Manifest,
  { resolve, assets, content }: Pick<Config, "resolve" | "assets" | "content">,
): Promise<DeclaredTypes> {
  const relations = relationFields(resolve.relations);
  const { model, datasources } = await readContentModel(store, manifest, { relations, assetMetadata: assets.metadata });
  return declareTypes(model, { datasources, depth: resolve.depth, richText: content.richText });
}

/** Writes by one rename if the bytes differ; a link stays one. @throws OffprintError `TYPES_BLOCKED`, `NO_SPACE` */
export async function writeTypes(path: string, text: string): Promise<boolean> {
  if ((await assertOurs(path)) === text) return false;
  await reported(async () => {
    const target = await linkTarget(path);
    await openFileStore(dirname(target)).replace(basename(target), Buffer.from(text));
  });
  return true;
}

/** The file that a symbolic link leads to, also where it is not there yet; the path itself where it is no link. */
async function linkTarget(path: string): Promise<string> {
  try {
    const next = resolve(await realpath(dirname(path)), await readlink(path));
    return await linkTarget(next);
  } catch (error) {
    // No link (EINVAL), or nothing there.
    if (["EINVAL", "ENOENT", "UNKNOWN"].includes(errnoOf(error) ?? "")) return path;
    throw fileError(error, path);
  }
}

/** The text of one that we wrote, or an empty one; undefined if missing. @throws OffprintError `TYPES_BLOCKED` */
async function assertOurs(path: string): Promise<string | undefined> {
  const found = await reported(() => readTypes(path));
  if (found === undefined || found.trim() === "" || readTypesHeader(found) !== undefined) return found;
  throw new OffprintError("TYPES_BLOCKED", `${path} was not written by offprint. It was kept.`, {
    hint: "Move it away, or name another file (types.file).",
  });
}

export async function readTypes(path: string): Promise<string | undefined> {
  const bytes = await openFileStore(dirname(path)).get(basename(path));
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOffprintError(error, "OUTPUT_UNUSABLE")) throw error;
    const { message, hint } = error;
    throw new OffprintError("TYPES_BLOCKED", `Cannot use the types file: ${message}`, { hint, cause: error });
  }
}
