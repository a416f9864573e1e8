import type { Config } from "../config/config.js";
import { plural, size } from "../lib/quantity-text.js";
import { listGenerations } from "../snapshot/current-manifest.js";
import { sizesIn } from "../snapshot/generation-files.js";
import { assetsFolder, snapshotFolder } from "../snapshot/layout.js";
import { openOutput } from "../snapshot/open-output.js";
import type { Store } from "../snapshot/store/store.js";
import type { KeptSnapshot } from "../watch/telemetry/metrics.js";

/** How many generations are kept, and the bytes of all their files together. */
export async function keptGenerations(store: Store) {
  const files = [await sizesIn(store, snapshotFolder), await sizesIn(store, assetsFolder)];
  const bytes = files.flatMap((sizes) => [...sizes.values()]).reduce((sum, each) => sum + each, 0);
  return { count: (await listGenerations(store)).length, bytes };
}

/** {@link keptGenerations} for metrics; undefined if the output cannot be read: a sync tells why. */
export async function keptSnapshot(
  { output }: Pick<Config, "output">,
  generation: number | null,
): Promise<KeptSnapshot | undefined> {
  if (generation === null) return undefined;
  const { store } = openOutput(output);
  try {
    if (output.store !== undefined) return { generation, generations: (await listGenerations(store)).length };
    const { count, bytes } = await keptGenerations(store);
    return { generation, generations: count, bytes };
  } catch {
    return undefined;
  }
}

export function keptLine({ count, bytes }: Awaited<ReturnType<typeof keptGenerations>>): string {
  const together = count === 1 ? "" : " together";
  return `kept         ${plural(count, "generation")}, ${size(bytes)}${together}`;
}
