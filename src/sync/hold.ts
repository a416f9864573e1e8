import { OffprintError } from "../errors.js";
import type { Base } from "./base.js";
import { renderContent } from "./render-content.js";
import { type Facts, type SyncReport, syncReport } from "./report.js";
import type { HeldLock, SyncContext } from "./sync-context.js";

/**
 * A generation that was rolled back to stays until it is released; its content is rendered where it is not.
 * @param lock Undefined: nothing is rendered.
 */
export async function hold(context: SyncContext, base: Base, lock?: HeldLock): Promise<SyncReport> {
  const { previous, contentIsCurrent } = base;
  const held = new OffprintError(
    "HELD",
    `Generation ${previous?.generation} was rolled back to, and is held. Nothing was read.`,
    { hint: "`offprint rollback --release` lets sync go on." },
  );
  const facts: Facts = { base, outcome: "kept", cv: previous?.cv ?? null, problems: [held.toProblem()] };
  const renders = !contentIsCurrent && lock !== undefined && previous !== undefined;
  return syncReport(context, renders ? { ...facts, content: await renderContent(context, lock, previous) } : facts);
}
