import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { isOffprintError, type Problem } from "../../lib/errors.js";
import { contentHash } from "../../snapshot/content-hash.js";
import { storyKey } from "../../snapshot/reader/noting-reader.js";
import type { Store } from "../../snapshot/store/store.js";
import { type AnswersOfFiles, answersOfFiles } from "./answers-of-files.js";
import type { ChangedAnswers } from "./changed-answers.js";
import { type ContentNotes, indexFile, namesOf, notesFile, type ReadNotes } from "./content-notes.js";
import { foldedName } from "./content-paths.js";
import { dueFile, dueText, hasDueFile } from "./due-files.js";
import { type FileNote, unknownNote } from "./file-note.js";
import { notesText } from "./notes-text.js";
import type { ContentPlan } from "./plan-content.js";
import { outlinePath } from "./plan-edition.js";
import type { RenderThreads } from "./render-threads.js";
import type { PlannedFile, RenderedFile, Rendering } from "./rendering.js";
import { type FileState, fileStates, readTreeFolder, type TreeFolder } from "./tree-folder.js";

/** How many files are read, rendered or written at the same time. */
const parallel = 16;

export interface TreeCounts {
  /** Files that were rendered, because something that they read, or their settings, changed. */
  rendered: number;
  written: number;
  removed: number;
  unchanged: number;
}

/** A file about what happened, such as `changes.json`: made by every export, and noted without what it read. */
export interface HistoryFile {
  path: string;
  text: string;
}

interface ContentTreeOptions {
  /** Rooted at the content folder. */
  store: Store;
  /** What the last export left. */
  notes: ContentNotes & Pick<ReadNotes, "checksum">;
  /** Which of the answers in the notes are others now. */
  changed: ChangedAnswers;
  /** Paths that files of history may have. */
  historyPaths: readonly string[];
  report(problem: Problem): void;
  /** More threads that render files. */
  threads?: RenderThreads | undefined;
}

/**
 * The content folder while an export writes it: `write`, `writeHistory`, `removeStale`, `close`, in this order. Only
 * files that the notes name are replaced or removed. A file that is not ours stays, and is reported where it is in
 * the way.
 */
export class ContentTree {
  readonly counts: TreeCounts = { rendered: 0, written: 0, removed: 0, unchanged: 0 };
  /** Files that are missing, because a file that is not ours has their name. */
  readonly blocked = new Set<string>();
  readonly #options: ContentTreeOptions;
  readonly #folder: TreeFolder;
  /** Files that are in their place, by path. */
  readonly #current = new Map<string, FileNote>();
  /** Files that this export may replace. */
  readonly #due: Set<string>;
  #opening: Promise<void> | undefined;

  private constructor(options: ContentTreeOptions, folder: TreeFolder) {
    this.#options = options;
    this.#folder = folder;
    this.#due = new Set(options.historyPaths);
  }

  static async open(options: ContentTreeOptions): Promise<ContentTree> {
    return new ContentTree(options, await readTreeFolder(options.store, options.notes));
  }

  /** True if size and date of a file, and of the one beside it, say that it is as an earlier export wrote it. */
  isAsWritten(path: string, bytes: number): boolean {
    return this.#stateOf(path, bytes) === "trusted";
  }

  /** True if the file is in its place. */
  has(path: string): boolean {
    return this.#current.has(path);
  }

