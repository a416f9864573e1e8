import type { Config } from "../config/config.js";
import type { ContentChanges } from "../content/tree/content-changes.js";
import { hasContent } from "../content/tree/content-folder.js";
import type { ExportReport } from "../content/tree/export-content.js";
import { isOffprintError, OffprintError, type Problem } from "../lib/errors.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import type { Manifest } from "../snapshot/manifest.js";
import { saveState } from "../snapshot/state.js";
import type { Base } from "./base.js";
import { foldersOf } from "./look-at-files.js";
import { type Facts, knownProblems, type SyncReport, syncReport } from "./report.js";
import { type HeldLock, type SyncContext, takeTurn } from "./sync-context.js";
import type { ProbeAnswer } from "./upstream/upstream.js";

const load = () => import("../content/tree/export-generation.js");

/** Loads the renderer while the process waits for something else. */
export function prepareRendering(config: Config): void {
  // An error will show when the renderer is used.
  if (hasContent(config)) load().catch(() => undefined);
}

/** Brings the content tree to a generation. @param changes found by comparing, if undefined */
export async function renderContent(
  { config, output, onProgress }: SyncContext,
  lock: HeldLock,
  manifest: Manifest,
  changes?: ContentChanges,
): Promise<ExportReport> {
  onProgress({ kind: "stage", stage: "export" });
  const { exportGeneration } = await load();
  const assertHeld = () => lock.assertHeld();
  return exportGeneration({
    config,
    output: output.store,
    manifest,
    assertHeld,
    changes,
    onProgress: (done, total) => onProgress({ kind: "advance", stage: "export", done, total }),
  });
}

/** Renders the tree again, without the space: it is missing, incomplete or has new settings. */
export async function renderAgain(
  context: SyncContext,
  base: Base,
  lock: HeldLock,
  { cv }: ProbeAnswer,
): Promise<SyncReport> {
  const manifest = base.previous;
  if (manifest === undefined) throw new Error("there is no generation to render");
  const content = await renderContent(context, lock, manifest);
  const { generation } = manifest;
  const folders = await foldersOf(context.output, context.config);
  const state = { ...base.state, generation, contentProblems: content.problems, folders };
  await saveState(context.output.store, state);
  const problems = [...base.repairs, ...knownProblems(state)];
  return syncReport(context, { base, outcome: "unchanged", cv, content, problems });
}

/** It was rolled back to, and stays. @param lock to render its content; undefined: nothing is rendered */
export async function reportHeld(context: SyncContext, base: Base, lock?: HeldLock): Promise<SyncReport> {
  const { previous, contentIsCurrent, state, repairs } = base;
  const held = new OffprintError(
    "HELD",
    `Generation ${previous?.generation} is held after a rollback. Nothing was read.`,
    { hint: "To continue, run `offprint rollback --release`." },
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

/** Updates the types file (`types.file`). The snapshot is committed: a failure is a problem. */
export async function bringTypes(context: SyncContext, report: SyncReport): Promise<SyncReport> {
  const { config, options } = context;
  if (config.types.file === undefined || options.dryRun || report.generation === null) return report;
  const problem = await writeCurrentTypes(context, config.types.file, config);
  return problem === undefined ? report : { ...report, problems: [...report.problems, { ...problem, isNew: true }] };
}

async function writeCurrentTypes(context: SyncContext, file: string, config: Config): Promise<Problem | undefined> {
  const { output } = context;
  const { areTypesCurrent, bringTypesFile } = await import("../content/model/types-file.js");
  const manifest = await currentManifest(output.store);
  if (manifest === undefined || (await areTypesCurrent(output.store, manifest, { config, file }))) return undefined;
  await takeTurn(context);
  try {
    await bringTypesFile(output.store, manifest, { config, file });
    return undefined;
  } catch (error) {
    if (!isOffprintError(error, "TYPES_BLOCKED")) throw error;
    return error.toProblem();
  }
}
