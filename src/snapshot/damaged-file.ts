import { isOffprintError, OffprintError } from "../lib/errors.js";

/** @param file relative to the output folder @param problem ends a sentence that starts with it */
export function damagedFile(file: string, problem: string, cause?: unknown): OffprintError {
  return new OffprintError("SNAPSHOT_DAMAGED", `${file} ${problem}.`, {
    hint: "Run `offprint verify`, which notes all damage, then `offprint sync`, which reads again what is damaged.",
    cause,
  });
}

/** The result; undefined if what is read is damaged. */
export async function unlessDamaged<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isOffprintError(error, "SNAPSHOT_DAMAGED")) return undefined;
    throw error;
  }
}
