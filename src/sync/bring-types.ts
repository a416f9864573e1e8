import type { Config } from "../config/config.js";
import { isOffprintError, type Problem } from "../lib/errors.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import type { SyncReport } from "./report.js";
import type { SyncContext } from "./sync-context.js";
import { takeTurn } from "./take-turn.js";

/**
 * Brings the file of types (`types.file`) to the current generation, where one is configured. The snapshot is committed
 * by then: a file that cannot be written is a problem of the report.
 */
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
