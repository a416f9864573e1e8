import { parts } from "../../../snapshot/layout.js";
import type { GenerationView } from "../generation-view.js";
import { jsonAnswer, listPieces, notFound, type ReplicaAnswer } from "./answer.js";

/** GET /v2/cdn/experiments (docs/interface-reference.md, section 4.5), on one page. */
export function answerExperiments({ reader, records, cv }: GenerationView): ReplicaAnswer {
  if (reader.experiments() === undefined) return notFound();
  return jsonAnswer(["{", ...listPieces("experiments", records(parts.experiments)), `,"cv":${cv}}`]);
}
