import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { fileAt, readBuiltSite } from "./built-site.js";
import { checkFullSite, storyAddresses } from "./check-full-site.js";
import {
  type BuiltStep,
  type ConsoleStep,
  differsAt,
  type PageStep,
  readPageSteps,
  type SiteStep,
} from "./page-steps.js";
import { runWell } from "./run-process.js";
import { siteStarts } from "./site-starts.js";
import { siteSteps } from "./site-steps.js";

/**
 * `npm run pages:try [-- [--all] README.md docs/tutorial.md]`: follows each page from an empty folder, as a reader does. It writes
 * the files that the page shows, runs every command of a `console` block with the packed package, and compares what each
 * prints with what the page shows. A page of `docs/sites` begins with an empty project of its framework, and ends with a
 * build of the site that `init --site --full` writes: of a part of the demo space, with `--all` of the whole. Reads the package registry. Ends with exit code 1 at the first difference.
 */
async function main(args: readonly string[]): Promise<void> {
  const names = args.filter((name) => name !== "--all");
  const folder = await mkdtemp(join(tmpdir(), "offprint-pages-"));
  try {
    await runWell("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root, env: process.env });
    const [tarball = ""] = await readdir(folder);
    for (const name of names.length > 0 ? names : pages) {
      const place = join(folder, name.replaceAll("/", "-"));
      const started = performance.now();
      await mkdir(place);
      await followPage(name, place, { tarball: join(folder, tarball), isWhole: args.includes("--all") });
      process.stdout.write(`✔ ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const root = resolve(import.meta.dirname, "..", "..");
const program = join(root, "dist/cli/main.js");
const pages = ["README.md", "docs/tutorial.md", ...Object.keys(siteStarts)];

async function followPage(
  name: string,
  folder: string,
  { tarball, isWhole }: { tarball: string; isWhole: boolean },
): Promise<void> {
  const shell = new Shell(folder, tarball);
  try {
    const steps = readPageSteps(await readFile(join(root, name), "utf8"));
    const start = siteStarts[name];
    for (const step of start === undefined ? steps : await siteSteps(start, steps, { root, isWhole })) {
      const what = { file: "path", merge: "path", command: "command", look: "url", built: "url", site: "built" }[
        step.kind
      ] as keyof typeof step;
      process.stdout.write(`  ${name}:${step.line} ${step[what]}\n`);
      await takeStep(step, shell);
    }
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}: ${what}\nMeanwhile in the background:\n${shell.printed.slice(-2000)}`);
  } finally {
    shell.close();
  }
}

async function takeStep(step: PageStep, shell: Shell): Promise<void> {
  if (step.kind === "file") {
    const path = join(shell.folder, step.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, step.text);
    return;
  }
  if (step.kind === "merge") return mergeSettings(join(shell.folder, step.path), parse(step.text));
  if (step.kind === "look") return waitForText(step.url, step.text);
  if (step.kind === "built") return checkBuilt(step, shell.folder);
  if (step.kind === "site") return checkStories(step, shell.folder);
  const printed = step.background ? await shell.start(step) : await shell.run(step.command);
  const at = differsAt(step.output, printed);
  if (at !== undefined)
    throw new Error(`line ${step.line}: ${step.command} does not print "${at}" there, but\n${printed}`);
}

/** YAML has JSON in it, so it is how both are written. */
async function mergeSettings(path: string, { scripts, ...settings }: Record<string, unknown>): Promise<void> {
  const there = parse(await readFile(path, "utf8"));
  const joined = scripts === undefined ? {} : { scripts: { ...there.scripts, ...scripts } };
  await writeFile(path, `${JSON.stringify({ ...there, ...settings, ...joined }, undefined, 2)}\n`);
}

/** @throws Error if the built site lacks the page, its title, or a link to a translation */
async function checkBuilt({ folder, url, title, languages }: BuiltStep, project: string): Promise<void> {
  const site = await readBuiltSite(join(project, folder));
  const page = site.pages.get(fileAt(site, url) ?? "");
  if (page === undefined) throw new Error(`no page ${url}, but\n${[...site.pages.keys()].join("\n")}`);
  if (!page.title.includes(title)) throw new Error(`${url} has the title "${page.title}", not "${title}"`);
  const named = [...page.alternates.keys()].sort().join(", ");
  if (named !== languages.toSorted().join(", ")) throw new Error(`${url} has hreflang for "${named}"`);
  for (const address of page.alternates.values()) {
    if (fileAt(site, new URL(address).pathname) === undefined) throw new Error(`${url}: no page at ${address}`);
  }
}

/** @throws Error if a story has no page in one of its languages, or a link leads nowhere */
async function checkStories({ built, isWhole, version, ...step }: SiteStep, project: string): Promise<void> {
  const elsewhere = isWhole ? [] : await demoAddresses();
  const content = await exportedContent(project, version);
  const problems = await checkFullSite({ ...step, built: join(project, built), content, elsewhere });
  const lines = problems.slice(0, 20).map(({ kind, file, message }) => `  ${kind}: ${file} ${message}`);
  if (lines.length > 0) throw new Error(`${problems.length} wrong in the built site\n${lines.join("\n")}`);
}

/** The content tree of a project's snapshot, beside the project: most sites have none. @returns its folder */
async function exportedContent(project: string, version: string): Promise<string> {
  const folder = `${project}-exported`;
  const { assets, ...settings } = parse(await readFile(join(project, "sync.config.yaml"), "utf8"));
  const content = { ...settings.content, formats: ["json"], dir: "content" };
  const output = { dir: join(project, settings.output.dir) };
  await mkdir(folder, { recursive: true });
  const text = JSON.stringify({ ...settings, output, content, assets: { ...assets, dir: undefined } });
  await writeFile(join(folder, "sync.config.yaml"), text);
  const env = { ...process.env, OFFPRINT_VERSION: version };
  await runWell(process.execPath, [program, "export", "--quiet"], { cwd: folder, env });
  return join(folder, "content");
}

let addresses: Promise<string[]> | undefined;

/** The address of every story of the demo space: pages of a part of it link to them. */
function demoAddresses(): Promise<string[]> {
  addresses ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "offprint-demo-"));
    try {
      const source = { url: "demo:", token: "demo" };
      await writeFile(join(folder, "sync.config.yaml"), JSON.stringify({ source, content: { formats: ["json"] } }));
      await runWell(process.execPath, [program, "sync", "--quiet"], { cwd: folder, env: process.env });
      return await storyAddresses(join(folder, "output/content"));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  })();
  return addresses;
}

