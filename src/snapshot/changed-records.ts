import type { Store } from "../store/store.js";
import { diffPart, type RecordChange } from "./diff-part.js";
import type { Manifest } from "./manifest.js";
import { kindOf } from "./part-kinds.js";

/**
 * Every story and variant, of all editions, that differs between two generations; `before` undefined: every one.
 * @param kind `variants` alone, where the stories are known already.
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
