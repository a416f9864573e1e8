import { partsHash } from "../../snapshot/compare-stories.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import type { Store } from "../../snapshot/store/store.js";
import type { ContentInputs } from "./content-inputs.js";
import { planBasis } from "./kept-plan.js";
import { readNotes, withChecksum } from "./notes-checksum.js";
import { recordFormat } from "./tree-record.js";

/** In the content folder while a long export runs: an export after one that was interrupted goes on from there. */
const begunFile = ".offprint-begun.json";
/** After so many parts the file is written again. */
const partsEach = 4;

/** The parts of the record of which an export has put every file in its place. */
export class BegunParts {
  /** Of an export before this one of the same generation and settings: the hash of each part by its name. */
  readonly known: ReadonlyMap<string, string>;
  readonly #store: Store;
  /** Hash of the generation and of all settings: an export of another basis knows nothing of these files. */
  readonly #basis: string | null;
  #isThere: boolean;
  /** How many parts of this export the file has. */
  #noted = 0;

  /** Reads what an export before this one has begun. @param store rooted at the content folder */
  static async read(store: Store, inputs: ContentInputs): Promise<BegunParts> {
    const plan = planBasis(inputs);
    const basis = plan && shortHash(`${recordFormat} ${partsHash(inputs.reader.manifest)} ${plan}`);
    return new BegunParts(store, basis, await store.get(begunFile));
  }

  private constructor(store: Store, basis: string | null, bytes: Uint8Array | undefined) {
    this.#store = store;
    this.#basis = basis;
    this.#isThere = bytes !== undefined;
    this.known = new Map(bytes === undefined || basis === null ? [] : partsIn(bytes, basis));
  }

  /** Notes the parts that this export has written, where there are some more. */
  async note(written: ReadonlyMap<string, string>): Promise<void> {
    if (this.#basis === null || written.size < this.#noted + partsEach) return;
    this.#noted = written.size;
    this.#isThere = true;
    const parts = [...new Map([...this.known, ...written])];
    await this.#store.put(begunFile, Buffer.from(withChecksum(JSON.stringify({ basis: this.#basis, parts }))));
  }

  /** Removes the file, before the index says that the export has ended. */
  async remove(): Promise<void> {
    if (this.#isThere) await this.#store.remove(begunFile);
  }
}

/** None if the file is damaged, or of another basis. */
function partsIn(bytes: Uint8Array, basis: string): [name: string, hash: string][] {
  // The checksum proves that `note` wrote this.
  const found = readNotes(bytes)?.notes as { basis: string; parts: [string, string][] } | undefined;
  return found?.basis === basis ? found.parts : [];
}
