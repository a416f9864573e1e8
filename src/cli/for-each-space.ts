import type { Fleet, SpaceConfig } from "../config/load/fleet.js";
import { errorCodes, type OffprintError } from "../lib/errors.js";
import { plural } from "../lib/quantity-text.js";
import { type Admit, runSpaces } from "../sync/run-spaces.js";
import type { CommandContext } from "./context.js";
import { exitCodesByBadness, worstExitCode } from "./exit-cause.js";
import { spellCommands } from "./next-command.js";
import { progressLine } from "./progress-line.js";
import { explained, failureOf, reportFailure } from "./report-failure.js";

/** A command for one of several spaces. The name labels its output. @returns the exit code */
export type SpaceCommand = (context: CommandContext, space: SpaceConfig, admit: Admit) => Promise<number>;

/** As {@link forEachSpace} does, but without labels if the configuration is one of a single space. */
export async function forOneOrEach(
  context: CommandContext,
  fleet: Fleet,
  command: string,
  run: (context: CommandContext, space: SpaceConfig) => Promise<number>,
): Promise<number> {
  const [first] = fleet.spaces;
  if (!fleet.isFleet && first !== undefined) return run(context, first);
  return forEachSpace(context, fleet, command, async (own, space, admit) => {
    await admit();
    return run(own, space);
  });
}

/** Continues after a failure. @param run may only probe until it calls `admit` @returns the worst exit code */
export async function forEachSpace(
  context: CommandContext,
  { spaces, concurrency }: Fleet,
  command: string,
  run: SpaceCommand,
): Promise<number> {
  const { terminal, signal } = context;
  const width = Math.max(...spaces.map(({ name }) => name.length));
  const startedMs = performance.now();
  let done = 0;
  const outcomes = await runSpaces(spaces, { concurrency, signal }, async (space, admit) => {
    const own = spaceContext(context, space.name, width);
    try {
      return await run(own, space, admit);
    } catch (error) {
      return reportFailure(own, command, await explained(own, error));
    } finally {
      done += 1;
      const amount = { done, total: spaces.length };
      const elapsedMs = performance.now() - startedMs;
      const line = (columns: number) => progressLine({ text: "Spaces", amount, elapsedMs }, columns);
      terminal.progress(done === spaces.length ? undefined : line);
    }
  });
  const codes = outcomes.map((outcome) => {
    if ("value" in outcome) return outcome.value;
    return tellNotBegun(spaceContext(context, outcome.space.name, width), command, failureOf(context, outcome.error));
  });
  return conclude(context, spaces, codes);
}

export function spaceContext(context: CommandContext, name: string, width: number): CommandContext {
  const { flags, env, terminal } = context;
  const ownFlags = { ...flags, space: [name] };
  const spelled = (text: string) => spellCommands(text, ownFlags, env);
  const label = `${name.padEnd(width)}  `;
  return { ...context, space: name, flags: ownFlags, spelled, terminal: terminal.ofSpace({ name, label, spelled }) };
}

/** A signal came before this space began: one line for all of them, but a document for each. */
function tellNotBegun({ terminal }: CommandContext, command: string, error: OffprintError): number {
  const { exitCode } = error;
  terminal.document({ schema: 1, command, outcome: "failed", exitCode, problems: [error.toProblem()] });
  return exitCode;
}

const shownNames = 10;

function conclude({ terminal }: CommandContext, spaces: readonly SpaceConfig[], codes: readonly number[]): number {
  const worst = worstExitCode(codes);
  const failed = new Map<number, string[]>();
  for (const [index, code] of codes.entries()) {
    const isFailure = code !== 0 && code !== errorCodes.UNCHANGED.exit;
    if (isFailure) failed.set(code, [...(failed.get(code) ?? []), spaces[index]?.name ?? ""]);
  }
  const count = plural(spaces.length, "space");
  if (failed.size === 0) {
    terminal.say(`${terminal.paint("green", "✔")} ${count}.`);
    return worst;
  }
  const worstFirst = [...failed].sort(([a], [b]) => exitCodesByBadness.indexOf(a) - exitCodesByBadness.indexOf(b));
  const texts = worstFirst.map(([code, names]) => {
    const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : "";
    return `${code}: ${names.slice(0, shownNames).join(", ")}${more}`;
  });
  const fine = codes.length - [...failed.values()].flat().length;
  const decisive = failed.size > 1 ? ` The worst is ${worst}.` : "";
  terminal.warn(`${terminal.paint("red", "✖")} ${count}: ${fine} done. Exit code ${texts.join("; ")}.${decisive}`);
  return worst;
}
