import type { Config } from "../config/config.js";
import { OffprintError } from "../lib/errors.js";
import type { StoryChanges } from "../snapshot/compare-stories.js";
import { diffPart } from "../snapshot/diff-part.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { kindOf, partKinds, partRow } from "../snapshot/part-kinds.js";
import type { Store } from "../snapshot/store/store.js";
import type { ManifestDraft } from "../snapshot/write/commit.js";
import { updatePart } from "../snapshot/write/update-part.js";
import { isSameSetting } from "./crawl/run/editions.js";
import type { OnProgress, RemovalStop } from "./crawl/run/progress.js";
import type { SyncOptions } from "./sync-options.js";

/** So few removals never stop a sync, whatever their share. */
const harmlessRemovals = 10;

const kept = "The previous generation was kept. If they were deleted on purpose";

/** More than ten stories, also under new settings: an upstream that shows nothing looks like a filter of all. */
export function emptiedEditions(previous: Manifest, draft: ManifestDraft): RemovalStop[] {
  const emptied = draft.editions.filter(({ name }) => {
    const stories = previous.parts[partNames.stories(name)]?.records ?? 0;
    return stories > harmlessRemovals && (draft.parts[partNames.stories(name)]?.records ?? 0) === 0;
  });
  if (emptied.length === 0) return [];
  const names = emptied.map(({ name }) => name).join(", ");
  return [
    {
      code: "UPSTREAM_EMPTY",
      message: `This sync would remove every story of ${names}.`,
      when: "Nothing was changed. If that is intended (for example by source.include)",
    },
  ];
}

/** Kinds of records other than stories, in words. */
const guarded = new Set(Object.keys(partKinds).flatMap((kind) => partRow(kind)?.guarded ?? []));

/** For kinds with more than ten records. A kind that is no longer read is no removal by the upstream. */
export function emptiedLists(previous: Manifest, draft: ManifestDraft): RemovalStop[] {
  return [...guarded].flatMap((what) => {
    const isOfKind = (part: string) => partRow(part)?.guarded === what;
    const isRead = Object.keys(draft.parts).some(isOfKind);
    const count = ({ parts }: Pick<Manifest, "parts">) =>
      Object.entries(parts).reduce((sum, [part, { records }]) => sum + (isOfKind(part) ? records : 0), 0);
    const before = count(previous);
    if (!isRead || before <= harmlessRemovals || count(draft) > 0) return [];
    const message = `This sync would remove every ${what} of the space; there were ${before}.`;
    return [{ code: "UPSTREAM_EMPTY", message, when: kept }];
  });
}

/** With `languages: all`: a language of more than ten stories may be gone, or an answer is wrong. */
export function droppedLanguages(previous: Manifest, draft: ManifestDraft, config: Config): RemovalStop[] {
  const { languages, versions, releases } = config.source;
  if (languages !== "all") return [];
  return previous.editions.flatMap(({ name, version, release }) => {
    const stories = previous.parts[partNames.stories(name)]?.records ?? 0;
    const isWanted = release === null ? versions.includes(version) : releases.includes(release);
    if (!isWanted || stories <= harmlessRemovals || draft.editions.some((edition) => edition.name === name)) return [];
    const message = `This sync would remove all ${stories} stories of ${name}: the space no longer lists this language.`;
    const when = "The previous generation was kept. If the language was removed on purpose";
    return [{ code: "REMOVAL_BRAKE", message, when }];
  });
}

/** More than `maxShare`, and than ten. What the configuration dropped is no removal by the upstream. */
export function excessiveRemovals(
  changes: Pick<StoryChanges, "removed">,
  previous: Manifest,
  draft: ManifestDraft,
  maxShare: number,
): RemovalStop[] {
  return draft.editions.flatMap(({ name, settings }) => {
    const before = previous.editions.find((edition) => edition.name === name);
    if (before === undefined || !isSameSetting(before.settings, settings)) return [];
    const stories = previous.parts[partNames.stories(name)]?.records ?? 0;
    // A damaged edition has lost the list of its stories, but not their number.
    const fewer = stories - (draft.parts[partNames.stories(name)]?.records ?? 0);
    const removed = Math.max(fewer, changes.removed.filter(({ edition }) => edition === name).length);
    if (removed <= harmlessRemovals || removed <= stories * maxShare) return [];
    const allowed = `safety.maxRemove allows ${Math.round(maxShare * 100)} %`;
    const message = `This sync would remove ${removed} of ${stories} stories of ${name}; ${allowed}.`;
    return [{ code: "REMOVAL_BRAKE", message, when: kept }];
  });
}

/** Stops a repair if the upstream has no stories: nothing is left to show whether that is right. */
export function emptyRepair(previous: Manifest | undefined, draft: ManifestDraft): RemovalStop[] {
  const count = ({ editions, parts }: Pick<Manifest, "parts"> & { editions: readonly { name: string }[] }) =>
    editions.reduce((sum, { name }) => sum + (parts[partNames.stories(name)]?.records ?? 0), 0);
  if (count(draft) > 0 || (previous !== undefined && count(previous) === 0)) return [];
  return [
    {
      code: "UPSTREAM_EMPTY",
      message: "The snapshot is damaged, and the upstream lists no story.",
      when: "Nothing was changed. If the space was emptied on purpose",
    },
  ];
}

/** The draft plus all that it would remove: an unclean reading may add, but not remove. */
export async function withoutRemovals(
  store: Store,
  previous: Manifest,
  draft: ManifestDraft,
  shardBytes: number,
): Promise<ManifestDraft> {
  const parts = { ...draft.parts };
  for (const part of Object.keys(parts)) {
    if (kindOf(part) !== "stories" && kindOf(part) !== "links") continue;
    const restored = new Map<string, string>();
    for await (const { key, before, after } of diffPart(store, part, previous.parts[part], parts[part])) {
      if (before !== null && after === null) restored.set(key, before);
    }
    if (restored.size > 0)
      parts[part] = await updatePart(store, part, { previous: parts[part], changes: restored, shardBytes });
  }
  return { ...draft, parts };
}

/** Reports with `--force-remove`, else throws. Without `--full`, a sync at an unmoved cv would remove nothing. */
export function createBrake(
  { forceRemove, full }: Pick<SyncOptions, "forceRemove" | "full">,
  onProgress: OnProgress,
): (stop: RemovalStop) => void {
  return ({ code, message, when }) => {
    if (forceRemove !== true) {
      const command = `offprint sync ${full ? "--full " : ""}--force-remove`;
      throw new OffprintError(code, message, { hint: `${when}, run \`${command}\`.` });
    }
    onProgress({ kind: "note", message: `continuing because of --force-remove: ${message}` });
  };
}
