import type { Config } from "../../config/config.js";
import { hasContent } from "../../content/tree/content-folder.js";
import { isContentCurrent } from "../../content/tree/is-content-current.js";
import { isOffprintError, OffprintError, type Problem } from "../../lib/errors.js";
import { parseAs } from "../../lib/parse-as.js";
import { object, oneOf, optional, text, wholeNumber } from "../../lib/shape.js";
import { locateManifest } from "../../snapshot/current-manifest.js";
import { damagedGenerations, generationFile, manifestFile, pulledFile } from "../../snapshot/layout.js";
import { type Manifest, spaceText } from "../../snapshot/manifest.js";
import { loadState, type State } from "../../snapshot/state.js";
import type { Store } from "../../snapshot/store/store.js";
import type { PullSource, SourceGeneration } from "./pull-source.js";

export interface Looked {
  found: SourceGeneration;
  here: Manifest | undefined;
  state: State;
  step: PullStep;
  isSuspect: boolean;
  /** True if the folder has the generation, and the source's pointer bytes: nothing to copy. */
  isDone: boolean;
}

/** If its generation is from there, asks only whether the pointer is the same. @param known if just read */
export async function lookAtFolder(
  store: Store,
  source: PullSource,
  { replace = false, known }: { replace?: boolean | undefined; known?: SourceGeneration | undefined },
): Promise<Looked> {
  const { manifest: here, isPointed } = await locateManifest(store);
  const loaded = await loadState(store);
  const isOwn = here !== undefined && loaded.generation === here.generation;
  const state = isOwn ? loaded : { ...loaded, damaged: [], contentProblems: [] };
  const isSuspect = here !== undefined && damagedHere(state, here).length > 0;
  const pointer = isPointed ? await store.get(manifestFile) : undefined;
  const isSound = here !== undefined && pointer !== undefined && !isSuspect;
  const note = await readPulledNote(store);
  // The note only describes the generation that it was written for.
  const pulled = note?.checksum === here?.checksum ? note : undefined;
  const tag = isSound && pulled?.from === source.address ? pulled.tag : undefined;
  const asked = known ?? (await source.current(tag));
  if (asked === "same" && isSound) {
    return { found: { manifest: here, pointer, tag }, here, state, step: "same", isSuspect, isDone: true };
  }
  const found = asked === "same" ? await wholeOf(source) : asked;
  const isAsked = here?.held === true && here.checksum !== found.manifest.checksum;
  // A copied generation was not rolled back to here, even if the source has dropped it.
  const isKnownThere = isAsked && (pulled !== undefined || (await hasGeneration(source, here)));
  const step = decidePull({ source: found.manifest, here, isKnownThere, replace });
  const isDone = step === "same" && isSound && Buffer.from(pointer).equals(found.pointer);
  return { found, here, state, step, isSuspect, isDone };
}

/** True without content, too. @param known of the last export: a file that was in the way is checked again */
export async function contentIsWhole(config: Config, manifest: Manifest, known: readonly Problem[]): Promise<boolean> {
  if (hasContent(config) && known.some(({ code }) => code === "CONTENT_BLOCKED")) return false;
  return isContentCurrent(config, manifest);
}

/** Storage refuses a missing object to a key that may not list. */
async function hasGeneration(source: PullSource, generation: Manifest): Promise<boolean> {
  try {
    return (await source.generation(generation)) !== undefined;
  } catch (error) {
    if (isOffprintError(error, "STORE_REFUSED")) return false;
    throw error;
  }
}

/** The damage that a copy of the current generation repairs: not that of earlier ones. */
function damagedHere({ damaged }: State, { generation }: Manifest): string[] {
  const earlier = new Set(damagedGenerations(damaged, generation).map(generationFile));
  return damaged.filter((name) => !earlier.has(name));
}

async function wholeOf(source: PullSource): Promise<SourceGeneration> {
  const found = await source.current();
  if (found === "same") throw new Error("a source says that a pointer is the same, though it was given none");
  return found;
}

/** `replace`: the folder's data is discarded; `held`: a generation that was rolled back to stays. */
export type PullStep = "same" | "forward" | "replace" | "held";

export interface PullCase {
  source: Manifest;
  here: Manifest | undefined;
  /** True if the source has the folder's generation, too; only checked if that is held. */
  isKnownThere: boolean;
  replace: boolean;
}

/** Pure. @throws OffprintError, unless with `replace`: `SPACE_MISMATCH`; `SNAPSHOT_AHEAD` if not from the source */
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

/** By the id of the space if both have it, else by the address that was read. */
function isSameSpace({ space: a }: Manifest, { space: b }: Manifest): boolean {
  return a.id !== null && b.id !== null ? a.id === b.id : a.source === b.source;
}

function otherSpace(here: Manifest, source: Manifest): OffprintError {
  const what = `The output folder has the snapshot of ${spaceText(here)}; the pull source has ${spaceText(source)}.`;
  return new OffprintError("SPACE_MISMATCH", what, {
    hint: "Check the address, or choose another output.dir. To replace the snapshot, run `offprint pull --replace`.",
  });
}

function ahead(here: Manifest, source: Manifest): OffprintError {
  const number = here.generation === source.generation ? "a different one of that number" : "which is not newer";
  const what = `The output folder has generation ${here.generation}; the pull source has generation ${source.generation}, ${number}.`;
  return new OffprintError("SNAPSHOT_AHEAD", what, {
    hint: "The folder was synced separately, or the source was started again. To take the source's generation, run `offprint pull --replace`.",
  });
}

const noteFormat = 1;

export interface PulledNote {
  format: typeof noteFormat;
  from: string;
  /** The tag of the source's pointer; undefined if it has none. */
  tag?: string | undefined;
  /** The manifest's: the note describes no other generation. */
  checksum: string;
  generation?: number | undefined;
}

const noteShape = object<PulledNote>({
  format: oneOf(noteFormat),
  from: text,
  tag: optional(text),
  checksum: text,
  generation: optional(wholeNumber),
});

/** The note; undefined if missing or damaged. */
export async function readPulledNote(store: Store): Promise<PulledNote | undefined> {
  return parseAs(await store.get(pulledFile), noteShape);
}

export async function notePulled(store: Store, note: Omit<PulledNote, "format">): Promise<void> {
  const written: PulledNote = { format: noteFormat, ...note };
  await store.replace(pulledFile, Buffer.from(`${JSON.stringify(written)}\n`));
}
