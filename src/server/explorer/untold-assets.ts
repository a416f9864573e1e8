import { altMissing } from "../../content/check/rules/alt-missing.js";
import type { CheckResult } from "../../content/check/run-check.js";
import { originalAssetUrl } from "../../content/resolve/asset-urls.js";
import { visitValue } from "../../content/resolve/rewrite-value.js";
import { isObject } from "../../lib/shape.js";
import type { GenerationView } from "../replica/generation-view.js";
import type { Sliced } from "../replica/query/slices.js";
import { perGeneration } from "./per-generation.js";

const found = perGeneration<ReadonlySet<string>>(1);

/** The addresses of the pictures that a check found without an alternative text in some place where they are used. */
export function untoldAssets(view: GenerationView, { findings }: CheckResult): Promise<ReadonlySet<string>> {
  return found(view, "", async () => {
    const users = new Map<string, Set<string>>();
    for (const { code, story } of findings) {
      if (code !== altMissing.code || story === null) continue;
      users.set(story.edition, (users.get(story.edition) ?? new Set()).add(story.uuid));
    }
    const addresses = new Set<string>();
    for (const [edition, uuids] of users) {
      await view.stories(edition).prepareUuids();
      await view.slices.run(addUntold(view, edition, uuids, addresses));
    }
    return addresses;
  });
}

function* addUntold(view: GenerationView, edition: string, uuids: Iterable<string>, into: Set<string>): Sliced<void> {
  const rows = view.stories(edition);
  for (const uuid of uuids) {
    const row = rows.rowOf(uuid);
    if (row === undefined) continue;
    visitValue(rows.content(row), (value) => {
      if (!isObject(value)) return;
      altMissing.object?.(value, (wrong) => {
        const address = originalAssetUrl(wrong.replace(/^\d* /, ""));
        if (address !== undefined) into.add(address);
      });
    });
    yield;
  }
}
