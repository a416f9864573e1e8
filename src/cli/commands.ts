import { type Command, Option } from "commander";
import { findingsFormats } from "../config/config.js";
import { failLevels, ruleCodes } from "../config/schema/check-schema.js";
import {
  collect,
  parseAge,
  parseDepth,
  parseGeneration,
  parseGenerationOrTime,
  parsePort,
  parseVerifyPart,
} from "./argument-values.js";
import type { CommandContext } from "./context.js";
import { logLevels } from "./log-record.js";

// Commander types neither flags nor arguments.
// biome-ignore lint/suspicious/noExplicitAny: the options above each action say what they are
type Run = (context: CommandContext, flags: any, ...args: any[]) => Promise<number>;

export type Execute = (run: Run) => (...parameters: unknown[]) => Promise<void>;

export function addCommands(program: Command, execute: Execute): void {
  addStart(program, execute);
  addDaily(program, execute);
  addKeepFresh(program, execute);
  addBuildOnIt(program, execute);
  addRepair(program, execute);
}

function addStart(program: Command, execute: Execute): void {
  program.commandsGroup("Start:");
  program
    .command("init")
    .description("write sync.config.yaml, .env.example and a CI workflow; with --site, set up a site")
    .option("--region <region>", "region of the space: eu, us, ca, ap or cn")
    .option("--url <url>", "origin of the content delivery API")
    .option(
      "--site [framework]",
      "set up the site in this folder: scripts, loader, a first page; detects the framework by default",
    )
    .option("--full", "with --site: a page for each story, languages, a list, a sitemap")
    .option("--minimal", "with --site: one page that lists the stories (default)")
    .option("--ci <host>", "CI host: github, gitlab, netlify or vercel; by default the one that the folder shows")
    .option("--dry-run", "print what would be written; write nothing")
    .option("--force", "replace existing files; with --ci, only the workflow")
    .action(execute(async (context, flags) => (await import("./init.js")).runInit(context, flags)));
  program
    .command("sync")
    .description("update the snapshot and the content from the space")
    .option("--full", "read every record again, even if the index shows no change")
    .option("--dry-run", "print what would be read and how many requests it takes; write nothing")
    .option("--exit-code", "exit with 9 when the space did not change")
    .option(
      "--strict",
      "also exit with 3 for dangling references, dead links, unusable records and assets deleted upstream",
    )
    .option(
      "--allow-stale <age>",
      "exit with 0 if the space cannot be read but was confirmed within this time, such as 24h",
      parseAge,
    )
    .option("--force-remove", "allow large removals")
    .option("--replace", "replace the snapshot of another space")
    .option("--metrics-file <file>", "write metrics for the textfile collector of node_exporter, even after a failure")
    .option("--status-file <file>", "write the age of the copy as JSON, even after a failure")
    .action(execute(async (context, flags) => (await import("./sync.js")).runSync(context, flags)));
  program
    .command("open")
    .description("browse the snapshot: state, stories, differences, assets, runs; read only")
    .option("--port <number>", "port; by default a free one", parsePort)
    .option("--no-browser", "print the address without opening a browser")
    .action(execute(async (context, flags) => (await import("./open.js")).runOpen(context, flags)));
  program
    .command("demo")
    .description("edit the embedded demo space, to try sync; without an option, list the edits")
    .option("--edit [kind]", "make an edit of this kind; by default the next one of a sequence")
    .option("--reset", "restore its original content")
    .action(execute(async (context, flags) => (await import("./demo.js")).runDemo(context, flags)));
}

