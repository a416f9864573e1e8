import type { Config } from "../config/config.js";
import { ago } from "../lib/quantity-text.js";
import { listCursors } from "../snapshot/cursors.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Output } from "../snapshot/output.js";
import { standingOf } from "../watch/hooks/consumer.js";

/** A consumer, and how far behind it is. */
export interface ConsumerStatus {
  consumer: string;
  /** The generation that it has dealt with last; null where that is not known. */
  generation: number | null;
  /** Whether it has dealt with the current generation, in these settings. */
  isCurrent: boolean;
  /** Why it gets a list of everything next; null where it does not. */
  full: string | null;
  /** When its cursor moved last, ISO 8601; null where it has none. */
  movedAt: string | null;
}

/** The consumers that have a cursor, and those that the configuration names, by name. */
export async function standingConsumers(
  config: Config,
  store: Output["store"],
  after: Manifest,
): Promise<ConsumerStatus[]> {
  const cursors = new Map((await listCursors(store)).map(({ consumer, cursor }) => [consumer, cursor]));
  const names = [...new Set([...cursors.keys(), ...Object.keys(config.onCommit)])].sort();
  const found: ConsumerStatus[] = [];
  for (const consumer of names) {
    const { before, full, isBehind } = await standingOf({ config, store, after }, consumer);
    const cursor = cursors.get(consumer);
    const movedAt = cursor === undefined || cursor === "damaged" ? null : cursor.movedAt;
    found.push({ consumer, generation: before?.generation ?? null, isCurrent: !isBehind, full, movedAt });
  }
  return found;
}

export function consumerLines(consumers: readonly ConsumerStatus[]): string[] {
  return consumers.map(({ consumer, generation, isCurrent, full, movedAt }) => {
    const at = movedAt === null ? "has no cursor" : `since ${ago(Date.parse(movedAt), Date.now())}`;
    const place = isCurrent
      ? "current"
      : generation === null
        ? `gets everything (${full})`
        : `at generation ${generation}`;
    return `consumer     ${consumer}: ${place}, ${at}`;
  });
}
