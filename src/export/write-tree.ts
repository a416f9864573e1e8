import { isOffprintError, type Problem } from "../errors.js";
import { mapBounded } from "../map-bounded.js";
import type { NotingReader } from "../reader/noting-reader.js";
import { contentHash } from "../snapshot/content-hash.js";
import type { Store } from "../store/store.js";
import { type ContentNotes, type FileNote, indexFile, notesFile, notesText, unknownNote } from "./content-notes.js";
import { foldedName } from "./content-paths.js";
import type { EarlierFile, PlannedFile, RenderedFile, Rendering } from "./rendering.js";

/** Files that are looked at, rendered or written at the same time. */
const parallel = 16;

export interface TreeCounts {
  /** Files that were made again, because something that they read or their settings changed. */
  rendered: number;
  written: number;
  removed: number;
  unchanged: number;
}

/** A file that tells of history: made at every export, and noted without what it read. */
export interface HistoryFile {
  path: string;
  text: string;
}

export interface WriteTreeOptions {
  store: Store;
  files: readonly PlannedFile[];
  rendering: Rendering;
  noting: NotingReader;
  /** What the last export left. */
  notes: ContentNotes;
  /** The generation that is written. */
  generation: number;
  /** What it holds: `partsHash`. */
  snapshot: string;
  /** Called when all files are written, with every key that they read: what has to be there before the index is. */
  beforeIndex(keys: ReadonlySet<string>): Promise<void>;
  /** Names that files of history may have. */
  historyPaths: readonly string[];
  /** The files of history: made when all others are written. */
  history(): readonly HistoryFile[];
  /**
   * `index.json`, which is written last.
   * @param paths files that are there
   * @param blocked files that are missing, because a file that is not ours has their name
   */
  index(paths: ReadonlySet<string>, blocked: ReadonlySet<string>): object;
  report(problem: Problem): void;
}

/** What is known of the folder while it is written. */
interface Tree extends Pick<WriteTreeOptions, "store" | "rendering" | "notes" | "report"> {
  /** Every file that is there, as the disk spells it. */
  entries: ReadonlyMap<string, { size: number; modifiedMs: number }>;
  /** Names that a disk may take for one, by {@link foldedName}. */
  folded: ReadonlyMap<string, readonly string[]>;
  /** Files that were last written before this time are as we left them; milliseconds since the epoch. */
  trustedMs: number;
  /** Takes the tree out of use before the first change; quiet after that. */
  open(): Promise<void>;
  current: Map<string, FileNote>;
  blocked: Set<string>;
  counts: TreeCounts;
}

/**
 * Makes the folder hold the planned files. A file is rendered when its note tells that something it read has changed,
 * or when the file is not as we left it. Only files that the notes name are replaced or removed; a file that is not
 * ours stays, and is reported where it is in the way.
 */
export async function writeTree(options: WriteTreeOptions): Promise<TreeCounts> {
  const { files, rendering, beforeIndex } = options;
  const stale = new Set<string>(options.historyPaths);
  const tree = await openTree(options, stale);
  const due = await mapBounded(files, parallel, async (file) => {
    if (await keep(tree, file)) return [];
    stale.add(file.path);
    return [file];
  });
  await mapBounded(due.flat(), parallel, async (file) => {
    tree.counts.rendered += 1;
    await place(tree, file, rendering.render(file, await earlierFile(tree, file)));
  });
  const keys = usedKeys(tree.current);
  await beforeIndex(keys);
  for (const { path, text } of options.history()) {
    await place(tree, { path, basis: "", render: () => text }, { bytes: Buffer.from(text), keys: [], problems: [] });
  }
  tree.counts.removed = await removeStale(tree);
  const answers = new Map([...keys].map((key) => [key, options.noting.answer(key)]));
  const index = options.index(new Set(tree.current.keys()), tree.blocked);
  await close(tree, index, {
    generation: options.generation,
    snapshot: options.snapshot,
    files: tree.current,
    answers,
  });
  return tree.counts;
}

async function openTree(options: WriteTreeOptions, stale: ReadonlySet<string>): Promise<Tree> {
  const { store, notes, rendering, report } = options;
  const listed = await store.list("");
  const entries = new Map(listed.map((entry) => [entry.name, entry]));
  const folded = new Map<string, string[]>();
  for (const { name } of listed) folded.set(foldedName(name), [...(folded.get(foldedName(name)) ?? []), name]);
  let opening: Promise<void> | undefined;
  const open = async (): Promise<void> => {
    // Should this export be interrupted, the next one knows by these notes which files may be ours.
    const files = new Map(notes.files);
    for (const path of stale) if (files.has(path) || !folded.has(foldedName(path))) files.set(path, unknownNote);
    await store.remove(indexFile);
    await store.replace(notesFile, Buffer.from(notesText({ ...notes, files })));
    await store.flush();
  };
  return {
    ...{ store, notes, rendering, report, entries, folded },
    trustedMs: entries.get(indexFile)?.modifiedMs ?? 0,
    open: () => {
      opening ??= open();
      return opening;
    },
    current: new Map(),
    blocked: new Set(),
    counts: { rendered: 0, written: 0, removed: 0, unchanged: 0 },
  };
}

/** A file of records as we left it: what did not change of it need not be rendered again. */
async function earlierFile(tree: Tree, { path, lines }: PlannedFile): Promise<EarlierFile | undefined> {
  const note = tree.notes.files.get(path);
  if (lines === undefined || note?.lines === undefined || note.lines.basis !== lines.basis) return undefined;
  if (tree.entries.get(path)?.size !== note.bytes) return undefined;
  const bytes = await tree.store.get(path);
  if (bytes === undefined || contentHash(bytes) !== note.hash) return undefined;
  return { bytes, lines: note.lines };
}

