import type { WorkerSetting } from "../../config/load/fleet.js";
import { isOffprintError, type OffprintError, ownError } from "../../lib/errors.js";
import { type AskedQueue, askQueue } from "../../watch/fleet/ask-queue.js";
import { type Finding, type FindingCode, finding } from "./diagnosis-finding.js";

export type QueueFacts = AskedQueue | OffprintError;

export async function gatherQueue(worker: WorkerSetting | undefined): Promise<QueueFacts | undefined> {
  return worker?.queue === undefined ? undefined : askQueue(worker.queue).catch(ownError);
}

const failures: Readonly<Partial<Record<OffprintError["code"], FindingCode>>> = {
  WORKER_ENGINE_MISSING: "QUEUE_ENGINE_MISSING",
  WORKER_QUEUE_UNSAFE: "QUEUE_UNSAFE",
};

export function checkQueue(facts: QueueFacts | undefined): Finding[] {
  if (facts === undefined) return [];
  if (isOffprintError(facts)) return [finding(failures[facts.code] ?? "QUEUE_UNREACHABLE", facts.message, facts.hint)];
  const { shown, version, hasLog } = facts;
  const ok = finding("QUEUE_OK", `The queue at ${shown} answers: ${version}.`);
  if (hasLog !== false) return [ok];
  const what = "The Redis of the queue writes no log (appendonly no): events that wait are lost when it is restarted.";
  const hint = "Set appendonly yes there. Without it, the next turn finds what was lost.";
  return [ok, finding("QUEUE_VOLATILE", what, hint)];
}
