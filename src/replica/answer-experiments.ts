import { parts } from "../reader/part-names.js";
import { jsonAnswer, listPieces, notFound, type ReplicaAnswer } from "./answer.js";
import { partRecords } from "./part-records.js";
import type { ServedGeneration } from "./served-generation.js";

/** GET /v2/cdn/experiments (seed section 4.5): all at once; not found in a snapshot that does not include them. */
export function answerExperiments({ reader, cv }: ServedGeneration): ReplicaAnswer {
  if (reader.experiments() === undefined) return notFound();
  return jsonAnswer(["{", ...listPieces("experiments", partRecords(reader, parts.experiments)), `,"cv":${cv}}`]);
}
