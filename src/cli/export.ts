import { errorCodes } from "../errors.js";
import { exportGeneration } from "../export/export-generation.js";
import { currentManifest } from "../snapshot/generations.js";
import { openOutput } from "../snapshot/open-output.js";
import type { CommandContext } from "./context.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { plural } from "./quantity-text.js";
import { summarizeProblems } from "./report-failure.js";

/** `offprint export` */
export async function runExport(context: CommandContext): Promise<number> {
  const config = await context.config();
  const output = openOutput(config.output.dir);
  if ((await currentManifest(output.store)) === undefined) throw missingSnapshot(config);
  const lock = await output.lock();
  try {
    const manifest = await currentManifest(output.store);
    if (manifest === undefined) throw missingSnapshot(config);
    const report = await exportGeneration({
      config,
      output: output.store,
      manifest,
      assertHeld: () => lock.assertHeld(),
    });
    summarizeProblems(context, report.problems, "yellow");
    const { written, removed, unchanged } = report;
    context.terminal.say(
      `${context.terminal.paint("green", "✔")} Generation ${manifest.generation}: ${plural(written, "file")} written, ${removed} removed, ${unchanged} as they were.`,
    );
    context.terminal.document({
      schema: 1,
      generation: manifest.generation,
      content: { written, removed, unchanged },
      problems: report.problems,
    });
    return report.problems.some(({ code }) => code === "CONTENT_BLOCKED") ? errorCodes.CONTENT_BLOCKED.exit : 0;
  } finally {
    await lock.release();
  }
}
