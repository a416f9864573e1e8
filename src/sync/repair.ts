import { isOffprintError, OffprintError, type Problem } from "../errors.js";
import { recoverPointer } from "../snapshot/generations.js";
import { assetsFolder } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { readOutput } from "../snapshot/open-output.js";
import { saveState } from "../snapshot/state.js";
import { findDamage } from "../snapshot/verify.js";
import { wholeShards } from "../snapshot/whole-shards.js";
import { hasCurrentContent, isBlocked, type SyncRun } from "./sync-run.js";
import { withoutDamage } from "./without-damage.js";

/** Starts from what is there now: another process may have committed since, or have died between commit and pointer. */
export async function recover(run: SyncRun): Promise<void> {
  const { store } = run.output;
  try {
    run.previous = await recoverPointer(store);
  } catch (error) {
    // No manifest verifies: everything is read, and committed as a generation of its own.
    if (run.previous !== undefined || !isOffprintError(error, "SNAPSHOT_DAMAGED")) throw error;
  }
  run.readable = run.previous;
  run.isPointed = true;
  if (run.previous !== undefined) {
    run.state = (await readOutput(run.output)).state;
    run.damaged = run.state.damaged;
    run.contentIsCurrent = (await hasCurrentContent(run.config, run.previous)) && !isBlocked(run.state);
  }
  if (run.damaged.length > 0) await leaveOutDamage(run);
}

/** Finds what of the previous generation is damaged, and leaves it out of what the crawl starts from. */
export async function leaveOutDamage(run: SyncRun): Promise<void> {
  const { previous, output } = run;
  if (previous === undefined) return;
  const noted = run.damaged;
  run.damaged = await findDamage(output.store, previous);
  run.readable = withoutDamage(previous, run.damaged);
  // What was noted and is whole by now is the generation's own file, which the recovery has put right.
  const names = run.damaged.length > 0 ? run.damaged : noted;
  if (names.length === 0) return;
  const message = `Generation ${previous.generation} is damaged: ${names.join(", ")}.`;
  if (!run.repairs.some((repair) => repair.message === message)) {
    run.repairs.push(repaired(new OffprintError("SNAPSHOT_DAMAGED", message)));
  }
  if (run.options.dryRun) return;
  run.state = { ...run.state, generation: previous.generation, damaged: [...run.damaged] };
  await saveState(output.store, run.state);
  // The bytes are not those that the name stands for: the asset is fetched again.
  for (const name of run.damaged) if (name.startsWith(`${assetsFolder}/`)) await output.store.remove(name);
}

export function repaired(damage: OffprintError): Problem {
  return {
    ...damage.toProblem(),
    hint: "It is put right by this sync. Files do not change by themselves: look after the disk.",
  };
}

/** What the new generation is compared with: of the damaged parts those shards that are whole. */
export async function comparable(run: SyncRun): Promise<Manifest | undefined> {
  const { previous, readable } = run;
  if (previous === undefined || readable === previous) return previous;
  return { ...previous, parts: await wholeShards(run.output.store, previous, Object.keys(readable?.parts ?? {})) };
}
