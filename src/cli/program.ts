import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { failLevels, findingsFormats, largestDepth } from "../config/config.js";
import { configFileName } from "../config/config-file.js";
import { parseDurationWithUnit } from "../config/schema/quantity.js";
import { errorCodes } from "../lib/errors.js";
import { printableLine } from "../lib/printable.js";
import { type CommandContext, createContext, type GlobalFlags } from "./context.js";
import { explained, reportFailure } from "./report-failure.js";
import type { Host } from "./terminal.js";

/**
 * Parses the arguments and runs the command.
 *
 * @param args without node and the script
 * @param version what `--version` prints
 * @returns the exit code
 */
export async function runProgram(args: readonly string[], version: string, host: Host): Promise<number> {
  let exitCode = 0;
  const program = createProgram(version, host, async (command, run) => {
    const context = createContext(host, command.optsWithGlobals<GlobalFlags>());
    exitCode = await guarded(context, command.name(), run);
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : reportUsage(host, args, error);
  }
}

/** Commander has printed on stderr what is wrong; with `--json` a document says it too. */
function reportUsage(host: Host, args: readonly string[], { message }: CommanderError): number {
  const { exit } = errorCodes.USAGE;
  if (!args.includes("--json")) return exit;
  const context = createContext(host, { config: configFileName, color: false, json: true });
  const problem = { code: "USAGE", message: message.replace(/^error: /, ""), hint: "Run `offprint --help`." };
  context.terminal.document({ schema: 1, command: null, outcome: "failed", exitCode: exit, problems: [problem] });
  context.close();
  return exit;
}

/** What commander prints: it repeats arguments. */
function printableLines(text: string): string {
  return text.split("\n").map(printableLine).join("\n");
}

type Run = (context: CommandContext) => Promise<number>;

/** Runs a command; an error becomes its message and its exit code. */
async function guarded(context: CommandContext, command: string, run: Run): Promise<number> {
  try {
    context.workingFolder();
    return await run(context);
  } catch (error) {
    return reportFailure(context, command, await explained(context, error));
  } finally {
    context.close();
  }
}

type Execute = (command: Command, run: Run) => Promise<void>;

function createProgram(version: string, { stdout, stderr }: Host, execute: Execute): Command {
  const program = new Command("offprint")
    .description(
      "Copies a headless content space into an exact snapshot, renders it as JSON and Markdown, and serves it again.",
    )
    .version(version, "-V, --version")
    .option("-c, --config <file>", "configuration file", configFileName)
    .option("--output <dir>", "output folder, in place of output.dir")
    .option("--space <names>", "of a file of several spaces, only these: names with commas between them", collectNames)
    .option("--json", "print JSON on stdout, and nothing else there")
    .option("-q, --quiet", "print problems only")
    .option("-v, --verbose", "print more")
    .option("--no-progress", "print nothing of what runs until it has ended")
    .option("--no-color", "print without colours")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(printableLines(text)),
      writeErr: (text) => stderr.write(printableLines(text)),
    })
    .exitOverride()
    .showHelpAfterError("(`offprint --help` lists the commands)");
  addSync(program, version, execute);
  addGenerations(program, execute);
  addServe(program, version, execute);
  addOpen(program, version, execute);
  addWatch(program, version, execute);
  addWorker(program, version, execute);
  addReading(program, execute);
  addTypes(program, execute);
  addCheck(program, execute);
  addUsage(program, execute);
  addDemo(program, execute);
  return program;
}

