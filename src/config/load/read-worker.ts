import { registerSecret } from "../../lib/redact/redact.js";
import type { ConfigFile } from "../config-file.js";
import { queueSecrets } from "../queue-address.js";
import { worker } from "../schema/fleet-schema.js";
import { schemaProblems, type ValueProblem, valueAt } from "./config-problems.js";
import type { WorkerSetting } from "./fleet.js";

const queuePath = ["worker", "queue"] as const;

/** True for the queue's address. Its variables may be unset: only one command needs the queue. */
export function isOfQueue(keys: readonly string[]): boolean {
  return queuePath.every((key, index) => keys[index] === key);
}

/** Registers the queue's password. `worker` is undefined if the file has no settings for it, or invalid ones. */
export function readWorker({ document }: Pick<ConfigFile, "document">): {
  worker: WorkerSetting | undefined;
  problems: ValueProblem[];
} {
  const written = document.values?.worker;
  if (written === undefined) return { worker: undefined, problems: [] };
  const address = valueAt(document.values, queuePath);
  for (const secret of typeof address === "string" ? queueSecrets(address) : []) registerSecret(secret);
  const isUnset = document.isBroken(queuePath);
  const given = isUnset ? { ...(written as object), queue: "redis://unset" } : written;
  const parsed = worker.read(given);
  if ("misfits" in parsed) {
    const misfits = parsed.misfits.map((misfit) => ({ ...misfit, path: ["worker", ...misfit.path] }));
    return { worker: undefined, problems: schemaProblems(misfits, document.values) };
  }
  const { queue, name, concurrency, takeOver } = parsed.value;
  const setting = { name, concurrency, takeOverMs: takeOver };
  return { worker: isUnset ? setting : { ...setting, queue }, problems: [] };
}
