import type { Config } from "../../config/config.js";
import { readLock } from "../../content/model/lock-file.js";
import { isOffprintError, type Problem } from "../../lib/errors.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** State of the file `check.lock`. Undefined if no setting needs it. */
export type ContentLockFacts = "there" | "missing" | Problem | undefined;

export async function gatherContentLock({ drift, lock }: Config["check"]): Promise<ContentLockFacts> {
  if (drift === "evolve") return undefined;
  try {
    return (await readLock(lock)) === undefined ? "missing" : "there";
  } catch (error) {
    if (isOffprintError(error)) return error.toProblem();
    throw error;
  }
}

export function checkContentLock(found: ContentLockFacts, { drift, lock }: Config["check"]): Finding[] {
  if (found === undefined) return [];
  if (found === "there") return [finding("CONTENT_LOCK_OK", `check.drift: ${drift} compares with ${lock}.`)];
  if (found !== "missing") return [finding("CONTENT_LOCK_UNUSABLE", found.message, found.hint)];
  const what = `check.drift: ${drift} compares with ${lock}, which is not there: nothing is guarded.`;
  const hint = "Run `offprint check --write-lock`, and put the file under version control.";
  return [finding("CONTENT_LOCK_MISSING", what, hint)];
}
