import type { Config } from "../../config/config.js";
import { isOffprintError } from "../../lib/errors.js";
import { contentHash } from "../../snapshot/content-hash.js";
import { typesNoteFile } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { partsHash } from "../../snapshot/parts-hash.js";
import type { Store } from "../../snapshot/store/store.js";
import { readTypesHeader } from "./types-header.js";
import { typesText } from "./types-text.js";
import { assertOurs, readTypes, typesOfGeneration, writeTypes } from "./write-types.js";

/** Another one where the same content is spelled in another way. */
const spelling = 2;

/** Which file is brought up to a generation, and how. */
export interface TypesFile {
  config: Config;
  /** Absolute path. */
  file: string;
}

/** Whether the file was written for this generation and these settings, and is there. Reads two small files. */
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

/**
 * Writes the file for a generation, where its bytes change, and notes that it did.
 *
 * @param store rooted at the output folder
 * @throws OffprintError as `typesOfGeneration` and `writeTypes` do
 */
export async function bringTypesFile(store: Store, manifest: Manifest, { config, file }: TypesFile): Promise<void> {
  await assertOurs(file);
  const types = await typesOfGeneration(store, manifest, config);
  await writeTypes(file, typesText(types, config.types.format));
  try {
    await store.replace(typesNoteFile, Buffer.from(basisOf(manifest, { config, file })));
    await store.flush();
  } catch (error) {
    // Without the note, the next sync looks again.
    if (!isOffprintError(error)) throw error;
  }
}

/** What the bytes of the file follow from. */
function basisOf(manifest: Manifest, { config, file }: TypesFile): string {
  const { resolve, assets, content, types } = config;
  const settings = [resolve.relations, resolve.depth, assets.metadata, content.richText, types.format];
  return contentHash(JSON.stringify([spelling, partsHash(manifest), file, settings]));
}
