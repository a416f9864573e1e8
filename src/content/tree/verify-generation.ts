import type { Config } from "../../config/config.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { contentStore, hasContent } from "./content-folder.js";
import { indexFile, namesOf, notesFile, readNotes } from "./content-notes.js";
import { expectedContent } from "./is-content-current.js";
import { notesText } from "./notes-text.js";
import { type ContentVerifyReport, notesAreDamaged, verifyContent } from "./verify-content.js";

/**
 * Reads the content tree back: whole, of this generation and these settings, and every file as it was written. Without
 * `content.formats` there is no content tree, and nothing is read.
 */
export async function verifyGeneration(config: Config, manifest: Manifest): Promise<ContentVerifyReport> {
  if (!hasContent(config)) return { files: 0, problems: [], notes: [] };
  return verifyContent(contentStore(config), expectedContent(config, manifest));
}

/**
 * Removes the index of a damaged tree, so that no build reads it and the next sync renders it again. Of a damaged list
 * of files the names are left, so that nothing else in it is believed.
 */
export async function disownContent(config: Config): Promise<void> {
  const store = contentStore(config);
  await store.remove(indexFile);
  if (await notesAreDamaged(store))
    await store.replace(notesFile, Buffer.from(notesText(namesOf((await readNotes(store)).files.keys()))));
}
