import type { IndexRow } from "../index/index-row.js";

/**
 * What a story's records lack.
 *
 * - `confirmed`: nothing. It is requested if its row is new or differs.
 * - `pending`: staged without `row`, the one that they fitted (undefined: of an earlier sync).
 * - `unconfirmed`: pending, and answered in this round. It gets `row` if the round turns out clean.
 */
export type StoryState =
  | { kind: "confirmed" }
  | { kind: "pending"; row: IndexRow | undefined }
  | { kind: "unconfirmed"; row: IndexRow };

interface StoryEntry {
  state: StoryState;
  /** Of its last unconfirmed answer: the same answer again is confirmed. */
  fingerprint?: string | undefined;
}

/** The state of every story of a version. The ledger stages the records; this class does not. */
export class StoryStates {
  /** A story without an entry is confirmed. */
  readonly #entries = new Map<string, StoryEntry>();

  /** @param pending uuids that an interrupted sync left pending */
  constructor(pending: Iterable<string>) {
    for (const uuid of pending) this.#entries.set(uuid, { state: { kind: "pending", row: undefined } });
  }

  of(uuid: string): StoryState {
    return this.#entries.get(uuid)?.state ?? { kind: "confirmed" };
  }

  fingerprintOf(uuid: string): string | undefined {
    return this.#entries.get(uuid)?.fingerprint;
  }

  /** @param fingerprint of the answer that led to this state, if it has one */
  set(uuid: string, state: StoryState, fingerprint = this.fingerprintOf(uuid)): void {
    if (state.kind === "confirmed" && fingerprint === undefined) this.#entries.delete(uuid);
    else this.#entries.set(uuid, { state, fingerprint });
  }

  /** Stories whose records are staged without their row: the pending and the unconfirmed ones. */
  withoutRow(): string[] {
    return [...this.#entries].filter(([, { state }]) => state.kind !== "confirmed").map(([uuid]) => uuid);
  }

  unconfirmed(): { uuid: string; row: IndexRow }[] {
    return this.withKnownRow().filter(({ uuid }) => this.of(uuid).kind === "unconfirmed");
  }

  withKnownRow(): { uuid: string; row: IndexRow }[] {
    return [...this.#entries].flatMap(([uuid, { state }]) =>
      state.kind === "confirmed" || state.row === undefined ? [] : [{ uuid, row: state.row }],
    );
  }
}

/** What all rounds of a crawl show about stories that fit no row, and folders without a row. */
export class AcrossRounds {
  /** Stories whose answer did not fit in this round. */
  #misfits = new Set<string>();
  /** Stories whose answer did not fit in any completed round; undefined before the first. */
  #neverFitted: ReadonlySet<string> | undefined;
  #awaitsAll = false;
  /** Folders that the index of this round lacks, and those that the last completed round lacked. */
  #goneFolders = new Set<string>();
  #goneBefore: ReadonlySet<string> = new Set();
  #goneAtClose: ReadonlySet<string> = new Set();
  /** True if a round was completed, and whether one was before this round. */
  #hasClosed = false;
  #hadClosed = false;

  openRound(): void {
    this.#hadClosed = this.#hasClosed;
    this.#misfits = new Set();
    this.#awaitsAll = false;
    this.#goneBefore = this.#goneAtClose;
    this.#goneFolders = new Set();
  }

  /** Ends a round that read the whole index and every story that it requests. */
  closeRound(): void {
    this.#goneAtClose = this.#goneFolders;
    this.#hasClosed = true;
    if (this.#awaitsAll) return;
    const before = this.#neverFitted ?? this.#misfits;
    this.#neverFitted = new Set([...this.#misfits].filter((uuid) => before.has(uuid)));
  }

  noteMisfit(uuid: string): void {
    this.#misfits.add(uuid);
  }

  noteGoneFolder(uuid: string): void {
    this.#goneFolders.add(uuid);
  }

  readAnew(): void {
    this.#awaitsAll = true;
    this.#neverFitted = undefined;
  }

  /** Under a row that this crawl has swept. A folder that is gone may be older: it needs a completed round before. */
  get isRead(): boolean {
    const foldersStand = this.#goneFolders.size === 0 || this.#hadClosed;
    return !this.#awaitsAll && this.#neverFitted?.size === 0 && foldersStand;
  }

  /** Folders to remove. They cannot be requested: one index is believed only in a clean round. */
  removableFolders(isClean: boolean): string[] {
    return [...this.#goneFolders].filter((uuid) => isClean || this.#goneBefore.has(uuid));
  }
}
