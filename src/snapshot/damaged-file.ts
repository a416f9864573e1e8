import { OffprintError } from "../lib/errors.js";

/**
 * The error for a missing or altered snapshot file.
 * @param file Name relative to the output folder.
 * @param problem Completes a sentence that starts with the file's name: `is missing`.
 */
export function damagedFile(file: string, problem: string, cause?: unknown): OffprintError {
  return new OffprintError("SNAPSHOT_DAMAGED", `${file} ${problem}.`, {
    hint: "Run `offprint verify`, which notes all damage, then `offprint sync`, which reads again what is damaged.",
    cause,
  });
}
