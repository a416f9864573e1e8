import { parseStory } from "../../contract/parse-record.js";
import { parseAs } from "../../lib/parse-as.js";
import {
  flag,
  list,
  map,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type ShapeOf,
  text,
  wholeNumber,
} from "../../lib/shape.js";
import { diffPart } from "../diff-part.js";
import { parts as partNames, stageFile } from "../layout.js";
import type { Manifest } from "../manifest.js";
import { baseEdition } from "../manifest.js";
import { partsShape } from "../manifest-text.js";
import { kindOf } from "../part-kinds.js";
import type { Store } from "../store/store.js";

/** A stage of another format is ignored, and its contents are read again. */
const stageFormat = 2;

const stageShape = object({
  format: oneOf(stageFormat),
  /** The generation that it starts from; null for the first. */
  base: orNull(wholeNumber),
  /** Hash of the settings that shape the whole snapshot. */
  settings: text,
  /** ISO 8601. */
  startedAt: text,
  /** Everything staged was read at this cv or later; null if the upstream has none. */
  cv: orNull(wholeNumber),
  /** True during `--full`: re-read every record, ignoring the index. */
  full: optional(flag),
  /** Parts read so far; their shards are in the store. */
  parts: partsShape,
  /** By edition: its settings, and the last key read (null: all). */
  editions: map(object({ settings: text, readUntil: orNull(text) })),
  /** By version and tag: how many more staged stories have it than the staged tags count. */
  tagDelta: optional(map(map(number))),
  /** By version: stories to request again: staged without row, or missing for no known reason. */
  pending: optional(map(list(text))),
  /** By version: uuids of stories read; null: all. */
  read: optional(map(orNull(list(text)))),
  /** What the interrupted run was reading: a run that reads less must not resume it. */
  covers: list(text),
  /** How many rounds in a row were unclean at this cv: the next one uses other addresses. */
  tried: optional(object({ cv: orNull(wholeNumber), rounds: wholeNumber })),
});

/** A generation being built: what a sync has read so far, for the one that resumes it. */
export type Stage = Omit<ShapeOf<typeof stageShape>, "format">;

/** The stage of an interrupted sync, unless damaged, of another format, or of another `base`. */
export async function loadStage(store: Store, base: number | null): Promise<Stage | undefined> {
  const stage = await readStage(store);
  return stage?.base === base ? stage : undefined;
}

export async function readStage(store: Pick<Store, "get">): Promise<Stage | undefined> {
  return parseAs(await store.get(stageFile), stageShape);
}

/** Makes all objects so far durable, then writes the stage. */
export async function saveStage(store: Store, stage: Stage): Promise<void> {
  await store.flush();
  await store.replace(stageFile, Buffer.from(`${JSON.stringify({ format: stageFormat, ...stage })}\n`));
}

/** Moves the stage of a committed but unclean reading there. @param readAt ISO 8601, if every story was read */
export async function rebaseStage(
  store: Store,
  generation: Pick<Manifest, "generation" | "editions" | "parts" | "cv">,
  readAt?: string,
): Promise<void> {
  const stage = await readStage(store);
  if (stage === undefined) return;
  const tags = Object.entries(stage.parts).filter(([part]) => kindOf(part) === "tags");
  await saveStage(store, {
    ...stage,
    base: generation.generation,
    ...(readAt === undefined ? {} : { full: false, cv: generation.cv, startedAt: readAt }),
    parts: { ...generation.parts, ...Object.fromEntries(tags) },
    // Everything read so far gets its second look, even if a later sync reads other things.
    read: {},
    tagDelta: await withRestoredTags(store, stage, generation),
  });
}

/** The generation kept stories that the reading did not find and whose tags it subtracted. */
async function withRestoredTags(
  store: Store,
  { parts, tagDelta = {} }: Stage,
  generation: Pick<Manifest, "editions" | "parts">,
): Promise<NonNullable<Stage["tagDelta"]>> {
  const restored: NonNullable<Stage["tagDelta"]> = {};
  for (const [version, delta] of Object.entries(tagDelta)) {
    restored[version] = delta;
    const counts = new Map(Object.entries(delta));
    const editions = generation.editions.filter((one) => one.version === version && one.release === null);
    if (editions.length === 0) continue;
    const part = partNames.stories(baseEdition(editions).name);
    for await (const { before, after } of diffPart(store, part, parts[part], generation.parts[part])) {
      if (before !== null || after === null) continue;
      for (const tag of parseStory(after).tag_list ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    restored[version] = Object.fromEntries(counts);
  }
  return restored;
}

export async function removeStage(store: Store): Promise<void> {
  await store.remove(stageFile);
}
