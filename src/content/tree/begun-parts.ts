import { bufferOver } from "../../lib/buffer-over.js";
import { partsHash } from "../../snapshot/parts-hash.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import type { Store } from "../../snapshot/store/store.js";
import type { ContentInputs } from "./content-inputs.js";
import { planBasis } from "./kept-plan.js";
import { fitsChecksum, withChecksum } from "./notes-checksum.js";
import { recordFormat } from "./tree-record.js";

/** In the content folder while a long export runs: an export after one that was interrupted goes on from there. */
export const begunFile = ".offprint-begun.json";

/** The parts of the record of which an export has put every file in its place. */
export interface BegunParts {
  /** Hash of the generation and of all settings: one of another basis knows nothing of these files. */
  basis: string | null;
  /** The hash of each part by its name. */
  parts: ReadonlyMap<string, string>;
  /** True if the folder has such a file, whatever it says. */
  isThere: boolean;
}

/** What an export before this one has begun, if it was of the same generation and settings. */
export async function readBegunParts(store: Store, inputs: ContentInputs): Promise<BegunParts> {
  const plan = planBasis(inputs);
  const basis = plan && shortHash(`${recordFormat} ${partsHash(inputs.reader.manifest)} ${plan}`);
  const bytes = await store.get(begunFile);
  const isThere = bytes !== undefined;
  if (!isThere || basis === null || fitsChecksum(bytes) !== true) return { basis, parts: new Map(), isThere };
  // The checksum proves that `begunText` wrote this.
  const found = JSON.parse(bufferOver(bytes).toString("utf8")) as { basis: string; parts: [string, string][] };
  return { basis, parts: new Map(found.basis === basis ? found.parts : []), isThere };
}

export function begunText({ basis, parts }: Pick<BegunParts, "basis" | "parts">): string {
  return withChecksum(JSON.stringify({ basis, parts: [...parts] }));
}
