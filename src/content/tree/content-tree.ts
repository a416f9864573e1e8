import { inMap } from "../../lib/collections/in-map.js";
import { lowerBound } from "../../lib/collections/lower-bound.js";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { contentHash } from "../../lib/content-hash.js";
import { isOffprintError, type Problem } from "../../lib/errors.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { storyKey, storyOfKey } from "../../snapshot/reader/noting-reader.js";
import type { Store } from "../../snapshot/store/store.js";
import type { BegunParts } from "./begun-parts.js";
import { keepCurrentFiles, noneIfDamaged, noteBeside } from "./current-files.js";
import type { FileNote } from "./file-note.js";
import { type HistoryFile, historyPaths } from "./history-files.js";
import type { PageKeys } from "./page-keys.js";
import type { ContentPlan, KeptFiles } from "./plan-content.js";
import { outlinePath } from "./plan-edition.js";
import type { PartFiles } from "./record-part.js";
import type { RecordWriter } from "./record-writer.js";
import type { RenderThreads } from "./render-threads.js";
import type { EarlierFile, FileList, PlannedFile, RenderedFile, Rendering } from "./rendering.js";
import type { TreeFolder } from "./tree-folder.js";
import { partNamer, partNames, readPart, type TreeRecord } from "./tree-record.js";
import { TreeTransaction } from "./tree-transaction.js";

/** How many files are read, rendered or written at the same time. */
const parallel = 16;

export interface TreeCounts {
  /** Files that were rendered, because something that they read, or their settings, changed. */
  rendered: number;
  written: number;
  removed: number;
  unchanged: number;
}

interface ContentTreeOptions {
  /** Rooted at the content folder. */
  store: Store;
  /** What the last export left. */
  record: TreeRecord;
  folder: TreeFolder;
  /** What this one leaves. */
  writer: RecordWriter;
  manifest: Manifest;
  pageKeys: PageKeys;
  /** What an export before this one has begun. */
  begun: BegunParts;
  report(problem: Problem): void;
  /** Called with each story that this export, or an interrupted one, has rendered, and what it read. */
  onRendered(edition: string, uuid: string, keys: readonly string[]): void;
  /** More threads that render files. */
  threads?: RenderThreads | undefined;
  rendering: Rendering;
  onProgress: ((done: number, total: number) => void) | undefined;
}

/**
 * The content folder while an export writes it: `write`, `writeHistory`, `removeStale`, `close`, in this order. Only
 * files that the record names are replaced or removed. A file that is not ours stays, and is reported where it is in
 * the way.
 */
export class ContentTree {
  readonly counts: TreeCounts = { rendered: 0, written: 0, removed: 0, unchanged: 0 };
  /** Files that are missing, because a file that is not ours has their name. */
  readonly blocked = new Set<string>();
  /** Files of history that are in their place. */
  readonly history = new Set<string>();
  readonly #options: ContentTreeOptions;
  readonly #partOf: ReturnType<typeof partNamer>;
  /** Files that this export may replace. */
  #due: () => Iterable<string> = () => [];
  /** Files that are as they should be. */
  #done = 0;
  readonly #transaction: TreeTransaction;

  constructor(options: ContentTreeOptions) {
    this.#options = options;
    this.#partOf = partNamer(options.manifest);
    this.#transaction = new TreeTransaction({ ...options, mayBeOurs: () => this.#mayBeOurs() });
  }

