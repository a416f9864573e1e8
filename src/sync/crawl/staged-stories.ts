import { diffPart } from "../../snapshot/diff-part.js";
import { parts as partNames } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { kindOf } from "../../snapshot/part-kinds.js";
import { readPart } from "../../snapshot/read-part.js";
import type { Store } from "../../snapshot/store/store.js";
import { type Stage, saveStage } from "../../snapshot/write/stage.js";
import { isFolderText } from "./index/packed-rows.js";
import type { OnProgress } from "./run/progress.js";

/** If counting fails, it reports nothing: the error that ended the sync matters more. @param previous its base */
export async function keepStage(
  { store, previous, onProgress }: { store: Store; previous: Manifest | undefined; onProgress: OnProgress },
  stage: Stage,
): Promise<void> {
  await saveStage(store, stage);
  const stories = await countStagedStories(store, stage, previous).catch(() => undefined);
  if (stories !== undefined) onProgress({ kind: "staged", stories });
}

/** Counts stories staged with their index row, and those that fill a new edition. */
async function countStagedStories(store: Store, stage: Stage, previous: Manifest | undefined): Promise<number> {
  let stories = 0;
  for (const [part, entry] of Object.entries(stage.parts)) {
    if (kindOf(part) !== "links") continue;
    const pending = new Set(stage.pending?.[part.slice(partNames.links("").length)] ?? []);
    const before = stage.full === true ? undefined : previous?.parts[part];
    for await (const change of diffPart(store, part, before, entry)) {
      const line = change.after ?? change.before;
      if (line !== null && !pending.has(change.key) && !isFolderText(line)) stories++;
    }
  }
  for (const [edition, { readUntil }] of Object.entries(stage.editions)) {
    const entry = stage.parts[partNames.stories(edition)];
    if (entry === undefined || readUntil === null) continue;
    for await (const { key } of readPart(store, partNames.stories(edition), entry)) if (key <= readUntil) stories++;
  }
  return stories;
}
