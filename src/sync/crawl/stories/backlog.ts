import { UuidSet } from "../../../lib/collections/uuid-set.js";

/** How far an edition has come that is read for the first time while its version's index rows are staged already. */
export class Backlog {
  readonly #readUntil: string;
  readonly #done = new UuidSet();

  /** @param readUntil all uuids up to this one were asked for, in code-unit order; "" where none was */
  constructor(readUntil: string) {
    this.#readUntil = readUntil;
  }

  isOpen(uuid: string): boolean {
    return uuid > this.#readUntil && !this.#done.has(uuid);
  }

  note(uuids: readonly string[]): void {
    for (const uuid of uuids) this.#done.add(uuid);
  }

  /** The last of these stories before the first one that was not asked for. */
  readUntil(uuids: Iterable<string>): string {
    let until = this.#readUntil;
    for (const uuid of [...uuids].sort()) {
      if (uuid <= until) continue;
      if (!this.#done.has(uuid)) break;
      until = uuid;
    }
    return until;
  }
}
