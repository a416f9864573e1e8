import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { runProcess, runWell } from "./run-process.js";
import { runWorkflow } from "./run-workflow.js";
import type { Trial } from "./trial-project.js";

/** Runs the steps of the composite action in a job, twice: the second run finds what the first has kept. */
export async function tryAction(file: string, trial: Trial): Promise<void> {
  const { inputs, runs } = parse(await readFile(file, "utf8"));
  const env = { OFFPRINT_TOKEN: expression("secrets.OFFPRINT_TOKEN"), OFFPRINT_URL: expression("vars.OFFPRINT_URL") };
  const workflow = stringify({ jobs: { site: { env, steps: runs.steps } } });
  const cache = join(trial.folder, "action-cache");
  await mkdir(cache);
  const run = async (commit: string) => {
    const folder = await installed(trial, "action-site");
    return runWorkflow(workflow, {
      folder,
      cache,
      event: "push",
      commit,
      secrets: { OFFPRINT_TOKEN: "demo" },
      vars: { OFFPRINT_URL: trial.upstream },
      inputs: defaultsOf(inputs),
      env: trial.env,
    });
  };
  const first = await run("a");
  const second = await run("b");
  const isRight = first.isGood && first.saved !== undefined && second.isGood && second.saved === undefined;
  if (!isRight || !second.text.includes("Unchanged")) throw new Error(`${first.text}\n${second.text}`);
  told("the action syncs and keeps the snapshot; the next run finds it, and saves nothing");
}

/** Netlify's interface for plugins, as its documentation states it; the build is the site's own. */
const netlify = `import { execSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { onPostBuild, onPreBuild } from "./plugins/offprint/index.js";
const copy = async (from, to) => {
  if (!existsSync(from)) return false;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  return true;
};
const cached = (path) => process.env.CACHE + "/" + path;
const run = (command) => execSync(command, { stdio: "inherit" });
const utils = {
  cache: { restore: (path) => copy(cached(path), path), save: (path) => copy(path, cached(path)) },
  run: { command: async (command) => run(command) },
  build: { failBuild: (message, { error }) => { throw new Error("FAILED: " + message, { cause: error }); } },
};
const args = { inputs: JSON.parse(process.env.INPUTS), constants: { PUBLISH_DIR: "dist" }, utils };
await onPreBuild(args);
run("npm run build");
await onPostBuild(args);
`;

/** Runs the build plugin of Netlify around builds: a first one, one that finds what was kept, and one that cannot sync. */
export async function tryPlugin(plugin: string, trial: Trial): Promise<void> {
  const { inputs } = parse(await readFile(join(plugin, "manifest.yml"), "utf8"));
  const named = inputs.map(({ name, ...input }: { name: string }) => [name, input]);
  const variables = {
    ...trial.env,
    CACHE: join(trial.folder, "plugin-cache"),
    INPUTS: JSON.stringify(defaultsOf(Object.fromEntries(named))),
    OFFPRINT_URL: trial.upstream,
    COMMIT_REF: "a",
  };
  const build = async (token: string) => {
    const cwd = await installed(trial, "plugin-site");
    await cp(plugin, join(cwd, "plugins", "offprint"), { recursive: true });
    await writeFile(join(cwd, "netlify.mjs"), netlify);
    const run = await runProcess(process.execPath, ["netlify.mjs"], {
      cwd,
      env: { ...variables, OFFPRINT_TOKEN: token },
    });
    return { ...run, file: (name: string) => readFile(join(cwd, "dist", name), "utf8") };
  };
  const first = await build("demo");
  if (first.code !== 0 || (await first.file("commit.txt")) !== "a\n") throw new Error(first.text);
  const second = await build("demo");
  if (!second.text.includes("Unchanged") || !second.text.includes("BUILT")) throw new Error(second.text);
  JSON.parse(await second.file("offprint.json"));
  const refused = await build("");
  if (refused.code === 0 || refused.text.includes("BUILT")) throw new Error(refused.text);
  told("the plugin brings the content before a build and keeps it; a sync that fails fails the build");
}

/** An expression of a workflow. */
function expression(name: string): string {
  return ["$", "{{ ", name, " }}"].join("");
}

/** A checkout with its packages. */
async function installed(trial: Trial, name: string): Promise<string> {
  const folder = await trial.checkout(name);
  await writeFile(
    join(folder, "sync.config.yaml"),
    'source: { url: "$' + '{OFFPRINT_URL}", token: "$' + '{OFFPRINT_TOKEN}" }\n',
  );
  await runWell("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, env: trial.env });
  return folder;
}

function defaultsOf(inputs: Record<string, { default?: string }>): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([name, { default: value = "" }]) => [name, value]));
}

function told(text: string): void {
  process.stdout.write(`  ✔ ${text}\n`);
}