/** Keeps a file that would be rendered as it is; false when it has to be rendered. */
async function keep(tree: Tree, file: PlannedFile): Promise<boolean> {
  const note = tree.notes.files.get(file.path);
  if (note === undefined || !tree.rendering.isCurrent(file, note) || !(await isUntouched(tree, file.path, note))) {
    return false;
  }
  for (const problem of note.problems) tree.report(problem);
  tree.current.set(file.path, note);
  tree.counts.unchanged += 1;
  return true;
}

/** Whether a file has the bytes that we wrote. One that is older than the index was written by the same export. */
async function isUntouched(tree: Tree, path: string, note: FileNote): Promise<boolean> {
  const entry = tree.entries.get(path);
  if (entry === undefined || entry.size !== note.bytes) return false;
  if (entry.modifiedMs < tree.trustedMs) return true;
  const bytes = await tree.store.get(path);
  return bytes !== undefined && contentHash(bytes) === note.hash;
}

/** Writes a rendered file, unless it is there already or a file that is not ours has its name. */
async function place(tree: Tree, file: PlannedFile, rendered: RenderedFile): Promise<void> {
  const { path, basis } = file;
  const { bytes, keys, problems, lines } = rendered;
  for (const problem of problems) tree.report(problem);
  if (bytes === undefined) return;
  const shown = { basis, keys, problems, ...(lines === undefined ? {} : { lines }) };
  const note: FileNote = { hash: contentHash(bytes), bytes: bytes.length, ...shown };
  if (await isSame(tree, path, bytes)) {
    tree.current.set(path, note);
    tree.counts.unchanged += 1;
    return;
  }
  const spellings = tree.folded.get(foldedName(path)) ?? [];
  const foreign = (tree.entries.has(path) ? [path] : spellings).find((name) => !tree.notes.files.has(name));
  if (foreign !== undefined) {
    tree.blocked.add(path);
    tree.report(inTheWay(foreign));
    return;
  }
  await tree.open();
  // Our file under another spelling of the name: on some disks the same file, so it has to go first.
  for (const name of spellings) if (name !== path && tree.notes.files.has(name)) await tree.store.remove(name);
  try {
    await tree.store.replace(path, bytes);
  } catch (error) {
    if (!isFolderInPlace(error)) throw error;
    tree.blocked.add(path);
    tree.report(inTheWay(path));
    return;
  }
  tree.current.set(path, note);
  tree.counts.written += 1;
}

/** An empty folder is in no list of files: it shows when a file is to take its name. */
function isFolderInPlace(error: unknown): boolean {
  const cause = isOffprintError(error, "OUTPUT_UNUSABLE") ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "EISDIR";
}

async function isSame(tree: Tree, path: string, bytes: Uint8Array): Promise<boolean> {
  if (tree.entries.get(path)?.size !== bytes.length) return false;
  const there = await tree.store.get(path);
  return there !== undefined && Buffer.compare(there, bytes) === 0;
}

/** Removes what an earlier export wrote and this one did not; a file that someone changed since is theirs. */
async function removeStale(tree: Tree): Promise<number> {
  const kept = new Set([...tree.current.keys()].map(foldedName));
  const stale = [...tree.notes.files].filter(([path]) => !kept.has(foldedName(path)) && tree.entries.has(path));
  const removed = await mapBounded(stale, parallel, async ([path, { hash }]): Promise<number> => {
    const bytes = await tree.store.get(path);
    if (bytes === undefined) return 0;
    if (hash !== "" && contentHash(bytes) !== hash) {
      tree.report(editedByHand(path));
      return 0;
    }
    await tree.open();
    await tree.store.remove(path);
    return 1;
  });
  return removed.reduce((sum, count) => sum + count, 0);
}

/** Notes, then the index; neither is touched when it has these bytes already. */
async function close(tree: Tree, newIndex: object, newNotes: ContentNotes): Promise<void> {
  const { store } = tree;
  const notes = Buffer.from(notesText(newNotes));
  const index = Buffer.from(`${JSON.stringify(newIndex, null, 1)}\n`);
  const [oldNotes, oldIndex] = await Promise.all([store.get(notesFile), store.get(indexFile)]);
  const isNoted = oldNotes !== undefined && notes.equals(oldNotes);
  if (isNoted && oldIndex !== undefined && index.equals(oldIndex)) return;
  await tree.open();
  // Notes that tell of a file, or no longer tell of one, must not outlive a power cut that the change does not.
  await store.flush();
  await store.replace(notesFile, notes);
  await store.flush();
  await store.replace(indexFile, index);
  await store.flush();
}

function usedKeys(files: ReadonlyMap<string, FileNote>): Set<string> {
  const keys = new Set<string>();
  for (const note of files.values()) for (const key of note.keys) keys.add(key);
  return keys;
}

function inTheWay(path: string): Problem {
  return {
    code: "CONTENT_BLOCKED",
    message: `The content folder holds a file ${JSON.stringify(path)} that is not ours; it was kept, and ours is missing.`,
    hint: "Move that file away, or choose another content.dir.",
  };
}

function editedByHand(path: string): Problem {
  return {
    code: "CONTENT_EDITED",
    message: `The content file ${JSON.stringify(path)} has no place any more, but was changed by hand; it was kept.`,
    hint: "Remove it when you do not need it.",
  };
}
