import { parseAs } from "../lib/parse-as.js";
import { map, number, object, oneOf, orNull, type ShapeOf, text, where, wholeNumber } from "../lib/shape.js";
import { consumerOf, consumersFolder, cursorFile, supersededFile } from "./layout.js";
import type { Store } from "./store/store.js";

const cursorFormat = 1;

const cursorShape = object({
  format: oneOf(cursorFormat),
  consumer: text,
  /** Id of the space; null if the upstream does not provide it. */
  space: orNull(wholeNumber),
  generation: where(wholeNumber, "above 0", (generation) => generation > 0),
  /** Checksum of the generation's manifest: after losing a snapshot, the numbers start again. */
  checksum: text,
  /** Hash of the settings that shaped the processed content. */
  settings: text,
  /** ISO 8601. */
  movedAt: where(text, "a time", (time) => !Number.isNaN(Date.parse(time))),
});

/** The last generation that a consumer has processed. */
export type Cursor = ShapeOf<typeof cursorShape>;

/** A stored cursor: `damaged` if this version of the program did not write it. */
export interface StoredCursor {
  consumer: string;
  cursor: Cursor | "damaged";
}

export async function readCursor(store: Store, consumer: string): Promise<Cursor | "damaged" | undefined> {
  const bytes = await store.get(cursorFile(consumer));
  return bytes === undefined ? undefined : parseCursor(bytes, consumer);
}

export async function listCursors(store: Store): Promise<StoredCursor[]> {
  const consumers = (await store.list(consumersFolder)).flatMap(({ name }) => consumerOf(name) ?? []);
  const found: StoredCursor[] = [];
  for (const consumer of consumers.sort()) {
    const cursor = await readCursor(store, consumer);
    if (cursor !== undefined) found.push({ consumer, cursor });
  }
  return found;
}

export function cursorText(cursor: Omit<Cursor, "format">): string {
  const { consumer, space, generation, checksum, settings, movedAt } = cursor;
  const written: Cursor = { format: cursorFormat, consumer, space, generation, checksum, settings, movedAt };
  return `${JSON.stringify(written, null, 1)}\n`;
}

function parseCursor(bytes: Uint8Array, consumer: string): Cursor | "damaged" {
  const cursor = parseAs(bytes, cursorShape);
  return cursor?.consumer === consumer ? cursor : "damaged";
}

/** The generations that consumers still need. */
export interface WaitingGenerations {
  /** @param supersededMs when its successor was committed: correct on the first call, remembered */
  has(generation: number, supersededMs: number): boolean;
  /** Stores when these generations were superseded. */
  save(): Promise<void>;
}

/** @param sinceMs ignores consumers that have lagged since before this time. */
export async function waitingGenerations(store: Store, sinceMs: number): Promise<WaitingGenerations> {
  const movedMs = new Map<number, number>();
  for (const { cursor } of await listCursors(store)) {
    if (cursor === "damaged") continue;
    movedMs.set(cursor.generation, Math.max(Date.parse(cursor.movedAt), movedMs.get(cursor.generation) ?? 0));
  }
  const known = movedMs.size === 0 ? new Map<string, number>() : await supersededTimes(store);
  const noted = new Map<string, number>();
  return {
    has(generation, found) {
      const moved = movedMs.get(generation);
      if (moved === undefined) return false;
      const superseded = known.get(String(generation)) ?? found;
      noted.set(String(generation), superseded);
      return Math.max(moved, superseded) > sinceMs;
    },
    async save() {
      const text = `${JSON.stringify(Object.fromEntries(noted))}\n`;
      if (text === `${JSON.stringify(Object.fromEntries(known))}\n`) return;
      if (noted.size === 0) await store.remove(supersededFile);
      else await store.replace(supersededFile, Buffer.from(text));
    },
  };
}

/** By generation. Empty if the file is damaged, so generations wait longer. */
async function supersededTimes(store: Store): Promise<Map<string, number>> {
  return new Map(Object.entries(parseAs(await store.get(supersededFile), map(number)) ?? {}));
}
