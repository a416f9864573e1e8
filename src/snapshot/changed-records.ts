import { diffPart, type RecordChange } from "./diff-part.js";
import type { Manifest } from "./manifest.js";
import { kindOf } from "./part-kinds.js";
import type { Store } from "./store/store.js";

/**
 * The stories and variants of all editions that differ between two generations.
 * @param before undefined: all of `after` differ.
 * @param kind `variants`: without the stories.
 */
export async function* changedRecords(
  store: Store,
  before: Pick<Manifest, "parts"> | undefined,
  after: Pick<Manifest, "parts">,
  kind: "all" | "variants" = "all",
): AsyncGenerator<RecordChange> {
  const names = new Set([...Object.keys(before?.parts ?? {}), ...Object.keys(after.parts)]);
  for (const part of [...names].sort()) {
    const isStories = kind === "all" && kindOf(part) === "stories";
    if (!isStories && kindOf(part) !== "variants") continue;
    yield* diffPart(store, part, before?.parts[part], after.parts[part]);
  }
}
