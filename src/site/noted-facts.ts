import { anyTag, languagesTag } from "../content/resolve/cache-tags.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";
import type { Note } from "./read-notes.js";
import type { Snapshot } from "./snapshot.js";

/** What is known of a snapshot without a question. */
export type SnapshotFacts = Pick<
  Snapshot,
  ("manifest" | "generation" | "cv" | "level" | "languages" | "version" | "fingerprint") | ("address" | "pointer")
>;

/** The facts as one reader sees them: each one that differs between generations is noted when it is read. */
export class NotedFacts implements SnapshotFacts {
  readonly #facts: SnapshotFacts;
  readonly #note: Note | undefined;

  constructor(facts: SnapshotFacts, note: Note | undefined) {
    this.#facts = facts;
    this.#note = note;
  }

  get manifest() {
    return this.#fact("manifest");
  }
  get generation() {
    return this.#fact("generation");
  }
  get cv() {
    return this.#fact("cv");
  }
  get level() {
    return this.#fact("level");
  }
  get languages() {
    return this.#fact("languages");
  }
  get version() {
    return this.#fact("version");
  }
  get fingerprint() {
    return this.#fact("fingerprint");
  }
  get address() {
    return this.#facts.address;
  }
  get pointer() {
    return this.#facts.pointer;
  }

  #fact<K extends keyof SnapshotFacts>(name: K): SnapshotFacts[K] {
    const value = this.#facts[name];
    const tag = name === "languages" || name === "version" ? languagesTag : anyTag;
    this.#note?.({ question: name, answer: shortHash(JSON.stringify(value)), tags: [tag] });
    return value;
  }
}
