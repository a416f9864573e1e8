import { hasContent } from "../content/tree/content-folder.js";
import { exportGeneration } from "../content/tree/export-generation.js";
import { OffprintError } from "../lib/errors.js";
import { orUndefined } from "../lib/or-undefined.js";
import { sameGeneration } from "../snapshot/compare-stories.js";
import { currentManifest, listGenerations, readManifest } from "../snapshot/current-manifest.js";
import type { Manifest } from "../snapshot/manifest.js";
import { noteContentProblems, noteDamageHere, openOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import { verifyShards } from "../snapshot/reader/load-shards.js";
import { loadState } from "../snapshot/state.js";
import { verifySnapshot } from "../snapshot/verify/verify.js";
import { commit, recoverPointer } from "../snapshot/write/commit.js";
import type { CommandContext } from "./context.js";
import { incompleteness, printExitCause } from "./exit-cause.js";
import { assertOneName, namedGeneration } from "./generation-at.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { summarizeProblems } from "./report-failure.js";

/** `offprint rollback [generation]`: commits an earlier state and holds it: sync changes nothing until `--release`. */
export async function runRollback(
  context: CommandContext,
  target: number | undefined,
  flags: { release?: boolean; at?: string },
): Promise<number> {
  if (flags.at !== undefined) {
    assertOneName("--at", flags.release ? "--release" : target === undefined ? undefined : `the number ${target}`);
  }
  const config = await context.config({ tokenOptional: true });
  const output = openOutput(config.output);
  if ((await currentManifest(output.store)) === undefined) throw missingSnapshot(config);
  const lock = await output.lock();
  try {
    const current = await recoverPointer(output.store);
    if (current === undefined) throw missingSnapshot(config);
    const named = flags.at && (await namedGeneration(context.terminal, output.store, flags.at, "--at"));
    const chosen = flags.release
      ? releasable(current)
      : await earlier(output.store, current, named ? named.generation : target);
    const damaged = flags.release ? await damageOf(output.store, chosen) : await noDamage(output.store, chosen);
    await lock.assertHeld();
    const { spaceProblems } = await loadState(output.store);
    const { generation, previous, committedAt, checksum, confirmed, assumedLagMs, ...state } = chosen;
    const manifest = await commit(
      output.store,
      { ...state, held: flags.release !== true },
      { base: current.generation },
    );
    if (damaged.length > 0) await noteDamageHere(output.store, manifest, damaged);
    const rendered =
      hasContent(config) && damaged.length === 0
        ? await exportGeneration({ config, output: output.store, manifest, assertHeld: () => lock.assertHeld() })
        : undefined;
    // The next sync reports only problems that this state did not have.
    if (rendered !== undefined) await noteContentProblems(output, manifest, rendered.problems, spaceProblems);
    const blocked = (rendered?.problems ?? []).filter(({ code }) => code === "CONTENT_BLOCKED");
    const cause = incompleteness(blocked, { onFailure: "keep" });

    const { terminal } = context;
    const mark = cause === undefined ? terminal.paint("green", "✔") : terminal.paint("yellow", "!");
    summarizeProblems(context, blocked, "yellow");
    terminal.say(
      flags.release
        ? `${mark} Generation ${manifest.generation} is released: the next sync brings it up to the space.`
        : `${mark} Generation ${manifest.generation} is the state of generation ${chosen.generation}, held. \`offprint rollback --release\` lets sync go on.`,
    );
    terminal.document({ schema: 1, generation: manifest.generation, from: chosen.generation, held: manifest.held });
    return printExitCause(context, cause);
  } finally {
    await lock.release();
  }
}

type Store = Output["store"];

async function noDamage(store: Store, manifest: Manifest): Promise<string[]> {
  await verifyShards(store, manifest);
  return [];
}

/** Damage of the current generation. It does not prevent a release: only a sync can read the files again. */
async function damageOf(store: Store, current: Manifest): Promise<string[]> {
  const none = await orUndefined(noDamage(store, current), "SNAPSHOT_DAMAGED");
  return none ?? (await verifySnapshot(store, { deep: true })).damaged;
}

function releasable(current: Manifest): Manifest {
  if (current.held) return current;
  throw new OffprintError("USAGE", `Generation ${current.generation} is not held.`, {
    hint: "`offprint rollback` without --release goes back to an earlier generation.",
  });
}

async function earlier(store: Store, current: Manifest, target: number | undefined): Promise<Manifest> {
  if (target === current.generation) {
    throw new OffprintError("USAGE", `Generation ${target} is the current one.`, { hint: "Name an earlier one." });
  }
  const earlierOnes = (await listGenerations(store)).filter((number) => number < current.generation);
  const generation = target ?? (current.held ? await beforeHeld(store, current, earlierOnes) : earlierOnes.at(-1));
  if (generation !== undefined) return readManifest(store, generation);
  throw new OffprintError("SNAPSHOT_MISSING", `No generation before ${current.generation} is kept.`, {
    hint: "output.keepGenerations says how many are.",
  });
}

/** The generation before the held state: a second rollback goes one step further back. */
async function beforeHeld(store: Store, held: Manifest, generations: readonly number[]): Promise<number | undefined> {
  let restored: number | undefined;
  for (const generation of generations.toReversed()) {
    const isThis = sameGeneration(await readManifest(store, generation), held);
    if (restored !== undefined && !isThis) return generation;
    if (isThis) restored = generation;
  }
  return undefined;
}