  /** What the files in their place read. @param answer gives the short hash of the answer to a key */
  answers(answer: (key: string) => string): AnswersOfFiles {
    const { notes, changed } = this.#options;
    const earlier = { earlier: notes.answers, hasChanged: changed.has };
    return answersOfFiles({ files: this.#current.values(), ...earlier, answer });
  }

  /** Renders and writes those of the files that are not as their notes say, or that read something that changed. */
  async write(
    { files, kept = { paths: [], problems: [] } }: Pick<ContentPlan, "files" | "kept">,
    rendering: Rendering,
    onProgress?: (done: number, total: number) => void,
  ): Promise<void> {
    for (const problem of kept.problems) this.#options.report(problem);
    for (const path of kept.paths) this.#leaveNoted(path, this.#options.notes.files.get(path)!);
    const rendered = (
      await mapBounded(this.#keepTrusted(files, rendering), parallel, async ({ file, note }) => {
        const isKept = note !== undefined && (await this.#hasHashes(file.path, note));
        if (isKept) this.#keep(file.path, note);
        return isKept ? [] : [file];
      })
    ).flat();
    for (const { path, outline } of rendered)
      for (const own of [path, outline]) if (own !== undefined) this.#due.add(own);
    const take = this.#options.threads?.spread(rendered.filter((file) => !this.#hasEarlierLines(file)));
    const total = files.length + kept.paths.length;
    let done = total - rendered.length;
    await mapBounded(rendered, parallel, async (file) => {
      this.counts.rendered += 1;
      const answer = take?.(file) ?? this.#folder.earlierFile(file).then((earlier) => rendering.render(file, earlier));
      const written = await answer;
      const isBlocked = written.outline !== undefined && (await this.#isOutlineBlocked(file, written.outline));
      // Without a basis the page is rendered again, and the file beside it is tried again.
      await this.#place(isBlocked ? { ...file, basis: "" } : file, written);
      onProgress?.(++done, total);
    });
  }

  /** Places the file beside a page. It has no inputs of its own: it stays and goes with its page. */
  async #isOutlineBlocked({ outline, basis }: PlannedFile, bytes: Uint8Array): Promise<boolean> {
    if (outline === undefined) return false;
    await this.#place({ path: outline, basis }, { bytes, keys: [], problems: [] });
    return this.blocked.has(outline);
  }

  async #hasHashes(path: string, { hash }: FileNote): Promise<boolean> {
    const beside = this.#noteBeside(path);
    if (beside !== undefined && !(await this.#folder.hasHash(outlinePath(path), beside.hash))) return false;
    return this.#folder.hasHash(path, hash);
  }

  #noteBeside(path: string): FileNote | undefined {
    return path.endsWith(".md") ? this.#options.notes.files.get(outlinePath(path)) : undefined;
  }

  async writeHistory(files: readonly HistoryFile[]): Promise<void> {
    for (const { path, text } of files) {
      await this.#place({ path, basis: "" }, { bytes: Buffer.from(text), keys: [], problems: [] });
    }
  }

  /** Removes what an earlier export wrote and this one did not; a file that someone changed since is theirs. */
  async removeStale(): Promise<void> {
    const { store, notes, report } = this.#options;
    const left = [...notes.files].filter(([path]) => !this.#current.has(path) && this.#folder.has(path));
    const kept = new Set(left.length === 0 ? [] : [...this.#current.keys()].map(foldedName));
    const stale = left.filter(([path]) => !kept.has(foldedName(path)));
    await mapBounded(stale, parallel, async ([path, { hash }]) => {
      const bytes = await store.get(path);
      if (bytes === undefined) return;
      if (hash !== "" && contentHash(bytes) !== hash) {
        report(editedByHand(path));
        return;
      }
      await this.#invalidate();
      await store.remove(path);
      this.counts.removed += 1;
    });
  }

  /** Writes the notes, then the index; neither is touched when it has these bytes already. */
  async close(
    newIndex: object,
    { moved, ...newNotes }: Omit<ContentNotes, "files" | "index"> & AnswersOfFiles,
  ): Promise<void> {
    const { store } = this.#options;
    const index = Buffer.from(`${JSON.stringify(newIndex, null, 1)}\n`);
    const notes = Buffer.from(notesText({ ...newNotes, index: contentHash(index), files: this.#current }, moved));
    // Every write first removed the index.
    const isUntouched = this.#opening === undefined;
    if (isUntouched && (await this.#holds(notesFile, notes)) && (await this.#holds(indexFile, index))) {
      if (await hasDueFile(store)) {
        await store.remove(dueFile);
        await store.flush();
      }
      return;
    }
    await this.#invalidate();
    // After a power cut the notes must not name a file that is not on the disk, or lack one that is.
    await store.flush();
    await store.replace(notesFile, notes);
    await store.flush();
    await store.remove(dueFile);
    await store.replace(indexFile, index);
    await store.flush();
  }

  async #holds(path: string, bytes: Buffer): Promise<boolean> {
    const found = await this.#options.store.get(path);
    return found !== undefined && bytes.equals(found);
  }

  /** Removes the index before the first change, so that no build finds half a tree. */
  #invalidate(): Promise<void> {
    this.#opening ??= this.#removeIndex();
    return this.#opening;
  }

  async #removeIndex(): Promise<void> {
    const { store, notes } = this.#options;
    // If this export is interrupted, the next one learns from this which files may be ours, and which an earlier one left.
    const left = [...notes.files].flatMap(([path, note]) => (note === unknownNote ? [path] : []));
    const free = [...this.#due].filter((path) => notes.files.has(path) || this.#folder.spellings(path).length === 0);
    const due = new Set([...left, ...free]);
    await store.remove(indexFile);
    if (notes.checksum !== null) await store.replace(dueFile, Buffer.from(dueText(notes.checksum, due)));
    else {
      const files = new Map([...notes.files, ...namesOf(due).files]);
      await store.replace(notesFile, Buffer.from(notesText({ ...notes, index: null, files })));
    }
    await store.flush();
  }

  /** True if an earlier export wrote lines of which some may be as they would be now. */
  #hasEarlierLines({ path, lines }: PlannedFile): boolean {
    const note = this.#options.notes.files.get(path);
    return lines !== undefined && note?.lines?.basis === lines.basis;
  }

  /**
   * Keeps the files that are current by size and date.
   * @returns the others, each with the note that its bytes must match
   */
  #keepTrusted(files: readonly PlannedFile[], rendering: Rendering): { file: PlannedFile; note?: FileNote }[] {
    return files.flatMap((file) => {
      const note = this.#options.notes.files.get(file.path);
      if (note === undefined || !rendering.isCurrent(file, note)) return [{ file }];
      const state = this.#stateOf(file.path, note.bytes);
      if (state !== "trusted") return [state === "changed" ? { file } : { file, note }];
      this.#keep(file.path, note);
      return [];
    });
  }

  #keep(path: string, note: FileNote): void {
    for (const problem of note.problems) this.#options.report(problem);
    this.#leaveNoted(path, note);
  }

  /** Leaves a file of the last export, and the one beside it. */
  #leaveNoted(path: string, note: FileNote): void {
    this.#leave(path, note);
    const beside = this.#noteBeside(path);
    if (beside !== undefined) this.#leave(outlinePath(path), beside);
  }

  /** The state of a file and of the one beside it: the worse of the two. */
  #stateOf(path: string, bytes: number): FileState {
    const own = this.#folder.state(path, bytes);
    const beside = this.#noteBeside(path);
    const other = beside === undefined ? "trusted" : this.#folder.state(outlinePath(path), beside.bytes);
    return fileStates.find((state) => state === own || state === other)!;
  }

  /** Writes a rendered file, unless it is there already or a file that is not ours has its name. */
  async #place(file: Pick<PlannedFile, "path" | "basis" | "stories">, rendered: RenderedFile): Promise<void> {
    const { path, basis } = file;
    const { bytes, keys, problems, lines, hash } = rendered;
    const { store, notes, report } = this.#options;
    for (const problem of problems) report(problem);
    if (bytes === undefined) return;
    const own = lines === undefined ? ownKey(file) : undefined;
    const note: FileNote = { hash: hash ?? contentHash(bytes), bytes: bytes.length, basis, keys, problems, own, lines };
    if (await this.#folder.holds(path, bytes)) return this.#leave(path, note);
    const foreign = this.#folder.foreignFile(path);
    if (foreign !== undefined) return this.#block(path, foreign);
    await this.#invalidate();
    // Our file under another spelling of the name: on some disks the same file, so it has to go first.
    for (const name of this.#folder.spellings(path)) {
      if (name !== path && notes.files.has(name)) await store.remove(name);
    }
    try {
      await store.replace(path, bytes);
    } catch (error) {
      if (!isFolderInPlace(error)) throw error;
      return this.#block(path, path);
    }
    this.#current.set(path, note);
    this.counts.written += 1;
  }

  #leave(path: string, note: FileNote): void {
    this.#current.set(path, note);
    this.counts.unchanged += 1;
  }

  #block(path: string, foreign: string): void {
    this.blocked.add(path);
    this.#options.report(inTheWay(foreign));
  }
}

/** The key of the story that a Markdown file shows. */
function ownKey({ stories }: Pick<PlannedFile, "stories">): string | undefined {
  const [uuid] = stories?.uuids ?? [];
  return stories === undefined || uuid === undefined ? undefined : storyKey(stories.edition, uuid);
}

/** An empty folder is in no list of files: it shows when a file is to take its name. */
function isFolderInPlace(error: unknown): boolean {
  const cause = isOffprintError(error, "OUTPUT_UNUSABLE") ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "EISDIR";
}

function inTheWay(path: string): Problem {
  return {
    code: "CONTENT_BLOCKED",
    message: `The content folder has a file ${JSON.stringify(path)} that offprint did not write. It was kept; the content file of that name is missing.`,
    hint: "Move that file away, or choose another content.dir.",
  };
}

function editedByHand(path: string): Problem {
  return {
    code: "CONTENT_EDITED",
    message: `The content file ${JSON.stringify(path)} is no longer needed, but was edited by hand. It was kept.`,
    hint: "Delete it if you do not need it.",
  };
}