function addSync(program: Command, version: string, execute: Execute): void {
  program
    .command("sync")
    .description("bring the snapshot and the content up to the space")
    .option("--full", "ask for every record again, whatever the index shows")
    .option("--dry-run", "print what would be read and its requests; write nothing")
    .option("--exit-code", "exit with 9 when the space did not change")
    .option(
      "--strict",
      "exit with 3 for dangling references, dead links, unusable records and assets gone upstream too",
    )
    .addOption(
      new Option(
        "--allow-stale <age>",
        "exit with 0 when the space cannot be read, but was read within this time: 24h",
      ).argParser(parseAge),
    )
    .option("--force-remove", "remove what is gone upstream, however much it is")
    .option("--replace", "replace the snapshot of another space")
    .option("--metrics-file <file>", "write metrics for the textfile collector of node_exporter, after a failure too")
    .option("--status-file <file>", "write how old the copy is as JSON, after a failure too")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./sync.js")).runSync(context, { ...flags, version })),
    );
  program
    .command("export")
    .description("render the content again from the snapshot; needs no network")
    .action(async (_flags, command: Command) =>
      execute(command, async (context) => (await import("./export.js")).runExport(context)),
    );
  program
    .command("pull")
    .description("copy the current generation of a store or of another folder, and render it; needs no token")
    .option("--from <source>", "s3://bucket/prefix, or another output folder; by default output.store")
    .option("--dry-run", "print what would be fetched; write nothing")
    .option("--exit-code", "exit with 9 when there is no newer generation")
    .option("--replace", "give up what is here and does not come from there")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./pull.js")).runPull(context, flags)),
    );
}

function addGenerations(program: Command, execute: Execute): void {
  program
    .command("diff")
    .description("show what differs between two generations; by default the current one and the one before")
    .argument("[a]", "earlier generation", parseGeneration)
    .argument("[b]", "later generation", parseGeneration)
    .option("--story <slug>", "how one story differs, by fields and words; its full slug or uuid")
    .option("--language <code>", "with --story: the language; by default the default one")
    .option("--draft", "with --story: the draft, where the snapshot has both")
    .option("--markdown", "with --story: as Markdown, for a mail or a pull request")
    .action(async (a, b, flags, command: Command) =>
      execute(command, async (context) =>
        flags.story === undefined
          ? (await import("./diff.js")).runDiff(context, { ...flags, a, b })
          : (await import("./diff-story.js")).runDiffStory(context, { ...flags, a, b }),
      ),
    );
  program
    .command("show")
    .description("print one story as it is stored, or as it was in an earlier generation")
    .argument("<slug>", "its full slug or uuid")
    .option("--generation <number>", "as it was in this generation", parseGeneration)
    .option("--language <code>", "the language; by default the default one")
    .option("--draft", "the draft, where the snapshot has both")
    .action(async (slug, flags, command: Command) =>
      execute(command, async (context) => (await import("./show.js")).runShow(context, slug, flags)),
    );
  program
    .command("changes")
    .description("list what changed since a generation, or since a consumer succeeded last, as JSON lines")
    .option("--since <generation>", "changes since this generation", parseGeneration)
    .option("--for <consumer>", "changes since the generation that this consumer has dealt with last")
    .option(
      "--commit [generation]",
      "with --for: note that the consumer has dealt with this generation; by default the current one",
      parseGeneration,
    )
    .option("--exit-code", "exit with 9 when there are none")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./changes.js")).runChanges(context, flags)),
    );
  program
    .command("rollback")
    .description("commit an earlier state as a new generation, which sync leaves alone until it is released")
    .argument("[generation]", "generation to go back to; by default the one before", parseGeneration)
    .option("--release", "let sync go on from the held generation")
    .action(async (generation, flags, command: Command) =>
      execute(command, async (context) => (await import("./rollback.js")).runRollback(context, generation, flags)),
    );
}

function parseGeneration(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("It has to be the number of a generation.");
  return Number(text);
}

function addWatch(program: Command, version: string, execute: Execute): void {
  program
    .command("watch")
    .description("sync by a schedule, and when a webhook tells of a change, until it is stopped")
    .option(
      "--listen <address>",
      "take webhooks at /hooks/<space>, and answer /healthz, /readyz and /metrics; 127.0.0.1:4480, or a port alone",
    )
    .option("--metrics-file <file>", "write metrics after each run, in the text format of Prometheus")
    .option("--status-file <file>", "write how old each copy is after each run, as JSON")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./watch.js")).runWatch(context, { ...flags, version })),
    );
}

