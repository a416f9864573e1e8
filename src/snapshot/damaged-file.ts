import { OffprintError } from "../lib/errors.js";

/** @param file relative to the output folder @param problem ends a sentence that starts with it */
export function damagedFile(file: string, problem: string, cause?: unknown): OffprintError {
  return new OffprintError("SNAPSHOT_DAMAGED", `${file} ${problem}.`, {
    hint: "Run `offprint verify`, which notes all damage, then `offprint sync`, which reads again what is damaged.",
    cause,
  });
}
