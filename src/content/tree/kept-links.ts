import { inMap } from "../../lib/collections/in-map.js";
import { linesBytes, linesOf } from "../../lib/json/lines.js";
import type { LinkRange } from "../../snapshot/reader/link-rows.js";
import type { ContentInputs } from "./content-inputs.js";
import type { FileNote } from "./file-note.js";
import type { KeptStoryFilesOptions } from "./kept-story-files.js";
import { keptLinkLines, withKeys } from "./link-lines.js";
import { fileOf, linksFile, rangeOf, usualLimits } from "./links-files.js";
import type { PageName } from "./page-keys.js";
import type { KeptFile } from "./plan-content.js";
import type { PartFiles } from "./record-part.js";
import type { PlannedFile } from "./rendering.js";
import { partOfNoStory } from "./tree-record.js";

interface KeptLinks {
  /** Those of which a row changed. */
  files: PlannedFile[];
  /** The others, which are as they were written. */
  kept: KeptFile[];
}

/**
 * The files of links, after a change that moved no story.
 *
 * @param options `pages`: those that read something that changed, so that their keys are others
 * @param paths as the last export wrote them into the index
 * @param notes of these files
 * @returns undefined if a file is not as it was written, if rows would be spread in another way, or if most files changed
 */
export async function keptLinks(
  inputs: ContentInputs,
  { folder, changed, pages }: KeptStoryFilesOptions & { pages: readonly PageName[] },
  paths: readonly string[],
  notes: PartFiles,
): Promise<KeptLinks | undefined> {
  const found: KeptLinks = { files: [], kept: [] };
  const byFile = new Map<number, PageName[]>();
  for (const page of pages) inMap(byFile, fileOf(paths, page.uuid), () => []).push(page);
  for (const [at, path] of paths.entries()) {
    const note = notes.get(path);
    if (note === undefined) return undefined;
    const ofFile = byFile.get(at) ?? [];
    const hasSameRows = !note.keys.some((key) => changed.keys.has(key));
    const isSame = ofFile.length === 0 && hasSameRows;
    const isTrusted = isSame && folder.state(path, note.bytes) === "trusted";
    const bytes = isTrusted ? undefined : await folder.bytesOf(path, note.hash);
    if (!isTrusted && bytes === undefined) return undefined;
    if (isSame) {
      found.kept.push({ path, part: partOfNoStory, note });
      continue;
    }
    const file = keptFile(inputs, { path, note, bytes: bytes!, range: rangeOf(paths, at), pages: ofFile, hasSameRows });
    // Of so many files the lines would be in memory.
    if (file === undefined || (found.files.length > 64 && found.files.length > paths.length / 2)) return undefined;
    found.files.push(file);
  }
  return found;
}

interface EarlierLinks {
  path: string;
  note: FileNote;
  bytes: Uint8Array;
  range: LinkRange;
  hasSameRows: boolean;
  /** Those of its pages that may have another key. */
  pages: readonly PageName[];
}

/** A file of which a row changed, from its earlier lines. */
function keptFile(
  inputs: ContentInputs,
  { path, note, bytes, range, pages, hasSameRows }: EarlierLinks,
): PlannedFile | undefined {
  const { read, reader, pageKeys, linksLimits: { rows } = usualLimits } = inputs;
  const earlier = linesOf(Buffer.from(bytes).toString("utf8"));
  if (earlier === undefined) return undefined;
  const isOneOfMany = path !== linksFile;
  const { result: lines, readAgain } = read.recorded(() => {
    return hasSameRows
      ? earlier
      : keptLinkLines(read, reader.manifest.editions, { lines: earlier, range, isOneOfMany });
  });
  if (lines === undefined || (!isOneOfMany && lines.length > rows)) return undefined;
  return {
    path,
    basis: note.basis,
    keys: hasSameRows ? note.keys : [],
    isDue: () => pages.length > 0,
    render() {
      readAgain();
      // No story moved: those that share a URL did before.
      for (const problem of note.problems) inputs.report(problem);
      return linesBytes(withKeys(lines, pages, (edition, uuid) => pageKeys?.get(edition, uuid)));
    },
  };
}