function addWorker(program: Command, version: string, execute: Execute): void {
  program
    .command("worker")
    .description("sync the spaces of a fleet together with workers on other machines, by a queue (worker.queue)")
    .option(
      "--listen <address>",
      "take webhooks at /hooks/<space>, and answer /healthz, /readyz and /metrics; 127.0.0.1:4480, or a port alone",
    )
    .option("--metrics-file <file>", "write metrics after each run, in the text format of Prometheus")
    .option("--status-file <file>", "write how old each copy is after each run, as JSON")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./worker.js")).runWorker(context, { ...flags, version })),
    );
}

function addServe(program: Command, version: string, execute: Execute): void {
  program
    .command("serve")
    .description("serve the snapshot through the interface that it was read from")
    .option(
      "--from <place>",
      "serve this snapshot: s3://bucket/prefix, or an output folder; by default the configured one",
    )
    .option("--port <number>", "port; 0 chooses a free one", parsePort)
    .option("--host <host>", "address to listen on")
    .option("--also <config>", "serve the snapshot of this configuration too, for its tokens (repeatable)", collect)
    .option("--assets <where>", "local: answers name this server in place of the asset hosts")
    .option("--strict", "answer 404 for an edition that the snapshot lacks, not the nearest one")
    .option("--no-redirect", "answer published content without its cv at once")
    .option(
      "--fault <kind=share>",
      "fail a share of the answers: 429=10% or 429=1/20; kinds: 429, 500, 502, 503, 504, reset, truncate, stall",
      collect,
    )
    .option("--latency <time>", "let every answer wait: 200ms, or 100ms-2s")
    .option("--explorer", "serve pages for people too, at /_explorer; read only")
    .option("--openapi", "print the interface as an OpenAPI document, and end")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./serve.js")).runServe(context, { ...flags, version })),
    );
}

function addOpen(program: Command, version: string, execute: Execute): void {
  program
    .command("open")
    .description("look at the snapshot in a browser: its state, stories, differences, assets, runs; read only")
    .option("--port <number>", "port; by default a free one", parsePort)
    .option("--no-browser", "print the address, and open no browser")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./open.js")).runOpen(context, { ...flags, version })),
    );
}

/** The names of an option that takes several, and may be given several times. */
function collectNames(value: string, before: string[] = []): string[] {
  const names = value.split(",").map((name) => name.trim());
  return [...new Set([...before, ...names.filter((name) => name !== "")])];
}

/** The values of an option that may be given several times. */
function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function addReading(program: Command, execute: Execute): void {
  program
    .command("status")
    .description("show what is here, against what is upstream")
    .option("--offline", "do not ask the upstream")
    .option(
      "--since <what>",
      "compare with what is deployed: a generation, or the file or address of a deployed index.json",
    )
    .option("--exit-code", "with --since: exit with 9 when nothing is to be deployed")
    .option("--all", "a table of all spaces, from what is here; of several spaces by default")
    .option("--history", "show the last runs that did something: requests, changes, duration, level")
    .action(async (flags, command: Command) =>
      execute(command, async (context) =>
        flags.history
          ? (await import("./history.js")).runHistory(context)
          : (await import("./status.js")).runStatus(context, flags),
      ),
    );
  program
    .command("doctor")
    .description("find what keeps a sync from working: configuration, token, clock, disk, schedule …")
    .option("--store", "try whether the bucket of output.store keeps to what several writers need")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./doctor.js")).runDoctor(context, flags)),
    );
  program
    .command("verify")
    .description("hash every file again and read every Markdown file back")
    .option("--all", "every kept generation, not the current one alone")
    .option("--deep", "parse every record too, for one that should never have been committed")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./verify.js")).runVerify(context, flags)),
    );
  program
    .command("init")
    .description("write sync.config.yaml, .env.example and a recipe for CI; with --site, what a site needs")
    .option("--region <region>", "region of the space: eu, us, ca, ap or cn")
    .option("--url <url>", "origin of the content delivery interface")
    .option(
      "--site [framework]",
      "set up the site in this folder: scripts, loader, a first page; without a name it is found out",
    )
    .option("--ci <host>", "whose recipe for CI: github (by default), gitlab, netlify or vercel")
    .option("--dry-run", "print what would be written; write nothing")
    .option("--force", "replace files that are there; with --ci, the recipe only")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./init.js")).runInit(context, flags)),
    );
}