  /** Renders and writes those of the files that are not as their notes say, or that read something that changed. */
  async write({ files, kept }: Pick<ContentPlan, "files" | "kept">): Promise<void> {
    const { writer, folder, report } = this.#options;
    for (let at = 0; at < files.length; at += 1) writer.await(this.#partOf(files.at(at)!.stories));
    if (kept !== undefined) {
      writer.keepAllBut(kept.opened);
      this.counts.unchanged += folder.keepAllBut(kept.opened);
      for (const problem of kept.problems) report(problem);
      const names = partNames(this.#options.manifest);
      for (const { path, part, note } of kept.files) {
        // A story that was not moved is in the part of this name, if there still is one.
        const now = names.has(part) ? part : this.#partOf(storiesOf(note));
        this.#keep(now, path, note, kept.opened.get(part)!);
      }
    }
    this.#done = this.counts.unchanged;
    // The files of links come last: they say the keys of the pages.
    const pages = lowerBound(files.length, (at) => files.at(at)!.stories === undefined);
    const others = range(files, pages, files.length);
    await this.#writeSome(range(files, 0, pages), kept?.opened, others);
    await this.#writeSome(others, kept?.opened);
  }

  /** @param later files that are written behind these */
  async #writeSome(files: FileList, opened: KeptFiles["opened"] | undefined, later: FileList = []): Promise<void> {
    const { threads, begun, rendering, writer, onProgress } = this.#options;
    const before = this.counts.unchanged;
    const due = await keepCurrentFiles(files, {
      ...this.#options,
      begun: begun.known,
      opened,
      partOf: this.#partOf,
      isCurrent: rendering.isCurrent,
      keep: async (file, note, part, isBegun) => {
        if (isBegun) this.#tellReads(file, note);
        const name = this.#partOf(file.stories);
        this.#keep(name, file.path, note, part);
        await writer.end(name);
      },
    });
    this.#due = () => [...pathsOf(files, due.places), ...pathsOf(later, Array(later.length).keys())];
    const take = threads?.spread(
      files,
      due.places.filter((place) => !due.earlier.has(place)),
    );
    this.#done += this.counts.unchanged - before;
    const total = this.#done + due.places.length + later.length;
    await mapBounded(due.places, parallel, async (place) => {
      const file = files.at(place)!;
      this.counts.rendered += 1;
      const answer =
        take?.(place) ??
        this.#earlierFile(file, due.earlier.get(place)).then((earlier) => rendering.render(file, earlier));
      const written = await answer;
      if (written.bytes !== undefined) this.#tellReads(file, written);
      const isBlocked = written.outline !== undefined && (await this.#isOutlineBlocked(file, written.outline));
      // Without a basis the page is rendered again, and the file beside it is tried again.
      await this.#place(isBlocked ? { ...file, basis: "" } : file, written);
      await writer.end(this.#partOf(file.stories));
      if (this.#transaction.hasBegun) await begun.note(writer.parts);
      onProgress?.(++this.#done, total);
    });
  }

  /** Reports what the stories of a file read. */
  #tellReads({ stories }: PlannedFile, { lines, keys }: Pick<FileNote, "lines" | "keys">): void {
    if (stories === undefined) return;
    const shown = lines?.notes.filter(({ isThere }) => isThere) ?? [{ id: stories.uuids[0]!, keys }];
    for (const story of shown) this.#options.onRendered(stories.edition, story.id, story.keys);
  }

  /** A file of records as an earlier export wrote it, so that its unchanged lines need not be rendered again. */
  async #earlierFile({ path }: PlannedFile, note: FileNote | undefined): Promise<EarlierFile | undefined> {
    const bytes = note && (await this.#options.folder.bytesOf(path, note.hash));
    return bytes && { bytes, lines: note!.lines! };
  }

  /** Places the file beside a page. It has no inputs of its own: it stays and goes with its page. */
  async #isOutlineBlocked({ outline, basis, stories }: PlannedFile, bytes: Uint8Array): Promise<boolean> {
    if (outline === undefined) return false;
    await this.#place({ path: outline, basis, stories }, { bytes, keys: [], problems: [] });
    return this.blocked.has(outline);
  }

  async writeHistory(files: readonly HistoryFile[]): Promise<void> {
    for (const { path, text } of files) {
      await this.#place({ path, basis: "" }, { bytes: Buffer.from(text), keys: [], problems: [] });
      if (!this.blocked.has(path)) this.history.add(path);
    }
  }

  /** Removes what an earlier export wrote and this one did not; a file that someone changed since is theirs. */
  async removeStale(): Promise<void> {
    const { store, record, folder, report } = this.#options;
    const parts = new Map<string, Promise<PartFiles>>();
    await mapBounded(folder.stale(), parallel, async (path) => {
      const name = folder.partOf(path);
      const part = await inMap(parts, name, () => readPart(store, record, name).catch(noneIfDamaged));
      const hash = record.unknown.get(path) ?? part.get(path)?.hash ?? "";
      const bytes = await store.get(path);
      if (bytes === undefined) return;
      if (hash !== "" && contentHash(bytes) !== hash) return report(editedByHand(path));
      await this.#transaction.begin();
      await store.remove(path);
      this.counts.removed += 1;
    });
  }

  /** Writes the head of the record, then the index. */
  close(...end: Parameters<TreeTransaction["end"]>): Promise<void> {
    return this.#transaction.end(...end);
  }

  *#mayBeOurs(): Generator<string> {
    const { folder } = this.#options;
    for (const paths of [historyPaths, this.#due()]) {
      for (const path of paths) if (folder.wrote(path) || folder.spellings(path).length === 0) yield path;
    }
  }

  /** Leaves a file of the last export, and its outline file. @param part of this export @param earlier that has its note */
  #keep(part: string, path: string, note: FileNote, earlier: PartFiles): void {
    for (const problem of note.problems) this.#options.report(problem);
    const beside = noteBeside(path, earlier);
    this.#options.pageKeys.add(note, true, beside?.hash);
    this.#leave(part, path, note);
    if (beside !== undefined) this.#leave(part, outlinePath(path), beside);
  }

  /** Writes a rendered file, unless it is there already or a file that is not ours has its name. */
  async #place(file: Pick<PlannedFile, "path" | "basis" | "stories">, rendered: RenderedFile): Promise<void> {
    const { path, basis } = file;
    const { bytes, keys, problems, lines, hash, outline } = rendered;
    const { store, folder, report } = this.#options;
    for (const problem of problems) report(problem);
    if (bytes === undefined) return;
    const own = lines === undefined ? ownKey(file) : undefined;
    const isRead = own !== undefined && keys.includes(own);
    const note: FileNote = {
      ...{ hash: hash ?? contentHash(bytes), bytes: bytes.length, basis, keys, problems, lines },
      own: isRead ? own : undefined,
    };
    const part = this.#partOf(file.stories);
    const beside = outline && contentHash(outline);
    if (await folder.holds(path, bytes)) {
      this.#options.pageKeys.add(note, false, beside);
      return this.#leave(part, path, note);
    }
    const foreign = folder.foreignFile(path);
    if (foreign !== undefined) return this.#block(path, foreign);
    await this.#transaction.begin();
    // Our file under another spelling of the name: on some disks the same file, so it has to go first.
    for (const name of folder.spellings(path)) {
      if (name === path || !folder.wrote(name)) continue;
      await store.remove(name);
      folder.replaced(name);
    }
    try {
      // A power cut may damage a page: it can be rendered again. The history of changes cannot be made again.
      await (historyPaths.includes(path) ? store.replace(path, bytes) : store.put(path, bytes));
    } catch (error) {
      if (!isFolderInPlace(error)) throw error;
      return this.#block(path, path);
    }
    this.#options.pageKeys.add(note, false, beside);
    this.#add(part, path, note);
    this.counts.written += 1;
  }

  #leave(part: string, path: string, note: FileNote): void {
    this.#add(part, path, note);
    this.counts.unchanged += 1;
  }

  #add(part: string, path: string, note: FileNote): void {
    this.#options.folder.keep(path);
    this.#options.writer.add(part, path, note);
  }

  #block(path: string, foreign: string): void {
    this.blocked.add(path);
    this.#options.report(inTheWay(foreign));
  }
}

function range(files: FileList, start: number, end: number): FileList {
  return { length: end - start, at: (index) => files.at(start + index) };
}

function* pathsOf(files: FileList, places: Iterable<number>): Generator<string> {
  for (const place of places) {
    const { path, outline } = files.at(place)!;
    yield path;
    if (outline !== undefined) yield outline;
  }
}

/** The stories that a file shows, by its note. */
function storiesOf({ own, lines }: FileNote): PlannedFile["stories"] {
  if (lines !== undefined) return { edition: lines.edition, uuids: lines.notes.map(({ id }) => id) };
  const story = own === undefined ? undefined : storyOfKey(own);
  return story && { edition: story.edition, uuids: [story.uuid] };
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
