import type { Config } from "../config/config.js";
import { errorCodes } from "../lib/errors.js";
import { plural, size } from "../lib/quantity-text.js";
import { openOutput } from "../snapshot/open-output.js";
import type { VerifyOptions } from "../snapshot/verify/verify.js";
import { shareOfDay } from "../snapshot/verify/verify-share.js";
import { verifyOutput } from "../sync/verify-output.js";
import type { CommandContext } from "./context.js";
import { printExitCause } from "./exit-cause.js";
import { forOneOrEach } from "./for-each-space.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { summarizeProblems } from "./report-failure.js";

export interface VerifyFlags extends Omit<VerifyOptions, "part"> {
  /** `today`: by the calendar of this machine, as cron has it. */
  part?: { number: number | "today"; of: number };
}

export async function runVerify(context: CommandContext, { part, ...flags }: VerifyFlags): Promise<number> {
  const fleet = await context.spaces({ tokenOptional: true });
  const share = part && (part.number === "today" ? shareOfDay(new Date(), part.of) : { ...part, number: part.number });
  const options: VerifyOptions = { ...flags, ...(share && { part: share }) };
  return forOneOrEach(context, fleet, "verify", (own, { config }) => verifySpace(own, config, options));
}

async function verifySpace(context: CommandContext, config: Config, flags: VerifyOptions): Promise<number> {
  const output = openOutput(config.output);
  const found = await verifyOutput(output, config, flags);
  if (found === undefined) throw missingSnapshot(config);
  const { manifest, snapshot, content, problems, unnoted } = found;
  const { all, deep, part } = flags;
  const share = part && `${part.number}/${part.of}`;
  const options = [...(all ? ["--all"] : []), ...(deep ? ["--deep"] : []), ...(share ? [`--part ${share}`] : [])];
  const listedBy = ["offprint verify", ...options].join(" ");
  // The last line names the first problem, and says what to do.
  const others = problems.slice(1).map((problem) => ({ ...problem, hint: "" }));
  summarizeProblems(context, others, "red", { listedBy });
  summarizeProblems(context, content.notes, "yellow", { listedBy });
  for (const { message } of unnoted) {
    context.terminal.say(`The result could not be stored for the next sync: ${message}`);
  }
  const { terminal } = context;
  if (problems.length === 0) {
    terminal.say(
      `${terminal.paint("green", "✔")} Generation ${snapshot.generation}${share ? `, part ${share}` : ""}: ${plural(snapshot.records, "record")} in ${plural(snapshot.files, "file")} (${size(snapshot.bytes)}), ${plural(content.files, "content file")}, ${content.notes.length === 0 ? "all match the manifest" : "none lost or damaged"}.`,
    );
  }
  terminal.document({ schema: 1, ...(part && { part }), snapshot, content, problems });
  if (problems.length === 0) return 0;
  const hint = manifest.held
    ? "The generation is held: run `offprint rollback --release`, then `offprint sync`, to repair it."
    : snapshot.damagedGenerations.length === 0
      ? "Run `offprint sync` to repair it."
      : "Run `offprint sync` to repair it, and to remove damaged old generations.";
  // Content files alone need no sync: their own hint stays.
  const isContentOnly = problems.every((problem) => problem.hint.includes("`offprint export`"));
  return printExitCause(context, {
    exitCode: errorCodes.SNAPSHOT_DAMAGED.exit,
    problems: isContentOnly ? problems : problems.map((problem) => ({ ...problem, hint })),
  });
}
