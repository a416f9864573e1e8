import type { Config } from "../config/config.js";
import type { ContentChanges } from "../content/tree/content-changes.js";
import { hasContent } from "../content/tree/content-folder.js";
import type { ExportReport } from "../content/tree/export-content.js";
import type { Manifest } from "../snapshot/manifest.js";
import { saveState } from "../snapshot/state.js";
import type { Base } from "./base.js";
import { foldersOf } from "./look-at-files.js";
import { knownProblems, type SyncReport, syncReport } from "./report.js";
import type { HeldLock, SyncContext } from "./sync-context.js";
import type { ProbeAnswer } from "./upstream/upstream.js";

const load = () => import("../content/tree/export-generation.js");

/** Loads what renders while the process waits for something else. */
export function prepareRendering(config: Config): void {
  // What is wrong shows when it is needed.
  if (hasContent(config)) load().catch(() => undefined);
}

/**
 * Brings the content tree to a generation.
 * @param changes What led to it; undefined: it is found by comparing.
 */
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

/**
 * Renders the content tree again: its settings changed, it is not there, or a sync was killed before it was whole. Needs
 * nothing of the space.
 */
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