/** A development server needs a moment to show what changed. @throws Error if it takes more than three minutes */
async function waitForText(url: string, text: string): Promise<void> {
  let shown = "";
  for (let tries = 0; tries < 360; tries += 1) {
    shown = await fetch(url).then((answer) => answer.text(), String);
    if (shown.includes(text)) return;
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error(`${url} does not show "${text}", but\n${shown.slice(0, 2000)}`);
}

/** Runs the commands of a page one after another in one folder, and keeps those that go on in the background. */
class Shell {
  folder: string;
  /** What the commands in the background have printed. */
  printed = "";
  readonly #tarball: string;
  readonly #running: ChildProcess[] = [];

  constructor(folder: string, tarball: string) {
    this.folder = folder;
    this.#tarball = tarball;
  }

  /** @returns what the command prints on both streams @throws Error where it fails */
  async run(command: string): Promise<string> {
    const said = await runWell("bash", ["-ec", `${this.#local(command)}\nprintf '\\n%s' "$PWD"`], this.#place());
    const at = said.lastIndexOf("\n");
    this.folder = said.slice(at + 1);
    return said.slice(0, at);
  }

  /** Starts a command and leaves it running. @returns what it prints until the last line that the page shows @throws Error where it ends before */
  start({ command, output }: ConsoleStep): Promise<string> {
    const child = spawn("bash", ["-c", `exec ${this.#local(command)}`], { ...this.#place(), detached: true });
    this.#running.push(child);
    return new Promise((done, fail) => {
      const from = this.printed.length;
      const look = (chunk: Buffer) => {
        this.printed += chunk;
        if (differsAt(output, this.printed.slice(from)) === undefined) done(this.printed.slice(from));
      };
      child.stdout?.on("data", look);
      child.stderr?.on("data", look);
      child.on("close", () => fail(new Error(`${command} ended`)));
    });
  }

  close(): void {
    for (const { pid } of this.#running) if (pid !== undefined) process.kill(-pid);
  }

  /** The packed package stands in for the one of the registry. */
  #local(command: string): string {
    return command.startsWith("npm install ") ? command.replace(/(?<=\s)offprint\b/, this.#tarball) : command;
  }

  #place() {
    const { OFFPRINT_URL: _url, OFFPRINT_TOKEN: _token, ...env } = process.env;
    const quiet = { ASTRO_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1" };
    const npm = {
      npm_config_audit: "false",
      npm_config_fund: "false",
      // Versions are chosen anew here: an old list of them in npm's cache may lack one that a newer package needs.
      npm_config_prefer_offline: "false",
      // This project's own setting; a new project warns of a package that asks for a newer Node.
      npm_config_engine_strict: "false",
      // What fails says why, also below `npm run --silent`.
      npm_config_loglevel: "error",
    };
    return { cwd: this.folder, env: { ...env, ...quiet, ...npm, NO_COLOR: "1" }, timeoutMs: 300_000 };
  }
}

await main(process.argv.slice(2));
