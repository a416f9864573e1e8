import type { JsonObject } from "../resolve/content-shape.js";
import { nameOf, type RecordShape, shapeFaults } from "./record-shape.js";
import type { FoundFacts } from "./shard-facts.js";

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
      const name = nameOf(fault);
      const known = this.#faults.get(name);
      if (known === undefined) this.#faults.set(name, [fault.key, fault.found, 1, at, fault.path]);
      else known[2] += 1;
    }
  }

  faults(): FoundFacts["shapeFaults"] {
    return [...this.#faults.values()];
  }
}
