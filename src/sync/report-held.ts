import { OffprintError } from "../lib/errors.js";
import { saveState } from "../snapshot/state.js";
import type { Base } from "./base.js";
import { renderContent } from "./render-content.js";
import { type Facts, type SyncReport, syncReport } from "./report.js";
import type { HeldLock, SyncContext } from "./sync-context.js";

/**
 * Reports that the generation was rolled back to, and stays until it is released. Its content is rendered where it is not
 * current.
 * @param lock Undefined: nothing is rendered.
 */
export async function reportHeld(context: SyncContext, base: Base, lock?: HeldLock): Promise<SyncReport> {
  const { previous, contentIsCurrent, state, repairs } = base;
  const held = new OffprintError(
    "HELD",
    `Generation ${previous?.generation} was rolled back to, and is held. Nothing was read.`,
    { hint: "`offprint rollback --release` lets sync go on." },
  ).toProblem();
  const facts: Omit<Facts, "problems"> = { base, outcome: "kept", cv: previous?.cv ?? null };
  if (contentIsCurrent || lock === undefined || previous === undefined) {
    return syncReport(context, { ...facts, problems: [held, ...repairs, ...state.contentProblems] });
  }
  const content = await renderContent(context, lock, previous);
  const { generation } = previous;
  await saveState(context.output.store, { ...state, generation, contentProblems: content.problems });
  return syncReport(context, { ...facts, content, problems: [held, ...repairs, ...content.problems] });
}
