import { contentHash } from "../../lib/content-hash.js";
import type { Store } from "../../snapshot/store/store.js";
import type { BegunParts } from "./begun-parts.js";
import { dueBytes, dueFile, hasDueFile } from "./due-files.js";
import { type RecordFiles, removeOldFiles } from "./record-writer.js";
import { headText, indexFile, type RecordHead, recordHead, type TreeRecord } from "./tree-record.js";

interface TransactionOptions {
  /** Rooted at the content folder. */
  store: Store;
  /** What the last export left. */
  record: TreeRecord;
  /** What an export before this one has begun. */
  begun: BegunParts;
  /** Files that this export may replace. */
  mayBeOurs(): Iterable<string>;
}

/**
 * The order of an export's writes: the index goes before the first change, and comes back after the last one, so that
 * no build finds half a tree.
 */
export class TreeTransaction {
  readonly #options: TransactionOptions;
  #beginning: Promise<void> | undefined;

  constructor(options: TransactionOptions) {
    this.#options = options;
  }

  /** False as long as the index is there: the tree is whole. */
  get hasBegun(): boolean {
    return this.#beginning !== undefined;
  }

  /** Removes the index: has to end before a file changes. */
  begin(): Promise<void> {
    this.#beginning ??= this.#removeIndex();
    return this.#beginning;
  }

  async #removeIndex(): Promise<void> {
    const { store, record, mayBeOurs } = this.#options;
    await store.remove(indexFile);
    // If this export is interrupted, the next one learns from this which files may be ours, and which an earlier one left.
    await store.replace(dueFile, dueBytes(record.checksum, record.unknown, mayBeOurs()));
    await store.flush();
  }

  /** Writes the head of the record, then the index; neither is touched when it has these bytes already. */
  async end(newIndex: object, files: RecordFiles, head: Omit<RecordHead, "index" | keyof RecordFiles>): Promise<void> {
    const { store, begun } = this.#options;
    const index = Buffer.from(`${JSON.stringify(newIndex, null, 1)}\n`);
    const newHead = Buffer.from(headText({ ...head, ...files, index: contentHash(index) }));
    // Every write first removed the index.
    if (!this.hasBegun && (await this.#holds(recordHead, newHead)) && (await this.#holds(indexFile, index))) {
      if (await hasDueFile(store)) {
        await begun.remove();
        await store.remove(dueFile);
        await store.flush();
      }
      return;
    }
    await this.begin();
    // After a power cut the record must not name a file that is not on the disk, or lack one that is.
    await store.flush();
    await store.replace(recordHead, newHead);
    await store.flush();
    await removeOldFiles(store, files);
    await begun.remove();
    await store.remove(dueFile);
    await store.replace(indexFile, index);
    await store.flush();
  }

  async #holds(path: string, bytes: Buffer): Promise<boolean> {
    const found = await this.#options.store.get(path);
    return found !== undefined && bytes.equals(found);
  }
}
