import type { Config } from "../config/config.js";
import { hasContent } from "../content/tree/content-folder.js";
import { OffprintError, type Problem } from "../lib/errors.js";
import { orUndefined } from "../lib/or-undefined.js";
import { assetsFolder, damagedGenerations, generationFile, parts as partNames } from "../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import { baseEdition } from "../snapshot/manifest.js";
import { readDamagedOutput, readOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import { kindOf } from "../snapshot/part-kinds.js";
import { wholeShards } from "../snapshot/shard-records.js";
import { type State, saveState } from "../snapshot/state.js";
import { findDamage } from "../snapshot/verify/verify.js";
import { recoverPointer } from "../snapshot/write/commit.js";
import { type Env, lookAtFiles } from "./look-at-files.js";

/** What a sync starts from: contents and state of the output folder. Immutable. */
export interface Base {
  /** The current generation in the folder, of any space; null: none. The next commit follows it. */
  readonly head: number | null;
  /** {@link head} at the time the lock was taken: a different head is a commit of this sync. */
  readonly headAtLock: number | null;
  /** The current generation, if it is of the configured space. */
  readonly previous: Manifest | undefined;
  /** {@link previous} without its damaged parts, which are read again. */
  readonly usable: Manifest | undefined;
  /** Names of its damaged parts and asset files, or of the manifest. */
  readonly damaged: readonly string[];
  readonly repairs: readonly Problem[];
  /** True if the pointer has the current generation's manifest and needs no repair. */
  readonly isPointed: boolean;
  readonly state: State;
  /** True if the content tree is complete and current; true if none is configured. */
  readonly contentIsCurrent: boolean;
}

/** Reads the folder without its lock: others may write. @param env with `CI`, sizes count too */
export async function openBase(output: Output, config: Config, env: Env = {}): Promise<Base> {
  const { manifest, state, isPointed, damage } = await readDamagedOutput(output);
  const head = manifest?.generation ?? null;
  const generation = { head, headAtLock: head, previous: manifest, usable: manifest };
  return withFiles(output, config, env, {
    ...generation,
    repairs: damage === undefined ? [] : [repaired(damage)],
    isPointed: isPointed || (manifest === undefined && damage === undefined),
    state,
  });
}

/** Another process may have committed, or died between commit and pointer. @param before without the lock */
export async function recoverBase(output: Output, config: Config, before: Base, env: Env = {}): Promise<Base> {
  const recovering = recoverPointer(output.store);
  // If no manifest verifies: read everything and commit it as a new generation.
  const manifest = await (before.previous === undefined ? orUndefined(recovering, "SNAPSHOT_DAMAGED") : recovering);
  const head = manifest?.generation ?? null;
  const recovered = { ...before, head, headAtLock: head, previous: manifest, usable: manifest, isPointed: true };
  if (manifest === undefined) return withDamageFound(output, recovered);
  const { state } = await readOutput(output);
  return withDamageFound(output, await withFiles(output, config, env, { ...recovered, state }));
}

/** The base with what its files show. */
async function withFiles(
  output: Output,
  config: Config,
  env: Env,
  base: Omit<Base, "damaged" | "contentIsCurrent">,
): Promise<Base> {
  const { previous: manifest, state, repairs } = base;
  const found = await lookAtFiles(output, config, { manifest, state, env });
  const known = new Set(repairs.map(({ message }) => message));
  return {
    ...base,
    damaged: [...new Set([...state.damaged, ...found.damaged])],
    repairs: [...repairs, ...found.repairs.filter(({ message }) => !known.has(message))],
    contentIsCurrent: found.contentIsCurrent && !isBlocked(state),
  };
}

async function withDamageFound(output: Output, base: Base): Promise<Base> {
  return base.damaged.length > 0 ? leaveOutDamage(output, base) : base;
}

/** Checks every file and leaves out damaged ones. Notes them for the next sync, unless in a dry run (`writes`). */
export async function leaveOutDamage({ store }: Output, base: Base, writes = true): Promise<Base> {
  const { previous, repairs, state } = base;
  if (previous === undefined) return base;
  const here = await findDamage(store, previous);
  // Pruning checks old generations again.
  const old = damagedGenerations(base.damaged, previous.generation).map(generationFile);
  const damaged = [...here, ...old];
  const found = { ...base, damaged, usable: withoutDamage(previous, here) };
  // A noted file that is whole by now is the generation's own manifest, which the recovery repaired.
  const names = here.length > 0 ? here : base.damaged.filter((name) => !old.includes(name));
  if (names.length === 0) return found;
  const message = `Generation ${previous.generation} is damaged: ${names.join(", ")}.`;
  const isKnown = repairs.some((repair) => repair.message === message);
  const noted = {
    ...found,
    repairs: isKnown ? repairs : [...repairs, repaired(new OffprintError("SNAPSHOT_DAMAGED", message))],
  };
  if (!writes) return noted;
  const next: State = { ...state, generation: previous.generation, damaged: [...damaged] };
  await saveState(store, next);
  // The bytes do not match the name's hash: fetch the asset again.
  for (const name of damaged) if (name.startsWith(`${assetsFolder}/`)) await store.remove(name);
  return { ...noted, state: next };
}

/** The base after this sync met damage in stage or generation: check and render everything. */
export async function recheckBase(output: Output, config: Config, before: Base, met: OffprintError): Promise<Base> {
  const found = await leaveOutDamage(output, await recoverBase(output, config, before));
  return {
    ...found,
    headAtLock: before.headAtLock,
    repairs: found.damaged.length > 0 ? found.repairs : [...found.repairs, repaired(met)],
    contentIsCurrent: !hasContent(config),
  };
}

export function replacedBase(base: Base): Base {
  return { ...base, previous: undefined, usable: undefined };
}

/** The generation to compare the new one with: of damaged parts, only the shards that are whole. */
export async function comparisonBase({ store }: Output, { previous, usable }: Base): Promise<Manifest | undefined> {
  if (previous === undefined || usable === previous) return previous;
  return { ...previous, parts: await wholeShards(store, previous, Object.keys(usable?.parts ?? {})) };
}

/** A foreign file was in the place of a content file: every sync checks whether it is gone. */
function isBlocked({ contentProblems }: State): boolean {
  return contentProblems.some(({ code }) => code === "CONTENT_BLOCKED");
}

function repaired(damage: OffprintError): Problem {
  return {
    ...damage.toProblem(),
    hint: "This sync will repair it. Stored files should never change; check the disk.",
  };
}

/** Damaged stories cost their edition; rows, tags or base stories cost all editions of the version. Pure. */
export function withoutDamage(manifest: Manifest, damaged: readonly string[]): Manifest {
  const lost = new Set(damaged.filter((name) => manifest.parts[name] !== undefined || kindOf(name) === "stories"));
  if (lost.size === 0) return manifest;
  const editions = manifest.editions.filter((edition) => !isLost(edition, manifest.editions, lost));
  const kept = new Set(editions.map(({ name }) => name));
  const parts = Object.entries(manifest.parts).filter(([part]) => {
    const edition = manifest.editions.find(
      ({ name }) => part === partNames.stories(name) || part === partNames.variants(name),
    );
    return !lost.has(part) && (edition === undefined || kept.has(edition.name));
  });
  return { ...manifest, editions, parts: Object.fromEntries(parts) };
}

function isLost(edition: EditionEntry, editions: readonly EditionEntry[], lost: ReadonlySet<string>): boolean {
  if (lost.has(partNames.stories(edition.name))) return true;
  if (edition.release !== null) return false;
  if (lost.has(partNames.links(edition.version)) || lost.has(partNames.tags(edition.version))) return true;
  const languages = editions.filter(({ version, release }) => version === edition.version && release === null);
  return lost.has(partNames.stories(baseEdition(languages).name));
}
