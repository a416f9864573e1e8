import { OffprintError } from "../errors.js";
import type { StoryChanges } from "../snapshot/compare-stories.js";
import { diffPart } from "../snapshot/diff-part.js";
import type { ManifestDraft } from "../snapshot/generations.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { updatePart } from "../snapshot/update-part.js";
import type { Store } from "../store/store.js";

/** So few removals never stop a sync, whatever share they are. */
const harmlessRemovals = 10;

/**
 * Stops a sync that would remove suspiciously much of an edition that both generations have. An edition that the
 * configuration dropped is no removal by the upstream.
 * @throws OffprintError `REMOVAL_BRAKE`; nothing was changed by then.
 */
export function brakeRemovals(
  changes: Pick<StoryChanges, "removed">,
  previous: Manifest,
  draft: ManifestDraft,
  maxShare: number,
): void {
  for (const { name, settings } of draft.editions) {
    const before = previous.editions.find((edition) => edition.name === name);
    if (before === undefined || before.settings !== settings) continue;
    const stories = previous.parts[partNames.stories(name)]?.records ?? 0;
    // Of a damaged edition it is not known which stories it had, but how many.
    const fewer = stories - (draft.parts[partNames.stories(name)]?.records ?? 0);
    const removed = Math.max(fewer, changes.removed.filter(({ edition }) => edition === name).length);
    if (removed <= harmlessRemovals || removed <= stories * maxShare) continue;
    throw new OffprintError(
      "REMOVAL_BRAKE",
      `This sync would remove ${removed} of ${stories} stories of ${name}; safety.maxRemove allows ${Math.round(maxShare * 100)} %. The previous generation was kept.`,
      { hint: "If they were deleted on purpose, run `offprint sync --force-remove`." },
    );
  }
}

/**
 * Stops the repair of a damaged generation by an upstream that shows no story at all: nothing is left to tell whether
 * that is believable.
 * @throws OffprintError `UPSTREAM_EMPTY`; nothing was changed by then.
 */
export function refuseEmpty(previous: Manifest | undefined, draft: ManifestDraft): void {
  const count = ({ editions, parts }: Pick<Manifest, "parts"> & { editions: readonly { name: string }[] }) =>
    editions.reduce((sum, { name }) => sum + (parts[partNames.stories(name)]?.records ?? 0), 0);
  if (count(draft) > 0 || (previous !== undefined && count(previous) === 0)) return;
  throw new OffprintError(
    "UPSTREAM_EMPTY",
    "The snapshot is damaged, and the upstream lists no story. Nothing was changed.",
    {
      hint: "If the space was emptied on purpose, run `offprint sync --force-remove`.",
    },
  );
}

/** The draft with every story and index line that it would remove: what an unclean reading may add to, never take from. */
export async function withoutRemovals(
  store: Store,
  previous: Manifest,
  draft: ManifestDraft,
  shardBytes: number,
): Promise<ManifestDraft> {
  const parts = { ...draft.parts };
  for (const part of Object.keys(parts)) {
    if (!part.startsWith(partNames.stories("")) && !part.startsWith(partNames.links(""))) continue;
    const restored = new Map<string, string>();
    for await (const { key, before, after } of diffPart(store, part, previous.parts[part], parts[part])) {
      if (before !== null && after === null) restored.set(key, before);
    }
    if (restored.size > 0) parts[part] = await updatePart(store, part, parts[part], restored, shardBytes);
  }
  return { ...draft, parts };
}
