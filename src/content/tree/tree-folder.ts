import { contentHash } from "../../snapshot/content-hash.js";
import type { Store } from "../../snapshot/store/store.js";
import { type ContentNotes, indexFile } from "./content-notes.js";
import { foldedName } from "./content-paths.js";
import type { EarlierFile, PlannedFile } from "./rendering.js";

/** The worst first. */
export const fileStates = ["changed", "unknown", "trusted"] as const;
export type FileState = (typeof fileStates)[number];

/** The content folder as an earlier export, and anyone else, left it. */
export interface TreeFolder {
  /** True if the folder holds a file of exactly this name. */
  has(path: string): boolean;
  /** The files that some disk takes for this one: it may ignore case, or normalise Unicode. */
  spellings(path: string): readonly string[];
  /** A file under this name that no earlier export wrote. */
  foreignFile(path: string): string | undefined;
  /**
   * Judges a file by size and date: unchanged, missing or changed since, or unknown, so that its bytes must
   * be read.
   */
  state(path: string, bytes: number): FileState;
  hasHash(path: string, hash: string): Promise<boolean>;
  /** True if the file has these bytes. */
  holds(path: string, bytes: Uint8Array): Promise<boolean>;
  /** A file of records as an earlier export wrote it, so that its unchanged lines need not be rendered again. */
  earlierFile(file: PlannedFile): Promise<EarlierFile | undefined>;
}

/** Lists the folder. */
export async function readTreeFolder(store: Store, notes: ContentNotes): Promise<TreeFolder> {
  const listed = await store.list("");
  const entries = new Map(listed.map((entry) => [entry.name, entry]));
  const folded = new Map<string, string[]>();
  for (const { name } of listed) {
    const key = foldedName(name);
    const same = folded.get(key);
    if (same === undefined) folded.set(key, [name]);
    else same.push(name);
  }
  // The index is written last: a file that is older than it was written by the same export.
  const trustedMs = entries.get(indexFile)?.modifiedMs ?? 0;
  const spellings = (path: string): readonly string[] => folded.get(foldedName(path)) ?? [];

  async function bytesOfHash(path: string, hash: string): Promise<Uint8Array | undefined> {
    const bytes = await store.get(path);
    return bytes !== undefined && contentHash(bytes) === hash ? bytes : undefined;
  }

  return {
    has: (path) => entries.has(path),
    spellings,
    foreignFile(path) {
      return (entries.has(path) ? [path] : spellings(path)).find((name) => !notes.files.has(name));
    },
    state(path, bytes) {
      const entry = entries.get(path);
      if (entry === undefined || entry.size !== bytes) return "changed";
      return entry.modifiedMs < trustedMs ? "trusted" : "unknown";
    },
    hasHash: async (path, hash) => (await bytesOfHash(path, hash)) !== undefined,
    async holds(path, bytes) {
      if (entries.get(path)?.size !== bytes.length) return false;
      const found = await store.get(path);
      return found !== undefined && Buffer.compare(found, bytes) === 0;
    },
    async earlierFile({ path, lines }) {
      const note = lines && notes.files.get(path);
      if (note === undefined || entries.get(path)?.size !== note.bytes) return undefined;
      const earlier = note.lines;
      if (earlier?.basis !== lines?.basis) return undefined;
      const bytes = await bytesOfHash(path, note.hash);
      return earlier && bytes && { bytes, lines: earlier };
    },
  };
}
