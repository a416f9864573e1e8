import type { Config } from "../config/config.js";
import { errorCodes, isOffprintError } from "../errors.js";
import { disownContent, verifyGeneration } from "../export/export-generation.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import { noteDamage, type Output, openOutput } from "../snapshot/open-output.js";
import { verifySnapshot } from "../snapshot/verify.js";
import type { CommandContext } from "./context.js";
import { printExitCause } from "./exit-cause.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { plural, size } from "./quantity-text.js";
import { summarizeProblems } from "./report-failure.js";

/** `offprint verify` */
export async function runVerify(context: CommandContext, flags: { all?: boolean }): Promise<number> {
  const config = await context.config({ tokenOptional: true });
  const output = openOutput(config.output);
  const { store } = output;
  const manifest = await currentManifest(store);
  if (manifest === undefined) throw missingSnapshot(config);
  const snapshot = await verifySnapshot(store, { all: flags.all === true });
  if (snapshot.generation === manifest.generation)
    await noteDamage(output, manifest, snapshot.damaged).catch((error: unknown) => warnOfUnnoted(context, error));
  const content = await verifyGeneration(config, manifest);
  const problems = [...snapshot.problems, ...content.problems];
  summarizeProblems(context, problems, "red");
  if (content.problems.length > 0) await disown(context, output, config);
  const { terminal } = context;
  if (problems.length === 0) {
    terminal.say(
      `${terminal.paint("green", "✔")} Generation ${snapshot.generation}: ${plural(snapshot.records, "record")} in ${plural(snapshot.files, "file")} (${size(snapshot.bytes)}), ${plural(content.files, "content file")}, all as the manifest names them.`,
    );
  }
  terminal.document({ schema: 1, snapshot, content, problems });
  if (problems.length === 0) return 0;
  const hint = manifest.held
    ? "The generation is held: run `offprint rollback --release`, then `offprint sync`, which puts right what is damaged."
    : "`offprint sync` puts right what is damaged.";
  const exitCode = errorCodes.SNAPSHOT_DAMAGED.exit;
  printExitCause(context, { exitCode, problems: problems.map((problem) => ({ ...problem, hint })) });
  return exitCode;
}

/** Makes a damaged content tree invalid: a build does not find it any more, and the next sync renders it again. */
async function disown(context: CommandContext, output: Output, config: Config): Promise<void> {
  try {
    const lock = await output.lock();
    await disownContent(config).finally(() => lock.release());
  } catch (error) {
    warnOfUnnoted(context, error);
  }
}

/** A read-only folder can be verified too; the next sync then finds the damage when it reads the file. */
function warnOfUnnoted({ terminal }: CommandContext, error: unknown): void {
  if (!isOffprintError(error)) throw error;
  terminal.say(`What was found could not be noted for the next sync: ${error.message}`);
}
