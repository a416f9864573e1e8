import { plural, size } from "../lib/quantity-text.js";
import { listGenerations } from "../snapshot/current-manifest.js";
import { sizesIn } from "../snapshot/generation-files.js";
import { assetsFolder, snapshotFolder } from "../snapshot/layout.js";
import type { Store } from "../snapshot/store/store.js";

/** How many generations are kept, and the bytes of all their files together. */
export interface KeptGenerations {
  count: number;
  bytes: number;
}

export async function keptGenerations(store: Store): Promise<KeptGenerations> {
  const files = [await sizesIn(store, snapshotFolder), await sizesIn(store, assetsFolder)];
  const bytes = files.flatMap((sizes) => [...sizes.values()]).reduce((sum, each) => sum + each, 0);
  return { count: (await listGenerations(store)).length, bytes };
}

export function keptLine({ count, bytes }: KeptGenerations): string {
  const together = count === 1 ? "" : " together";
  return `kept         ${plural(count, "generation")}, ${size(bytes)}${together}`;
}
