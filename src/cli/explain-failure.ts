import { isOutOfFiles } from "../lib/errors.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import { openOutput } from "../snapshot/open-output.js";
import { damageBehind } from "../snapshot/shard-records.js";
import type { CommandContext } from "./context.js";

/** Looks for damage of a snapshot behind an error that is no OffprintError. @returns the error itself if nothing is damaged */
export async function explainedFailure(context: CommandContext, error: unknown): Promise<unknown> {
  if (isOutOfFiles(error) || context.signal.aborted) return error;
  try {
    const { spaces } = await context.spaces({ tokenOptional: true });
    for (const { name, config } of spaces) {
      if (context.space !== undefined && context.space !== name) continue;
      const { store } = openOutput(config.output);
      const manifest = await currentManifest(store);
      const damage = manifest && (await damageBehind(error, store, manifest));
      if (damage !== undefined) return damage;
    }
    return error;
  } catch {
    // A configuration or a store that cannot be read explains nothing.
    return error;
  }
}
