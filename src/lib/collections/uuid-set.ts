import { probeAt, probeOf, UuidList, type UuidProbe } from "./uuid-list.js";

/** A set of uuids, about 25 bytes each. */
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

/** A hash table with open addressing from uuids to their indexes in a list, about 8 bytes each. */
export class UuidSlots {
  readonly #uuids: UuidList;
  /** By hash: index plus one, or 0 if free. The length is a power of two. */
  #slots: Int32Array;
  #used = 0;

  constructor(uuids: UuidList, room = 8) {
    this.#uuids = uuids;
    this.#slots = new Int32Array(slotsFor(room));
  }

  /** Adds the uuid at this index. Returns -1, or the index of an equal uuid, which stays. */
  put(number: number): number {
    if ((this.#used + 1) * 4 > this.#slots.length * 3) this.#spread();
    const slot = this.#slotOf(number);
    const held = this.#slots[slot]!;
    if (held !== 0) return held - 1;
    this.#slots[slot] = number + 1;
    this.#used++;
    return -1;
  }

  /** True if this index was added, and not an equal uuid before it. */
  holds(number: number): boolean {
    return this.#slots[this.#slotOf(number)] === number + 1;
  }

  numberOf(uuid: string): number {
    return this.#find(probeOf(uuid));
  }

  /** The index of the uuid in bytes at an offset, or -1. */
  numberAt(bytes: Uint8Array, at: number): number {
    const probe = probeAt(bytes, at);
    return probe === undefined ? -1 : this.#find(probe);
  }

  #find(probe: UuidProbe): number {
    const mask = this.#slots.length - 1;
    for (let slot = probe.hash & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot]!;
      if (held === 0) return -1;
      if (this.#uuids.isAt(held - 1, probe)) return held - 1;
    }
  }

  /** The slot of an equal uuid, or the free slot for it. */
  #slotOf(number: number): number {
    const uuids = this.#uuids;
    const mask = this.#slots.length - 1;
    for (let slot = uuids.hashAt(number) & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot]!;
      if (held === 0 || held - 1 === number || uuids.isSame(held - 1, uuids, number)) return slot;
    }
  }

  #spread(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2);
    for (const held of before) if (held !== 0) this.#slots[this.#slotOf(held - 1)] = held;
  }
}

/** A power of two; at most three quarters are used. */
function slotsFor(size: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(8, Math.ceil((size * 4) / 3))));
}
