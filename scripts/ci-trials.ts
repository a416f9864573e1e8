import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { runProcess, runWell } from "./run-process.js";
import { runWorkflow, type WorkflowRun } from "./run-workflow.js";
import { type BuildRun, buildRun, expectRun, type Trial } from "./trial-project.js";

/** What may be different from one run to the next. */
interface Circumstances {
  commit: string;
  event?: WorkflowRun["event"];
  buildFails?: boolean;
  deployFails?: boolean;
}

interface Host {
  run: (circumstances: Circumstances) => Promise<BuildRun>;
  /** Where what is kept between builds lies: folders that hold an output folder. */
  kept: () => Promise<string[]>;
  /** The checkout of the last run. */
  folder: string;
  /** Whether what is kept is brought back only where something is built. */
  restoresForBuilds?: boolean;
}

/**
 * What every recipe promises, on a host on which a run that is not needed ends without a build.
 *
 * @param isWhole false: without builds and deployments that fail, other commits, and a cache that is lost
 */
async function tryHost(trial: Trial, host: Host, isWhole: boolean): Promise<void> {
  const { run, kept, folder, restoresForBuilds = false } = host;
  const [done, idle] = [
    { isGood: true, built: true, deployed: true },
    { isGood: true, built: false, deployed: false },
  ];
  expectRun("the first run builds and deploys", await run({ commit: "a" }), done);
  expectRun("the next one finds nothing to do", await run({ commit: "a" }), idle);
  await trial.edit();
  if (isWhole) {
    expectRun("after an edit: a build that fails fails the run", await run({ commit: "a", buildFails: true }), {
      isGood: false,
      built: false,
      deployed: false,
    });
    expectRun("the build is tried again, and its deployment fails", await run({ commit: "a", deployFails: true }), {
      isGood: false,
      built: true,
      deployed: false,
    });
    expectRun("the deployment is tried again, though nothing changed since", await run({ commit: "a" }), done);
    expectRun("and then there is nothing to do", await run({ commit: "a" }), idle);
  }
  expectRun("another commit is built", await run({ commit: "b" }), done);
  const lost = await loseHalf(await kept());
  const [commit, wanted] = restoresForBuilds ? ["c", done] : ["b", idle];
  expectRun(`a cache that comes back without ${lost} of its files does no harm`, await run({ commit }), wanted);
  await runWell(join(folder, "node_modules", ".bin", "offprint"), ["verify"], { cwd: folder, env: upstreamEnv(trial) });
  process.stdout.write("  ✔ and the snapshot is whole again\n");
  if (!isWhole) return;
  const lostAll = await loseAll(await kept());
  expectRun(`a cache that is lost (${lostAll} files): nothing is to be deployed`, await run({ commit }), idle);
}

function upstreamEnv({ env, upstream }: Trial): NodeJS.ProcessEnv {
  return { ...env, OFFPRINT_URL: upstream, OFFPRINT_TOKEN: "demo" };
}

/** Removes every second file. */
async function loseHalf(folders: readonly string[]): Promise<number> {
  const files = await filesBelow(folders);
  const lost = files.filter((_, at) => at % 2 === 1);
  await Promise.all(lost.map((path) => rm(path)));
  return lost.length;
}

async function loseAll(folders: readonly string[]): Promise<number> {
  const files = await filesBelow(folders);
  await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })));
  return files.length;
}

