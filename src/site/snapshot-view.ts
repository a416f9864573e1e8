import { anyTag, languagesTag } from "../content/resolve/cache-tags.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";
import type { Note } from "./read-notes.js";
import type { Snapshot } from "./snapshot.js";

/** What is known of a snapshot without a question. */
export type SnapshotFacts = Pick<
  Snapshot,
  ("manifest" | "generation" | "cv" | "level" | "languages" | "version" | "fingerprint") | ("address" | "pointer")
>;

type Questions = Omit<Snapshot, keyof SnapshotFacts | typeof Symbol.asyncDispose>;

/** A snapshot as one reader sees it. Creating one costs little: each tracked page has its own. */
export class SnapshotView implements Snapshot {
  readonly #facts: SnapshotFacts;
  readonly #note: Note | undefined;
  readonly story: Snapshot["story"];
  readonly stories: Snapshot["stories"];
  readonly references: Snapshot["references"];
  readonly page: Snapshot["page"];
  readonly translations: Snapshot["translations"];
  readonly components: Snapshot["components"];
  readonly terms: Snapshot["terms"];
  readonly datasources: Snapshot["datasources"];
  readonly datasource: Snapshot["datasource"];
  readonly redirects: Snapshot["redirects"];
  readonly asset: Snapshot["asset"];
  readonly html: Snapshot["html"];
  readonly markdown: Snapshot["markdown"];
  readonly text: Snapshot["text"];
  readonly track: Snapshot["track"];
  readonly close: Snapshot["close"];

  constructor(facts: SnapshotFacts, note: Note | undefined, questions: Questions) {
    this.#facts = facts;
    this.#note = note;
    this.story = questions.story;
    this.stories = questions.stories;
    this.references = questions.references;
    this.page = questions.page;
    this.translations = questions.translations;
    this.components = questions.components;
    this.terms = questions.terms;
    this.datasources = questions.datasources;
    this.datasource = questions.datasource;
    this.redirects = questions.redirects;
    this.asset = questions.asset;
    this.html = questions.html;
    this.markdown = questions.markdown;
    this.text = questions.text;
    this.track = questions.track;
    this.close = questions.close;
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

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Most facts differ in every generation. */
  #fact<K extends keyof SnapshotFacts>(name: K): SnapshotFacts[K] {
    const value = this.#facts[name];
    const tag = name === "languages" || name === "version" ? languagesTag : anyTag;
    this.#note?.({ question: name, answer: shortHash(JSON.stringify(value)), tags: [tag] });
    return value;
  }
}
