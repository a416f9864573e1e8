import type { CheckResult } from "../../../content/check/run-check.js";
import { within } from "../../../lib/concurrency/within.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { ExplorerSpace } from "./explorer-space.js";
import { perGeneration } from "./per-generation.js";

export type FindingsKind = "all" | "new";

/** The result of `check`; `pending` while it runs, `absent` if this explorer does not check. */
export type Findings = FoundInCheck | "pending" | "absent";

/** Findings, the worst first. `found` is their total if the list is cut. */
export type FoundInCheck = CheckResult & { found?: number };

const known = new WeakMap<GenerationView, FoundInCheck>();

export function knownFindings({ source }: ExplorerSpace): FoundInCheck | undefined {
  return known.get(source.view());
}

const failures = new WeakMap<GenerationView, Map<FindingsKind, { error: unknown }>>();
const results = perGeneration<FoundInCheck | "absent">(2);

/** Starts the check, or shares a running one. @throws OffprintError as `runCheck` does; the next call retries */
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
  // If nobody waits any more, the next call throws it.
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
