import type { SecondLook } from "../../../snapshot/state.js";
import type { Batch } from "./batches.js";
import type { AnswerDecision, Asking } from "./decision.js";
import type { ReadStories } from "./second-look.js";

/** Which stories of a version a crawl has read, so that a later sync looks at them once more, and which it looks at itself. */
export class ReadLog {
  /** Stories that were read, but for those that turned out as before; undefined for all of them. */
  #read: Set<string> | undefined;
  /** Stories that were unconfirmed in some round. */
  readonly #doubted = new Set<string>();
  /** Listed stories that the default language lacks. */
  readonly #missing = new Set<string>();
  /** Stories that this crawl looks at once more. */
  readonly #again = new Set<string>();
  #looks: readonly SecondLook[];

  /**
   * @param read what an interrupted sync has read; null: everything
   * @param looks what is to be looked at once more
   */
  constructor(read: readonly string[] | null, looks: readonly SecondLook[]) {
    this.#read = read === null ? undefined : new Set(read);
    this.#looks = looks;
  }

  /** The stories that were read, but for those that a second look found as before. */
  get stories(): ReadStories {
    const uuids = [...new Set([...(this.#read ?? this.#doubted), ...this.#missing])];
    return { uuids, all: this.#read === undefined };
  }

  /** Listed stories that the default language lacks. */
  get missing(): string[] {
    return [...this.#missing];
  }

  /** The looks that are still to be taken; they are handed out once. */
  takeLooks(): readonly SecondLook[] {
    const looks = this.#looks;
    this.#looks = [];
    return looks;
  }

  noteAgain(uuid: string): void {
    this.#again.add(uuid);
  }

  isAgain(uuid: string): boolean {
    return this.#again.has(uuid);
  }

  noteDoubted(uuid: string): void {
    this.#doubted.add(uuid);
  }

  /** Notes what a batch came to. A reading of everything is not noted story by story. */
  noteBatch({ decides, audit }: Batch, { mode }: Asking, decisions: readonly AnswerDecision[]): void {
    const isAll = !decides || mode === "first" || mode === "everything";
    for (const decision of decisions) {
      const { uuid } = decision;
      if (decision.kind === "staged" && decides) this.#noteMissing(uuid, decision.isMissing);
      if (decision.kind === "misfit" || decision.isAsBefore || (audit.has(uuid) && !decision.auditHit)) continue;
      if (isAll && !this.#again.has(uuid)) this.#read = undefined;
      this.#read?.add(uuid);
    }
  }

  #noteMissing(uuid: string, isMissing: boolean): void {
    if (isMissing) this.#missing.add(uuid);
    else this.#missing.delete(uuid);
  }

  /** null: everything was read. */
  toStage(): string[] | null {
    return this.#read === undefined ? null : [...this.#read].sort();
  }
}
