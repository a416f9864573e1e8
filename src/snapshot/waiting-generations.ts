import { map, number } from "../lib/shape.js";
import { listCursors } from "./cursors.js";
import { supersededFile } from "./layout.js";
import type { Store } from "./store/store.js";

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
