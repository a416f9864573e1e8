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
