import { OffprintError } from "../lib/errors.js";

/**
 * The error for a file of the snapshot that is missing or is not what was written.
 * @param file Name relative to the output folder.
 * @param problem What was expected and what was found, as the end of a sentence that starts with
 * the file's name: `is missing`.
 */
export function damagedFile(file: string, problem: string, cause?: unknown): OffprintError {
  return new OffprintError("SNAPSHOT_DAMAGED", `${file} ${problem}.`, {
    hint: "Run `offprint verify`, which notes all damage, then `offprint sync`, which reads again what is damaged.",
    cause,
  });
}
