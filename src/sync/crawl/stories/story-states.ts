import type { IndexRow } from "../index/index-row.js";

/**
 * What is known of a story beyond what is staged of it.
 *
 * - `confirmed`: nothing more than what is staged. It is asked for when its row is new or differs.
 * - `pending`: its records are staged without their row. The next round asks for it, whatever the index shows. `row` is
 *   the one that they fitted; undefined where an earlier sync knew it.
 * - `unconfirmed`: pending, and answered in this round. It gets `row` if the round turns out clean.
 */
export type StoryState =
  | { kind: "confirmed" }
  | { kind: "pending"; row: IndexRow | undefined }
  | { kind: "unconfirmed"; row: IndexRow };

interface StoryEntry {
  state: StoryState;
  /** Of its last unconfirmed answer: the same answer once more is confirmed. */
  fingerprint?: string | undefined;
}

/** The state of every story of a version. It knows no workspace: the ledger stages what a state stands for. */
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

  /** @param fingerprint of the answer that led to this state, where it has one */
  set(uuid: string, state: StoryState, fingerprint = this.fingerprintOf(uuid)): void {
    if (state.kind === "confirmed" && fingerprint === undefined) this.#entries.delete(uuid);
    else this.#entries.set(uuid, { state, fingerprint });
  }

  /** Stories whose records are staged without their row: the pending and the unconfirmed ones. */
  withoutRow(): string[] {
    return [...this.#entries].filter(([, { state }]) => state.kind !== "confirmed").map(([uuid]) => uuid);
  }

  /** Stories that get their row if the round turns out clean. */
  unconfirmed(): { uuid: string; row: IndexRow }[] {
    return this.withKnownRow().filter(({ uuid }) => this.of(uuid).kind === "unconfirmed");
  }

  /** Stories whose records are staged without their row, where it is known. */
  withKnownRow(): { uuid: string; row: IndexRow }[] {
    return [...this.#entries].flatMap(([uuid, { state }]) =>
      state.kind === "confirmed" || state.row === undefined ? [] : [{ uuid, row: state.row }],
    );
  }
}

/** What the rounds of a crawl say together of stories that fit no row, and of folders that are listed no more. */
export class AcrossRounds {
  /** Stories whose answer did not fit in this round. */
  #misfits = new Set<string>();
  /** Stories whose answer did not fit in any round that was read to its end; undefined before the first. */
  #neverFitted: ReadonlySet<string> | undefined;
  #awaitsAll = false;
  /** Folders that the index of this round lacks, and those that the last one before lacked that was read to its end. */
  #goneFolders = new Set<string>();
  #goneBefore: ReadonlySet<string> = new Set();
  #goneAtClose: ReadonlySet<string> = new Set();
  /** Whether a round was read to its end, and whether one was before this round. */
  #hasClosed = false;
  #hadClosed = false;

  openRound(): void {
    this.#hadClosed = this.#hasClosed;
    this.#misfits = new Set();
    this.#awaitsAll = false;
    this.#goneBefore = this.#goneAtClose;
    this.#goneFolders = new Set();
  }

  /** Ends a round that was read to its end: the index, and every story that it asks for. */
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

  /** All rows were taken away: earlier rounds say nothing of them. */
  readAnew(): void {
    this.#awaitsAll = true;
    this.#neverFitted = undefined;
  }

  /**
   * Whether every story was read under a row that this crawl has swept: a story that no answer fitted was not, and after
   * an audit hit none counts as read. One that fitted in an earlier round stands as it was then. A folder that is listed no
   * more stands as an earlier round has listed it; where none was read to its end, it may stand as it was long before.
   */
  get isRead(): boolean {
    const foldersStand = this.#goneFolders.size === 0 || this.#hadClosed;
    return !this.#awaitsAll && this.#neverFitted?.size === 0 && foldersStand;
  }

  /** Folders that may be removed: nobody can be asked about one, so that a single index is believed in a clean round alone. */
  removableFolders(isClean: boolean): string[] {
    return [...this.#goneFolders].filter((uuid) => isClean || this.#goneBefore.has(uuid));
  }
}
