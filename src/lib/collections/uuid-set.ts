import { UuidList } from "./uuid-list.js";
import { UuidSlots } from "./uuid-slots.js";

/** Different uuids, in some 25 bytes each. */
export class UuidSet implements Iterable<string> {
  readonly #uuids = new UuidList();
  readonly #slots = new UuidSlots(this.#uuids);

  constructor(uuids: Iterable<string> = []) {
    for (const uuid of uuids) this.add(uuid);
  }

  get size(): number {
    return this.#uuids.length;
  }

  add(uuid: string): void {
    if (!this.has(uuid)) this.#slots.put(this.#uuids.push(uuid));
  }

  has(uuid: string): boolean {
    return this.#slots.numberOf(uuid) >= 0;
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#uuids[Symbol.iterator]();
  }
}