function addTypes(program: Command, execute: Execute): void {
  program
    .command("types")
    .description("print the types of the content, as TypeScript, zod or JSON Schema")
    .option("--out <file>", "write them to this file; by default they are printed")
    .option("--check", "compare the file of types with the content, and fail where they differ")
    .option("--zod", "schemas of zod 4, with their types")
    .option("--json-schema", "a JSON Schema (draft 2020-12)")
    .addOption(
      new Option("--rich-text <form>", "rich text as document or as html; by default content.richText").choices([
        "document",
        "html",
      ]),
    )
    .option("--depth <levels>", "how deep relations are embedded; by default resolve.depth", parseDepth)
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./types.js")).runTypes(context, flags)),
    );
}

function addCheck(program: Command, execute: Execute): void {
  program
    .command("check")
    .description("find what is wrong in the content: dead links, missing texts, pages that are not translated …")
    .option("--new", "only what the generation before did not have, or the baseline")
    .option("--since <generation>", "only what this generation did not have", parseGeneration)
    .option("--baseline <file>", "only what this list of known findings does not have")
    .option("--write-baseline", "write the list of known findings, and tell none")
    .option("--write-lock", "write the shape of the content that drift is told against (check.lock)")
    .addOption(new Option("--format <format>", "how findings are printed").choices(findingsFormats))
    .addOption(new Option("--fail-on <level>", "fail from this level on; by default check.failOn").choices(failLevels))
    .option("--drafts", "look at drafts, not at what is published")
    .option("--all", "print every finding, however many there are")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./check.js")).runCheckCommand(context, flags)),
    );
}

function addUsage(program: Command, execute: Execute): void {
  program
    .command("usage")
    .description("show who uses a block, story, asset, field, datasource or tag; by default what there is")
    .argument("[kind]", "block, story, asset, field, datasource or tag")
    .argument("[name]", "its name; of a story its slug or uuid, of a field component.field, of an asset its address")
    .option("--unused", "only what nobody uses")
    .option("--drafts", "look at drafts, not at what is published")
    .option("--all", "print every line, however many there are")
    .action(async (kind, name, flags, command: Command) =>
      execute(command, async (context) => (await import("./usage.js")).runUsage(context, kind, name, flags)),
    );
}

function addDemo(program: Command, execute: Execute): void {
  program
    .command("demo")
    .description("edit the embedded demo space, to try sync with; without an option, list the edits")
    .option("--edit [kind]", "edit it as an editor would; without a kind the next one of a sequence")
    .option("--reset", "take it back to its beginning")
    .action(async (flags, command: Command) =>
      execute(command, async (context) => (await import("./demo.js")).runDemo(context, flags)),
    );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("It has to be a number from 0 to 65535.");
  return port;
}

function parseDepth(text: string): number {
  const depth = Number(text);
  if (!/^\d+$/.test(text) || depth > largestDepth) {
    throw new InvalidArgumentError(`It has to be a whole number from 0 to ${largestDepth}.`);
  }
  return depth;
}

function parseAge(text: string): number {
  const age = parseDurationWithUnit(text);
  if (age === undefined) throw new InvalidArgumentError("It has to be a time such as 90m or 24h.");
  return age;
}
