import { map, number, object, oneOf, orNull, text, where, wholeNumber } from "../lib/shape.js";
import { consumerOf, consumersFolder, cursorFile, supersededFile } from "./layout.js";
import type { Store } from "./store/store.js";

const cursorFormat = 1;

/** Which generation a consumer has dealt with last. */
export interface Cursor {
  format: typeof cursorFormat;
  /** Its name. */
  consumer: string;
  /** Id of the space; null where the upstream does not give it. */
  space: number | null;
  generation: number;
  /** That of the generation's manifest: a snapshot that was lost and begun anew has the same numbers. */
  checksum: string;
  /** Hash of the settings that shaped the content which was dealt with. */
  settings: string;
  /** ISO 8601. */
  movedAt: string;
}

/** A cursor as it lies on disk: `damaged` where it is not as this version of the program writes one. */
export interface StoredCursor {
  consumer: string;
  cursor: Cursor | "damaged";
}

const cursorShape = object<Cursor>({
  format: oneOf(cursorFormat),
  consumer: text,
  space: orNull(wholeNumber),
  generation: where(wholeNumber, "above 0", (generation) => generation > 0),
  checksum: text,
  settings: text,
  movedAt: where(text, "a time", (time) => !Number.isNaN(Date.parse(time))),
});

/** @param store rooted at the output folder */
export async function readCursor(store: Store, consumer: string): Promise<Cursor | "damaged" | undefined> {
  const bytes = await store.get(cursorFile(consumer));
  return bytes === undefined ? undefined : parseCursor(bytes, consumer);
}

/** The cursors of all consumers, by name. */
export async function listCursors(store: Store): Promise<StoredCursor[]> {
  const consumers = (await store.list(consumersFolder)).flatMap(({ name }) => consumerOf(name) ?? []);
  const found: StoredCursor[] = [];
  for (const consumer of consumers.sort()) {
    const cursor = await readCursor(store, consumer);
    if (cursor !== undefined) found.push({ consumer, cursor });
  }
  return found;
}

/** The text of a cursor's file. */
export function cursorText(cursor: Omit<Cursor, "format">): string {
  const { consumer, space, generation, checksum, settings, movedAt } = cursor;
  const written: Cursor = { format: cursorFormat, consumer, space, generation, checksum, settings, movedAt };
  return `${JSON.stringify(written, null, 1)}\n`;
}

function parseCursor(bytes: Uint8Array, consumer: string): Cursor | "damaged" {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return cursorShape.is(value) && value.consumer === consumer ? value : "damaged";
  } catch {
    return "damaged";
  }
}

/** The generations that cursors name. */
export interface WaitingGenerations {
  /**
   * Whether a generation waits for a consumer.
   * @param supersededMs When its successor was committed, as far as the generations that are left show it: the first time
   * that this is asked, it is right, and it is kept.
   */
  has(generation: number, supersededMs: number): boolean;
  /** Notes when the generations that were asked for were superseded. */
  save(): Promise<void>;
}

/** @param sinceMs A consumer that has lagged since before this is not waited for. */
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

const timesShape = map(number);

/** By generation; none where the file is damaged: they are then found anew, and wait longer. */
async function supersededTimes(store: Store): Promise<Map<string, number>> {
  const bytes = await store.get(supersededFile);
  try {
    const times: unknown = JSON.parse(Buffer.from(bytes ?? "{}").toString("utf8"));
    return new Map(timesShape.is(times) ? Object.entries(times) : []);
  } catch {
    return new Map();
  }
}
