import type { CheckResult } from "../../../content/check/run-check.js";
import { within } from "../../../lib/concurrency/within.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { ExplorerSpace } from "./explorer-space.js";
import { perGeneration } from "./per-generation.js";

/** Which findings: all of a generation, or those that the one before it did not have. */
export type FindingsKind = "all" | "new";

/** What `check` found; `pending` while it runs, `absent` where this explorer does not check. */
export type Findings = FoundInCheck | "pending" | "absent";

/** Findings, the worst first. `found`: how many there are, where these are not all. */
export type FoundInCheck = CheckResult & { found?: number };

const known = new WeakMap<GenerationView, FoundInCheck>();

/** All findings of the generation that is shown, where somebody has asked for them before; nothing is begun. */
export function knownFindings({ source }: ExplorerSpace): FoundInCheck | undefined {
  return known.get(source.view());
}

const failures = new WeakMap<GenerationView, Map<FindingsKind, { error: unknown }>>();
const results = perGeneration<FoundInCheck | "absent">(2);

/**
 * What `check` finds in the generation that is shown. The first call begins it; those after it share the result, which is kept with
 * the generation.
 *
 * @param waitMs how long to wait for it, in milliseconds
 * @throws OffprintError as `runCheck` does; the next call begins again
 */
export async function findingsOf(
  { source, check }: ExplorerSpace,
  kind: FindingsKind,
  waitMs: number,
): Promise<Findings> {
  if (check === undefined) return "absent";
  const view = source.view();
  const failure = failures.get(view)?.get(kind);
  if (failure !== undefined) {
    failures.get(view)?.delete(kind);
    throw failure.error;
  }
  const result = results(view, kind, async () => {
    const found = (await check(kind === "new" ? "previous" : undefined)) ?? "absent";
    if (kind === "all" && found !== "absent") known.set(view, found);
    return found;
  });
  // Where nobody waits for it any more, the next call tells of it.
  const noteFailure = (error: unknown) => {
    if (!isAwaited) failures.set(view, (failures.get(view) ?? new Map()).set(kind, { error }));
  };
  let isAwaited = true;
  result.catch(noteFailure);
  try {
    return (await within(waitMs, result)) ?? "pending";
  } finally {
    isAwaited = false;
  }
}
