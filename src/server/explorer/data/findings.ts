import type { CheckResult } from "../../../content/check/run-check.js";
import type { UsageOverview } from "../../../content/check/usage/usage.js";
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

/** What is used nowhere, as `offprint usage --unused` lists it. */
export type Unused = UsageOverview["unused"];

const unusedResults = awaitedPerGeneration<Unused | "absent">(1);

/** `pending` while it is looked for, `absent` if this explorer does not look. @throws OffprintError as a check does */
export async function unusedOf(
  { source, unused }: ExplorerSpace,
  waitMs: number,
): Promise<Unused | "pending" | "absent"> {
  if (unused === undefined) return "absent";
  return unusedResults(source.view(), "", waitMs, async () => (await unused()) ?? "absent");
}
