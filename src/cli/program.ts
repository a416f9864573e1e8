import { Command, CommanderError } from "commander";
import { configFileName } from "../config/config-file.js";
import { errorCodes } from "../lib/errors.js";
import { printableLine } from "../lib/printable.js";
import { collectNames } from "./argument-values.js";
import { addCommands, type Execute } from "./commands.js";
import { type CommandContext, createContext, type GlobalFlags } from "./context.js";
import { commandLine } from "./next-command.js";
import { explained, reportFailure } from "./report-failure.js";
import type { Host } from "./terminal.js";

const docsAddress = "https://github.com/offprint/offprint#readme";

/** @param args without node and the script @param version what `--version` prints @returns the exit code */
export async function runProgram(args: readonly string[], version: string, host: Host): Promise<number> {
  let exitCode = 0;
  const execute: Execute =
    (run) =>
    async (...parameters) => {
      const command = parameters.pop() as Command;
      const flags = parameters.pop();
      const context = createContext(host, command.optsWithGlobals<GlobalFlags>(), version);
      exitCode = await guarded(context, command.name(), () => run(context, flags, ...parameters));
    };
  try {
    await createProgram(version, host, execute).parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : reportUsage(host, version, args, error);
  }
}

/** With `--json`, prints the usage error as a document too. Commander has printed it on stderr. */
function reportUsage(host: Host, version: string, args: readonly string[], { message }: CommanderError): number {
  const { exit } = errorCodes.USAGE;
  if (!args.includes("--json")) return exit;
  const context = createContext(host, { config: configFileName, color: false, json: true }, version);
  const problem = { code: "USAGE", message: message.replace(/^error: /, ""), hint: "Run `offprint --help`." };
  context.terminal.document({ schema: 1, command: null, outcome: "failed", exitCode: exit, problems: [problem] });
  context.close();
  return exit;
}

function printableLines(text: string): string {
  return text.split("\n").map(printableLine).join("\n");
}

async function guarded(context: CommandContext, command: string, run: () => Promise<number>): Promise<number> {
  try {
    context.workingFolder();
    return await run();
  } catch (error) {
    return reportFailure(context, command, await explained(context, error));
  } finally {
    context.close();
  }
}

function createProgram(version: string, { env, stdout, stderr }: Host, execute: Execute): Command {
  const program = new Command("offprint")
    .description(
      "Copies a Storyblok space to disk as JSON and Markdown, keeps it current, and serves it offline through the same API.",
    )
    .version(version, "-V, --version")
    .option("-c, --config <file>", "configuration file", configFileName)
    .option("--output <dir>", "output folder, instead of output.dir")
    .option("--space <names>", "only these of several spaces: names separated by commas", collectNames)
    .option("--json", "print only JSON on stdout")
    .option("-q, --quiet", "print problems only")
    .option("-v, --verbose", "print more")
    .option("--no-progress", "print no progress")
    .option("--log-time", "begin each line of the log with the time (UTC)")
    .option("--no-color", "print without colours")
    // The footer names `help`; it belongs to none of the groups.
    .configureHelp({ visibleCommands: ({ commands }) => [...commands] })
    .configureOutput({
      writeOut: (text) => stdout.write(printableLines(text)),
      writeErr: (text) => stderr.write(printableLines(text)),
    })
    .addHelpText("afterAll", ({ command }) =>
      command.parent === null ? footer(env) : `\nGlobal options: ${typedLine("--help", env)}`,
    )
    .exitOverride()
    .showHelpAfterError(`(\`${typedLine("--help", env)}\` lists the commands)`);
  addCommands(program, execute);
  for (const command of program.commands) {
    command.showHelpAfterError(`(\`${typedLine(`${command.name()} --help`, env)}\` lists its options)`);
  }
  return program;
}

const examples = [
  ["init --site", "set up the site in this folder"],
  ["sync", "copy the space, or update the copy"],
  ["open", "browse the copy"],
] as const;

function footer(env: Host["env"]): string {
  const lines = examples.map(([command, does]) => {
    return `  $ ${typedLine(command, env).padEnd(30)}  ${does}`;
  });
  const help = `Help for a command: ${typedLine("help <command>", env)}`;
  return ["", "Examples:", ...lines, "", help, `Docs: ${docsAddress}`].join("\n");
}

function typedLine(command: string, env: Host["env"]): string {
  return commandLine(command, { config: configFileName }, env);
}