async function filesBelow(folders: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(folders.map((path) => readdir(path, { recursive: true, withFileTypes: true })));
  return lists
    .flat()
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

async function offprintInit(trial: Trial, name: string): Promise<string> {
  const folder = await trial.checkout(name);
  const main = join(trial.folder, "project", "node_modules", ".bin", "offprint");
  await runWell(main, ["init", "--ci", name], { cwd: folder, env: trial.env });
  return folder;
}

/** A checkout with nothing but what git would have. */
async function freshCheckout(trial: Trial, name: string, committed: string): Promise<void> {
  const folder = await trial.checkout(name);
  await cp(committed, folder, { recursive: true });
}

async function committedFiles(trial: Trial, name: string): Promise<string> {
  const copy = join(trial.folder, `${name}-committed`);
  await cp(await offprintInit(trial, name), copy, { recursive: true });
  return copy;
}

function failing({ buildFails, deployFails }: Circumstances): NodeJS.ProcessEnv {
  return { ...(buildFails && { BUILD_FAILS: "1" }), ...(deployFails && { DEPLOY_FAILS: "1" }) };
}

export async function tryGithub(trial: Trial): Promise<void> {
  const committed = await committedFiles(trial, "github");
  const workflow = await readFile(join(committed, ".github/workflows/content-sync.yml"), "utf8");
  const folder = join(trial.folder, "github");
  const cache = join(trial.folder, "github-cache");
  await mkdir(cache);
  const saved: (string | undefined)[] = [];
  const run = async (circumstances: Circumstances): Promise<BuildRun> => {
    await freshCheckout(trial, "github", committed);
    const result = await runWorkflow(workflow, {
      folder,
      cache,
      event: circumstances.event ?? "schedule",
      commit: circumstances.commit,
      secrets: { OFFPRINT_TOKEN: "demo" },
      vars: { OFFPRINT_URL: trial.upstream, SITE_URL: trial.site },
      env: { ...trial.env, DEPLOY_TO: trial.deployed, ...failing(circumstances) },
    });
    saved.push(result.saved);
    return buildRun({ code: result.isGood ? 0 : 1, text: result.text });
  };
  const kept = async () => (await readdir(cache)).map((entry) => join(cache, entry, "output"));
  await tryHost(trial, { run, kept, folder }, true);
  expectRun("a run that somebody starts builds in any case", await run({ commit: "b", event: "workflow_dispatch" }), {
    isGood: true,
    built: true,
    deployed: true,
  });
  const entries = saved.filter((key) => key !== undefined).length;
  if (saved[1] !== undefined || entries > 4) throw new Error(`${entries} cache entries: ${saved.join(", ")}`);
  process.stdout.write(`  ✔ ${saved.length} runs saved ${entries} cache entries, one for each state of the snapshot\n`);
}

export async function tryGitlab(trial: Trial, isWhole: boolean): Promise<void> {
  const committed = await committedFiles(trial, "gitlab");
  const { content } = parse(await readFile(join(committed, ".gitlab-ci.yml"), "utf8"));
  const folder = join(trial.folder, "gitlab");
  const cache = join(trial.folder, "gitlab-cache");
  const paths: string[] = content.cache.paths;
  const script = `set -eo pipefail\n${content.script.join("\n")}\n`;
  const run = async (circumstances: Circumstances): Promise<BuildRun> => {
    await freshCheckout(trial, "gitlab", committed);
    await bring(paths, cache, folder);
    const env = {
      ...upstreamEnv(trial),
      ...content.variables,
      SITE_URL: trial.site,
      CI: "true",
      CI_PIPELINE_SOURCE: "schedule",
      CI_COMMIT_SHA: circumstances.commit,
      DEPLOY_TO: trial.deployed,
      ...failing(circumstances),
    };
    const result = await runProcess("bash", ["-c", script], { cwd: folder, env });
    await rm(cache, { recursive: true, force: true });
    await bring(paths, folder, cache);
    return buildRun(result);
  };
  await tryHost(trial, { run, kept: async () => paths.map((path) => join(cache, path)), folder }, isWhole);
}

async function bring(paths: readonly string[], from: string, to: string): Promise<void> {
  for (const path of paths) {
    await cp(join(from, path), join(to, path), { recursive: true, preserveTimestamps: true }).catch(ignoreMissing);
  }
}

/** Moves folder `from`, if it is there, to `to`, and removes what was there: a command that asks may install, too. */
async function replaceFolder(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  await rm(to, { recursive: true, force: true });
  await rename(from, to);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** Settings of a host that asks a command whether to build (0: no), installs, and builds. */
interface AskingHost {
  name: string;
  ignore: string;
  command: string;
  env: (commit: string) => NodeJS.ProcessEnv;
}

/**
 * Both keep the packages and what lies in their `.cache`, ask before they bring that back, and deploy what the command has
 * built. Of a build that fails they keep the packages alone.
 */
async function askingHost(
  trial: Trial,
  committed: string,
  settings: AskingHost,
): Promise<Host & { hook: Host["run"] }> {
  const { name, ignore, command } = settings;
  const folder = join(trial.folder, name);
  const cache = join(trial.folder, `${name}-cache`);
  const paths = ["node_modules/.cache"];
  const [packages, keptPackages] = [join(folder, "node_modules"), join(trial.folder, `${name}-packages`)];
  const build = async (circumstances: Circumstances, heeds: boolean): Promise<BuildRun> => {
    await replaceFolder(packages, keptPackages);
    await freshCheckout(trial, name, committed);
    const env = { ...upstreamEnv(trial), ...settings.env(circumstances.commit), ...failing(circumstances) };
    const place = { cwd: folder, env };
    const asked = await runProcess("bash", ["-c", ignore], place);
    if (heeds && asked.code === 0) return buildRun(asked);
    await replaceFolder(keptPackages, packages);
    await rm(join(folder, ...paths), { recursive: true, force: true });
    await bring(paths, cache, folder);
    await runWell("npm", ["install", "--no-audit", "--no-fund"], place);
    const built = await runProcess("bash", ["-c", command], place);
    if (built.code === 0) {
      await rm(cache, { recursive: true, force: true });
      await bring(paths, folder, cache);
    }
    if (built.code !== 0 || circumstances.deployFails) return buildRun({ ...built, code: 1 });
    await rm(trial.deployed, { recursive: true });
    await cp(join(folder, "dist"), trial.deployed, { recursive: true });
    return buildRun({ ...built, text: `${built.text}DEPLOYED\n` });
  };
  return {
    folder,
    kept: async () => [join(cache, paths[0]!)],
    restoresForBuilds: true,
    run: (circumstances) => build(circumstances, true),
    hook: (circumstances) => build(circumstances, false),
  };
}

export async function tryNetlify(trial: Trial, parseToml: (text: string) => unknown): Promise<void> {
  const committed = await committedFiles(trial, "netlify");
  const settings = parseToml(await readFile(join(committed, "netlify.toml"), "utf8")) as {
    build: { command: string; ignore: string; publish: string };
  };
  const env = (commit: string) => ({ URL: trial.site, COMMIT_REF: commit, NETLIFY: "true", CI: "true" });
  const { run, hook, kept, folder } = await askingHost(trial, committed, { name: "netlify", ...settings.build, env });
  const done = { isGood: true, built: true, deployed: true };
  expectRun("the first commit is built", await run({ commit: "a" }), done);
  expectRun("a commit that is deployed is not built again", await run({ commit: "a" }), {
    isGood: true,
    built: false,
    deployed: false,
  });
  await trial.edit();
  const tree = await readFile(join(trial.deployed, "index.html"), "utf8");
  expectRun("a build hook builds, whatever `ignore` says", await hook({ commit: "a" }), done);
  if (tree === (await readFile(join(trial.deployed, "index.html"), "utf8"))) throw new Error("the edit is not shown");
  expectRun("a build that fails deploys nothing", await run({ commit: "b", buildFails: true }), {
    isGood: false,
    built: false,
    deployed: false,
  });
  expectRun("so that its commit is still to be built", await run({ commit: "b" }), done);
  const lost = await loseHalf(await kept());
  const healed = await hook({ commit: "b" });
  expectRun(`a cache without ${lost} of its files heals`, healed, done);
  await runWell(join(folder, "node_modules/.bin/offprint"), ["verify"], { cwd: folder, env: upstreamEnv(trial) });
  const second = await hook({ commit: "b" });
  if (!second.text.includes("Unchanged")) throw new Error(`nothing was kept between builds:\n${second.text}`);
  process.stdout.write("  ✔ the snapshot is whole again, and kept between builds\n");
}

export async function tryVercel(trial: Trial, isWhole: boolean): Promise<void> {
  const committed = await committedFiles(trial, "vercel");
  const settings = JSON.parse(await readFile(join(committed, "vercel.json"), "utf8")) as Record<string, string>;
  const { ignoreCommand = "", buildCommand = "" } = settings;
  for (const command of [ignoreCommand, buildCommand]) {
    if (command === "" || command.length > 256) throw new Error(`Vercel takes 1 to 256 characters: ${command.length}`);
  }
  const host = trial.site.replace("http://", "");
  const env = (commit: string) => ({ VERCEL_PROJECT_PRODUCTION_URL: host, VERCEL_GIT_COMMIT_SHA: commit, CI: "1" });
  // The host here has no certificate.
  const ignore = ignoreCommand.replace("https://", "http://");
  const vercel = await askingHost(trial, committed, { name: "vercel", ignore, command: buildCommand, env });
  await tryHost(trial, vercel, isWhole);
}
