import type { Config } from "../../config/config.js";
import type { Problem } from "../../lib/errors.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { SpaceReading } from "./parts/read-space-record.js";
import { type EditionSpec, editionSpecs, languagesOf } from "./run/editions.js";

/** What there is to read: the editions, and what the space says about itself. */
export interface Scope {
  specs: EditionSpec[];
  /** Undefined where the space was not asked. */
  space: SpaceReading | undefined;
  /** The languages that the space lists beside the default one. Undefined if it was not asked, or lists none that can be read. */
  listed?: readonly string[] | undefined;
  problems: Problem[];
}

/** The scope as far as it is known without a request: with the languages of the last generation. */
export function knownScope(config: Config, previous: Manifest | undefined): Scope {
  const { languages } = languagesOf(config, previous?.space.languages ?? []);
  return { specs: editionSpecs(config, languages), space: undefined, problems: [] };
}
