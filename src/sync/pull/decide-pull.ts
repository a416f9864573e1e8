import { OffprintError } from "../../lib/errors.js";
import type { Manifest } from "../../snapshot/manifest.js";

/**
 * What a pull does to a folder: `same`: it has the generation; `forward`: the generation is newer than all that is there;
 * `replace`: what is there is given up for it; `held`: a generation that was rolled back to here stays.
 */
export type PullStep = "same" | "forward" | "replace" | "held";

export interface PullCase {
  /** The current generation of the source. */
  source: Manifest;
  /** The current generation of the folder. */
  here: Manifest | undefined;
  /** Whether the source has the folder's generation too; only asked where that is held. */
  isKnownThere: boolean;
  /** Whether what is here may be given up. */
  replace: boolean;
}

/**
 * Decides what a pull does. Pure.
 * @throws OffprintError `SPACE_MISMATCH` where the folder has another space, `SNAPSHOT_AHEAD` where it has a generation that
 * does not come from the source; both not with `replace`
 */
export function decidePull({ source, here, isKnownThere, replace }: PullCase): PullStep {
  if (here === undefined) return "forward";
  if (here.checksum === source.checksum) return "same";
  const isNewer = source.generation > here.generation;
  if (replace) return isNewer ? "forward" : "replace";
  if (!isSameSpace(here, source)) throw otherSpace(here, source);
  if (here.held && !isKnownThere) return "held";
  if (!isNewer) throw ahead(here, source);
  return "forward";
}

/** By the id of the space where both tell it, else by the address that was read. */
function isSameSpace({ space: a }: Manifest, { space: b }: Manifest): boolean {
  return a.id !== null && b.id !== null ? a.id === b.id : a.source === b.source;
}

function otherSpace(here: Manifest, source: Manifest): OffprintError {
  return new OffprintError(
    "SPACE_MISMATCH",
    `The output folder holds the snapshot of ${nameOf(here)}; the source of the pull has ${nameOf(source)}.`,
    { hint: "Check the address, or choose another output.dir. `offprint pull --replace` replaces the snapshot." },
  );
}

function ahead(here: Manifest, source: Manifest): OffprintError {
  const number = here.generation === source.generation ? "another generation of that number" : "no newer one";
  return new OffprintError(
    "SNAPSHOT_AHEAD",
    `The output folder holds generation ${here.generation}; the source of the pull has generation ${source.generation}, ${number}.`,
    {
      hint: "The folder was synced by itself, or the source was begun anew. `offprint pull --replace` takes what the source has.",
    },
  );
}

function nameOf({ space }: Manifest): string {
  return `space ${space.id ?? "of unknown id"}${space.name === null ? "" : ` (${space.name})`} from ${space.source}`;
}
