import type { JsonObject } from "../resolve/content-shape.js";
import { nameOf, type RecordShape, shapeFaults } from "./shape-faults.js";
import type { FoundFacts } from "./shard-facts.js";

/** So many are told of a shard, and of a kind of record: keys may be made up anew in every record. */
export const mostFaults = 50;
const longestKey = 200;

/** Collects what of the records of a shard is not as the interface describes it, each once. */
export class ShapeDraft {
  readonly #shape: RecordShape | undefined;
  readonly #faults = new Map<string, FoundFacts["shapeFaults"][number]>();

  constructor(shape: RecordShape | undefined) {
    this.#shape = shape;
  }

  /** @param at position of the record in the shard */
  add(record: JsonObject, at: number): void {
    if (this.#shape === undefined) return;
    for (const fault of shapeFaults(record, this.#shape)) {
      const key = fault.key.slice(0, longestKey);
      const name = nameOf({ key, found: fault.found });
      const known = this.#faults.get(name);
      if (known !== undefined) known[2] += 1;
      else if (this.#faults.size < mostFaults)
        this.#faults.set(name, [key, fault.found, 1, at, fault.path.slice(0, longestKey)]);
    }
  }

  faults(): FoundFacts["shapeFaults"] {
    return [...this.#faults.values()];
  }
}
