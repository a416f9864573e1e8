import type { Config } from "../../config/config.js";
import { durationText } from "../../config/schema/quantity.js";
import { listCursors, type StoredCursor } from "../../snapshot/cursors.js";
import { openOutput } from "../../snapshot/open-output.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** The last generation that each processed, and when. */
export async function gatherConsumers(output: Pick<Config["output"], "dir" | "store">): Promise<StoredCursor[]> {
  return listCursors(openOutput(output).store).catch(() => []);
}

export interface ConsumerExpectations {
  known: readonly string[];
  current: { generation: number; committedAtMs: number } | undefined;
  keepMs: number;
  /** `schedule.maxAge`: how long a consumer may lag. */
  maxAgeMs: number;
  nowMs: number;
}

export function checkConsumers(consumers: readonly StoredCursor[], expected: ConsumerExpectations): Finding[] {
  if (consumers.length === 0) return [];
  const found = consumers.flatMap((one) => checkConsumer(one, expected));
  return found.length > 0 ? found : [finding("CONSUMERS_OK", `Consumers that follow: ${consumers.length}.`)];
}

function checkConsumer({ consumer, cursor }: StoredCursor, expected: ConsumerExpectations): Finding[] {
  const { known, current, keepMs, maxAgeMs, nowMs } = expected;
  if (cursor === "damaged") {
    const hint = "It gets a list of everything next, and a new cursor.";
    return [finding("CONSUMER_DAMAGED", `The cursor of ${consumer} cannot be read.`, hint)];
  }
  if (current === undefined || cursor.generation >= current.generation) return [];
  if (nowMs - current.committedAtMs <= maxAgeMs) return [];
  const days = Math.max(0, Math.floor((nowMs - Date.parse(cursor.movedAt)) / 86_400_000));
  const what = `${consumer} last processed generation ${cursor.generation} of ${current.generation}, ${days} days ago.`;
  const hint = `See why it fails. Its generation is kept for ${durationText(keepMs)} (consumers.keep); then it gets everything again.`;
  const late = finding("CONSUMER_BEHIND", what, hint);
  if (known.includes(consumer)) return [late];
  const unused = "If nothing else asks with `offprint changes --for`, forget it.";
  return [late, finding("CONSUMER_UNKNOWN", `No command of onCommit works for ${consumer}.`, unused)];
}
