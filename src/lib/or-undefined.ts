import { type ErrorCode, isOffprintError } from "./errors.js";

/** The result of the work; undefined if it failed with one of these codes, or with any if none is given. */
export async function orUndefined<T>(work: Promise<T>, ...codes: ErrorCode[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isOffprintError(error) && (codes.length === 0 || codes.includes(error.code))) return undefined;
    throw error;
  }
}
