import type { CheckResult } from "../../../content/check/run-check.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { ExplorerSpace } from "./explorer-space.js";
import { awaitedPerGeneration } from "./per-generation.js";

export type FindingsKind = "all" | "new";

/** The result of `check`; `pending` while it runs, `absent` if this explorer does not check. */
export type Findings = FoundInCheck | "pending" | "absent";

/** Findings, the worst first. `found` is their total if the list is cut. */
export type FoundInCheck = CheckResult & { found?: number };

const known = new WeakMap<GenerationView, FoundInCheck>();

export function knownFindings({ source }: ExplorerSpace): FoundInCheck | undefined {
  return known.get(source.view());
}

const results = awaitedPerGeneration<FoundInCheck | "absent">(2);

/** Starts the check, or shares a running one. @throws OffprintError as `runCheck` does; the next call retries */
export async function findingsOf(
  { source, check }: ExplorerSpace,
  kind: FindingsKind,
  waitMs: number,
): Promise<Findings> {
  if (check === undefined) return "absent";
  const view = source.view();
  return results(view, kind, waitMs, async () => {
    const found = (await check(kind === "new" ? "previous" : undefined)) ?? "absent";
    if (kind === "all" && found !== "absent") known.set(view, found);
    return found;
  });
}
