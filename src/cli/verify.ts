import { OffprintError } from "../errors.js";
import { verifyGeneration } from "../export/export-generation.js";
import { currentManifest } from "../snapshot/generations.js";
import { openOutput } from "../snapshot/open-output.js";
import { verifySnapshot } from "../snapshot/verify.js";
import type { CommandContext } from "./context.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { plural, size } from "./quantity-text.js";
import { printProblems } from "./report-failure.js";

/** `offprint verify` */
export async function runVerify(context: CommandContext, flags: { all?: boolean }): Promise<number> {
  const config = await context.config();
  const { store } = openOutput(config.output.dir);
  const manifest = await currentManifest(store);
  if (manifest === undefined) throw missingSnapshot(config);
  const snapshot = await verifySnapshot(store, { all: flags.all === true });
  const content = await verifyGeneration(config, manifest);
  const problems = [...snapshot.problems, ...content.problems];
  printProblems(context, problems, "red");
  const { terminal } = context;
  if (problems.length === 0) {
    terminal.say(
      `${terminal.paint("green", "✔")} Generation ${snapshot.generation}: ${plural(snapshot.records, "record")} in ${plural(snapshot.files, "file")} (${size(snapshot.bytes)}), ${plural(content.files, "content file")}, all as the manifest names them.`,
    );
  } else {
    terminal.say(
      `${plural(problems.length, "problem")}. The next \`offprint sync --full\` reads what is damaged again.`,
    );
  }
  terminal.document({ schema: 1, snapshot, content, problems });
  return problems.length === 0 ? 0 : new OffprintError("SNAPSHOT_DAMAGED", "").exitCode;
}