function addDaily(program: Command, execute: Execute): void {
  program.commandsGroup("Daily:");
  program
    .command("status")
    .description("show the local copy and whether the space has changed since")
    .option("--offline", "do not ask the space")
    .option(
      "--since <what>",
      "compare with a deployment: a generation, or the file or address of a deployed index.json",
    )
    .option("--exit-code", "with --since: exit with 9 if there is nothing to deploy")
    .option("--all", "print a table of all spaces from local data; the default for several spaces")
    .option("--stale", "of the table, only spaces whose copy is older than schedule.maxAge")
    .option("--failed", "of the table, only spaces that need a person: a failed run, a damaged copy, none yet")
    .option("--history", "show the last runs that changed something: requests, changes, duration, level")
    .action(
      execute(async (context, flags) =>
        flags.history
          ? (await import("./history.js")).runHistory(context)
          : (await import("./status.js")).runStatus(context, flags),
      ),
    );
  program
    .command("check")
    .description("find problems in the content: dead links, missing texts, untranslated pages …")
    .option("--new", "only findings that the previous generation, or the baseline, does not have")
    .option(
      "--since <generation>",
      "only findings that this generation, by number or time, did not have",
      parseGenerationOrTime,
    )
    .option("--baseline <file>", "only findings that are not in this list")
    .option("--write-baseline", "write the list of known findings, and report none")
    .option("--write-lock", "write the shape of the content, to detect drift against it (check.lock)")
    .addOption(new Option("--format <format>", "how findings are printed").choices(findingsFormats))
    .addOption(new Option("--fail-on <level>", "fail from this level on; by default check.failOn").choices(failLevels))
    .option("--drafts", "read drafts instead of published content")
    .option("--all", "print every finding")
    .option(
      "--built [folder]",
      "check the HTML that a build left against the snapshot; by default in the framework's folder",
    )
    .addOption(new Option("--rule <code>", "only findings of this rule, such as UNTRANSLATED").choices(ruleCodes))
    .action(execute(async (context, flags) => (await import("./check.js")).runCheckCommand(context, flags)));
  program
    .command("report")
    .description("print what is not deployed yet as Markdown: changes, new findings, the built site, words, cost")
    .option(
      "--since <what>",
      "what is deployed: a generation, a time, or the file or address of a deployed index.json; by default the previous generation",
    )
    .option("--built [folder]", "the built site; by default the framework's folder, if it is there")
    .action(execute(async (context, flags) => (await import("./report.js")).runReport(context, flags)));
  program
    .command("generations")
    .description("list the kept generations: date, cv, changed stories, until when each is kept")
    .option("--all", "list every one; by default the newest 30")
    .action(execute(async (context, flags) => (await import("./generations.js")).runGenerations(context, flags)));
  program
    .command("diff")
    .description("compare two generations; by default the current one and the previous one")
    .argument("[a]", "earlier generation", parseGeneration)
    .argument("[b]", "later generation", parseGeneration)
    .option("--since <generation>", "earlier generation by number, or by time: yesterday", parseGenerationOrTime)
    .option("--at <time>", "the later one: current at this time")
    .option("--story <slug>", "compare one story by fields and words; full slug or uuid")
    .option("--language <code>", "with --story: the language; by default the default one")
    .option("--draft", "with --story: the draft, if the snapshot has both")
    .option("--markdown", "with --story: print Markdown, for a mail or a pull request")
    .action(
      execute(async (context, flags, a, b) =>
        flags.story === undefined
          ? (await import("./diff.js")).runDiff(context, { ...flags, a, b })
          : (await import("./diff-story.js")).runDiffStory(context, { ...flags, a, b }),
      ),
    );
  program
    .command("show")
    .description("print one story as stored, now or in an earlier generation")
    .argument("<slug>", "its full slug or uuid")
    .option("--generation <number>", "as it was in this generation", parseGeneration)
    .option("--at <time>", 'as it was then: yesterday, "2026-11-20 14:30", "3 hours ago"')
    .option("--language <code>", "the language; by default the default one")
    .option("--draft", "the draft, if the snapshot has both")
    .action(execute(async (context, flags, slug) => (await import("./show.js")).runShow(context, slug, flags)));
  program
    .command("why")
    .description("show why a page differs: which answers that it reads, of which stories")
    .argument("<page>", "its full slug, URL or uuid")
    .option(
      "--since <generation>",
      "compare with this generation, or the one at a time; by default the one before",
      parseGenerationOrTime,
    )
    .option("--language <code>", "the language; by default the default one, or that of the URL")
    .option("--draft", "the draft, if the snapshot has both")
    .action(execute(async (context, flags, page) => (await import("./why.js")).runWhy(context, page, flags)));
  program
    .command("usage")
    .description(
      "show who uses a block, story, asset, field, datasource, tag, term or language; by default list them all",
    )
    .argument(
      "[kind]",
      "block, story, asset, field, datasource, tag, term or language; or just a name that only one thing has",
    )
    .argument(
      "[name]",
      "name; for a story: slug or uuid; for a field: component.field; for an asset: address; for a term: taxonomy/term",
    )
    .option("--unused", "only what is unused")
    .option("--drafts", "read drafts instead of published content")
    .option("--all", "print every line")
    .action(
      execute(async (context, flags, kind, name) => (await import("./usage.js")).runUsage(context, kind, name, flags)),
    );
  program
    .command("changes")
    .description("list changes since a generation, or since a consumer last succeeded, as JSON lines")
    .option(
      "--since <generation>",
      "changes since this generation, by number or time; by default the one before the current",
      parseGenerationOrTime,
    )
    .option("--for <consumer>", "changes since the last generation that this consumer processed")
    .option(
      "--commit [generation]",
      "with --for: record that the consumer processed this generation; by default the current one",
      parseGeneration,
    )
    .option("--exit-code", "exit with 9 if there are none")
    .action(execute(async (context, flags) => (await import("./changes.js")).runChanges(context, flags)));
}

function addKeepFresh(program: Command, execute: Execute): void {
  program.commandsGroup("Keep fresh:");
  withListener(program.command("watch"))
    .description("sync on a schedule and on webhooks, until stopped")
    .action(execute(async (context, flags) => (await import("./watch.js")).runWatch(context, flags)));
  withListener(program.command("worker"))
    .description("sync a fleet of spaces together with workers on other machines, through a queue (worker.queue)")
    .action(execute(async (context, flags) => (await import("./worker.js")).runWorker(context, flags)));
  program
    .command("resume")
    .description("try a parked space at once: watch and worker try one that is refused for an hour less often")
    .argument("<space>", "its name in the configuration")
    .action(execute(async (context, _, space) => (await import("./resume.js")).runResume(context, space)));
  program
    .command("pull")
    .description("copy the current generation from a store or another folder, and render it; needs no token")
    .option("--from <source>", "s3://bucket/prefix, or another output folder; by default output.store")
    .option("--dry-run", "print what would be fetched; write nothing")
    .option("--exit-code", "exit with 9 when there is no newer generation")
    .option("--replace", "discard local data that did not come from this source")
    .action(execute(async (context, flags) => (await import("./pull.js")).runPull(context, flags)));
}

