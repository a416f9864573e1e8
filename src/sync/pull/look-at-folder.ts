import { isOffprintError } from "../../lib/errors.js";
import { locateManifest } from "../../snapshot/current-manifest.js";
import { damagedGenerations, generationFile, manifestFile } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { loadState, type State } from "../../snapshot/state.js";
import type { Store } from "../../snapshot/store/store.js";
import { decidePull, type PullStep } from "./decide-pull.js";
import type { PullSource, SourceGeneration } from "./pull-source.js";
import { readPulledNote } from "./pulled-note.js";

/** A folder beside what is to be copied into it. A value. */
export interface Looked {
  /** The source's current generation. */
  found: SourceGeneration;
  /** The folder's. */
  here: Manifest | undefined;
  state: State;
  step: PullStep;
  /** Whether files of the folder's generation were found damaged. */
  isSuspect: boolean;
  /** Whether the folder has the generation, and its pointer says so with the source's bytes: nothing is to be copied. */
  isDone: boolean;
}

/**
 * Compares a folder with a source. A folder whose generation was copied from it asks whether the pointer is the same.
 * @param known What the source has, where it was asked a moment ago.
 * @throws OffprintError as {@link decidePull} and {@link PullSource.current}
 */
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
  // Of another generation than the current one the note says nothing.
  const pulled = note?.checksum === here?.checksum ? note : undefined;
  const tag = isSound && pulled?.from === source.address ? pulled.tag : undefined;
  const asked = known ?? (await source.current(tag));
  if (asked === "same" && isSound) {
    return { found: { manifest: here, pointer, tag }, here, state, step: "same", isSuspect, isDone: true };
  }
  const found = asked === "same" ? await wholeOf(source) : asked;
  const isAsked = here?.held === true && here.checksum !== found.manifest.checksum;
  // What was copied was not rolled back to here, whatever the source still has of it.
  const isKnownThere = isAsked && (pulled !== undefined || (await hasGeneration(source, here)));
  const step = decidePull({ source: found.manifest, here, isKnownThere, replace });
  const isDone = step === "same" && isSound && Buffer.from(pointer).equals(found.pointer);
  return { found, here, state, step, isSuspect, isDone };
}

/** Whether the source has a generation. Storage refuses what is not there, where the key may not list. */
async function hasGeneration(source: PullSource, generation: Manifest): Promise<boolean> {
  try {
    return (await source.generation(generation)) !== undefined;
  } catch (error) {
    if (isOffprintError(error, "STORE_REFUSED")) return false;
    throw error;
  }
}

/** Of what was found damaged, what a copy of the current generation puts right: earlier ones are another matter. */
function damagedHere({ damaged }: State, { generation }: Manifest): string[] {
  const earlier = new Set(damagedGenerations(damaged, generation).map(generationFile));
  return damaged.filter((name) => !earlier.has(name));
}

async function wholeOf(source: PullSource): Promise<SourceGeneration> {
  const found = await source.current();
  if (found === "same") throw new Error("a source says that a pointer is the same, though it was given none");
  return found;
}
