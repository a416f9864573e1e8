import type { WorkerSetting } from "../../config/load/fleet.js";
import { isOffprintError, type OffprintError, ownError } from "../../lib/errors.js";
import { askQueue } from "../../watch/fleet/ask-queue.js";
import { type Finding, type FindingCode, finding } from "./diagnosis-finding.js";

const failures: Readonly<Partial<Record<OffprintError["code"], FindingCode>>> = {
  WORKER_ENGINE_MISSING: "QUEUE_ENGINE_MISSING",
  WORKER_QUEUE_UNSAFE: "QUEUE_UNSAFE",
};

/** Asks the queue of the workers, if one is set. */
export async function checkQueue(worker: WorkerSetting | undefined): Promise<Finding[]> {
  if (worker?.queue === undefined) return [];
  const asked = await askQueue(worker.queue).catch(ownError);
  if (isOffprintError(asked)) return [finding(failures[asked.code] ?? "QUEUE_UNREACHABLE", asked.message, asked.hint)];
  const { shown, version, hasLog } = asked;
  const ok = finding("QUEUE_OK", `The queue at ${shown} answers: ${version}.`);
  if (hasLog !== false) return [ok];
  const what = "The Redis of the queue writes no log (appendonly no): events that wait are lost when it is restarted.";
  const hint = "Set appendonly yes there. Without it, the next turn finds what was lost.";
  return [ok, finding("QUEUE_VOLATILE", what, hint)];
}
