import { parseStory } from "../../contract/parse-record.js";
import { flag, list, map, number, object, oneOf, optional, orNull, text, wholeNumber } from "../../lib/shape.js";
import { baseEdition } from "../base-edition.js";
import { diffPart } from "../diff-part.js";
import { parts as partNames, stageFile } from "../layout.js";
import type { Manifest, PartEntry } from "../manifest.js";
import { partsShape } from "../manifest-text.js";
import { kindOf } from "../part-kinds.js";
import type { Store } from "../store/store.js";

/** A stage of another format is ignored: what it holds is read again. */
const stageFormat = 2;

/** A generation that is being built: what a sync read so far, for the one that resumes it. */
export interface Stage {
  /** The generation that it starts from; null for the first. */
  base: number | null;
  /** Hash of the settings that shape the whole snapshot. */
  settings: string;
  /** ISO 8601. */
  startedAt: string;
  /** Everything that is staged was read at this cv or a later one; null where the upstream tells none. */
  cv: number | null;
  /** True when everything is being confirmed anew, whatever the index shows. */
  full?: boolean;
  /** Parts as far as they were read; their shards are in the store. */
  parts: Record<string, PartEntry>;
  /** By edition: its settings, and the key up to which it was read (null: all of it). */
  editions: Record<string, { settings: string; readUntil: string | null }>;
  /** By version and tag: how many more of the staged stories carry it than of those that the staged tags belong to. */
  tagDelta?: Record<string, Record<string, number>>;
  /** By version: uuids of stories to ask for again: staged without their row, or an edition lacks them without a reason. */
  pending?: Record<string, string[]>;
  /** By version: uuids of stories that were read, null for all of them. */
  read?: Record<string, string[] | null>;
  /** What the run that wrote it was reading: a run that reads less must not take it up. */
  covers: string[];
  /** How many rounds in a row were not clean at this cv: the next one asks under other addresses than these. */
  tried?: { cv: number | null; rounds: number };
}

const stageShape = object<Stage & { format: number }>({
  format: oneOf(stageFormat),
  base: orNull(wholeNumber),
  settings: text,
  startedAt: text,
  cv: orNull(wholeNumber),
  full: optional(flag),
  parts: partsShape,
  editions: map(object<Stage["editions"][string]>({ settings: text, readUntil: orNull(text) })),
  tagDelta: optional(map(map(number))),
  pending: optional(map(list(text))),
  read: optional(map(orNull(list(text)))),
  covers: list(text),
  tried: optional(object<NonNullable<Stage["tried"]>>({ cv: orNull(wholeNumber), rounds: wholeNumber })),
});

/**
 * The stage of an interrupted sync, or undefined when there is none, it is damaged, of another format, or starts from
 * another generation than the current one (`base`).
 */
export async function loadStage(store: Store, base: number | null): Promise<Stage | undefined> {
  const stage = await readStage(store);
  return stage?.base === base ? stage : undefined;
}

/** The stage whatever it starts from. */
export async function readStage(store: Pick<Store, "get">): Promise<Stage | undefined> {
  const bytes = await store.get(stageFile);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return stageShape.is(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Makes all objects durable that were put so far, then the stage that names them. */
export async function saveStage(store: Store, stage: Stage): Promise<void> {
  await store.flush();
  await store.replace(stageFile, Buffer.from(`${JSON.stringify({ format: stageFormat, ...stage })}\n`));
}

/**
 * Makes the stage of a reading that was committed although it was not clean one of that generation: what it has to ask
 * for again is not forgotten. Quiet when there is none.
 * @param readAt Where every story was read, the time of that by the server's clock, ISO 8601: a later sync does not go on
 *   with a reading of everything then.
 */
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
    // What was read up to here has its second look, whatever a later sync reads.
    read: {},
    tagDelta: await withRestoredTags(store, stage, generation),
  });
}

/** The generation has kept stories that the reading did not find, and whose tags it has counted as gone. */
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
