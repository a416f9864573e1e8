import type { Config } from "../config/config.js";
import { exportGeneration } from "../content/tree/export-generation.js";
import { plural } from "../lib/quantity-text.js";
import { lockFolder } from "../snapshot/lock-folder.js";
import { noteContentProblems, openOutput } from "../snapshot/open-output.js";
import { openReadable } from "../snapshot/open-readable.js";
import type { CommandContext } from "./context.js";
import { incompleteness, printExitCause } from "./exit-cause.js";
import { forOneOrEach } from "./for-each-space.js";
import { missingSnapshot, warnUnreachable } from "./missing-snapshot.js";
import { summarizedProblems, summarizeProblems } from "./report-failure.js";
import { syncProgress } from "./sync-progress.js";
import { nameTold } from "./told-problems.js";

export async function runExport(context: CommandContext): Promise<number> {
  const fleet = await context.spaces({ tokenOptional: true });
  return forOneOrEach(context, fleet, "export", (own, { config }) => exportSpace(own, config));
}

async function exportSpace(context: CommandContext, config: Config): Promise<number> {
  // The content is in a local folder, so no lease of a shared store is needed.
  const isShared = config.output.store !== undefined;
  const snapshot = openReadable(config.output, { onUnreachable: warnUnreachable(context.terminal) });
  if (!isShared && (await snapshot.current()) === undefined) throw missingSnapshot(config);
  const output = openOutput({ dir: config.output.dir });
  const lock = await (isShared ? lockFolder(config.output.dir) : output.lock());
  const progress = syncProgress(context.terminal, { showsStages: context.space === undefined });
  try {
    const manifest = await snapshot.current();
    if (manifest === undefined) throw missingSnapshot(config);
    progress.onProgress({ kind: "stage", stage: "export" });
    const report = await exportGeneration({
      config,
      output: snapshot.store,
      manifest,
      assertHeld: () => lock.assertHeld(),
      onProgress: (done, total) => progress.onProgress({ kind: "advance", stage: "export", done, total }),
    });
    progress.end();
    if (!isShared) await noteContentProblems(output, manifest, report.problems);
    const told = summarizedProblems(context, report.problems);
    const problems = await nameTold(context, { store: snapshot.store, config }, report.problems, told);
    summarizeProblems(context, problems, "yellow");
    const { written, removed, unchanged, reconsidered } = report;
    const cause = incompleteness(report.problems, { onFailure: "keep" });
    const { terminal } = context;
    const mark = cause === undefined ? terminal.paint("green", "✔") : terminal.paint("yellow", "!");
    terminal.say(
      `${mark} Generation ${manifest.generation}: ${plural(written, "file")} written, ${removed} removed, ${unchanged} as they were.`,
    );
    if (reconsidered.length > 0) terminal.detail(reconsideredText(reconsidered));
    const { generation } = manifest;
    const content = { written, removed, unchanged };
    terminal.document({ schema: 1, generation, content, problems });
    return printExitCause(context, cause);
  } finally {
    await lock.release();
  }
}

/** Says why pages were written again that nobody edited. */
function reconsideredText(components: readonly string[]): string {
  const shown = components.map((component) => JSON.stringify(component)).join(", ");
  return `All stories together now say otherwise which fields are options, prose or dates: pages with ${shown} were rendered again.`;
}