function addBuildOnIt(program: Command, execute: Execute): void {
  program.commandsGroup("Build on it:");
  program
    .command("export")
    .description("render the content again from the snapshot; needs no network")
    .option("--explain <slug>", "print how each field of a page becomes Markdown, and why; write nothing")
    .option("--language <code>", "with --explain: the language; by default the default one")
    .option("--draft", "with --explain: the draft, if the snapshot has both")
    .action(
      execute(async (context, flags) =>
        Object.keys(flags).length === 0
          ? (await import("./export.js")).runExport(context)
          : (await import("./explain-page.js")).runExplain(context, flags),
      ),
    );
  program
    .command("serve")
    .description("serve the snapshot through the same API it was read from")
    .option(
      "--from <place>",
      "serve this snapshot: s3://bucket/prefix, or an output folder; by default the configured one",
    )
    .option("--at <time>", "serve the generation that was current then, such as yesterday, and stay with it")
    .option("--port <number>", "port; 0 chooses a free one", parsePort)
    .option("--host <host>", "address to listen on")
    .option("--also <config>", "also serve the snapshot of this configuration, for its tokens (repeatable)", collect)
    .option("--assets <where>", "local: answers point to this server instead of the asset hosts")
    .option("--strict", "answer 404 for an edition that the snapshot lacks, instead of the nearest one")
    .option("--no-redirect", "answer published content directly, without the redirect to its cv")
    .option(
      "--fault <kind=share>",
      "fail a share of the answers: 429=10% or 429=1/20; kinds: 429, 500, 502, 503, 504, reset, truncate, stall",
      collect,
    )
    .option("--latency <time>", "delay every answer: 200ms, or 100ms-2s")
    .option("--explorer", "also serve pages for people at /_explorer; read only")
    .option("--openapi", "print the API as an OpenAPI document, and exit")
    .action(execute(async (context, flags) => (await import("./serve.js")).runServe(context, flags)));
  program
    .command("types")
    .description("print TypeScript types, zod schemas or a JSON Schema of the content")
    .option("--out <file>", "write to this file instead of stdout")
    .option("--check", "fail if the types file does not match the content")
    .option("--zod", "print zod 4 schemas with their types")
    .option("--json-schema", "print a JSON Schema (draft 2020-12)")
    .addOption(
      new Option("--rich-text <form>", "rich text as document or as html; by default content.richText").choices([
        "document",
        "html",
      ]),
    )
    .option("--depth <levels>", "how many levels of relations are embedded; by default resolve.depth", parseDepth)
    .action(execute(async (context, flags) => (await import("./types.js")).runTypes(context, flags)));
}

function addRepair(program: Command, execute: Execute): void {
  program.commandsGroup("Repair:");
  program
    .command("doctor")
    .description("find what prevents a sync: configuration, token, clock, disk, schedule …")
    .option("--store", "test whether the bucket of output.store is safe for several writers")
    .option("--contract", "compare every stored record with the API that this version knows")
    .action(execute(async (context, flags) => (await import("./doctor.js")).runDoctor(context, flags)));
  program
    .command("verify")
    .description("hash every stored file and read every Markdown file back")
    .option("--all", "check every kept generation, not only the current one")
    .option("--deep", "also parse every record, to find invalid ones")
    .option("--part <n/m>", "check one of m parts of the files; today/30: each day another one", parseVerifyPart)
    .action(execute(async (context, flags) => (await import("./verify.js")).runVerify(context, flags)));
  program
    .command("rollback")
    .description("commit an earlier state as a new generation; sync stops until you release it")
    .argument("[generation]", "generation to restore; by default the previous one", parseGeneration)
    .option("--at <time>", 'restore the one that was current then, such as "2 hours ago"')
    .option("--release", "let sync continue from the held generation")
    .action(
      execute(async (context, flags, generation) =>
        (await import("./rollback.js")).runRollback(context, generation, flags),
      ),
    );
}

function withListener(command: Command): Command {
  return command
    .option(
      "--listen <address>",
      "accept webhooks at /hooks/<space>, and answer /healthz, /readyz, /fresh and /metrics; 127.0.0.1:4480, or only a port",
    )
    .option("--metrics-file <file>", "write metrics after each run, in Prometheus text format")
    .option("--status-file <file>", "write the age of each copy after each run, as JSON")
    .addOption(
      new Option("--log-format <format>", "the log on stderr: lines for people, or a JSON object a line").choices([
        "text",
        "json",
      ]),
    )
    .addOption(new Option("--log-level <level>", "the least that is logged; by default info").choices(logLevels));
}
