import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ciRecipe, plannedFacts } from "../src/cli/init/ci-recipe.js";
import { tryBackup } from "./backup-trial.js";
import { tryGithub, tryGitlab, tryNetlify, tryVercel } from "./ci-trials.js";
import { checkKustomizations } from "./kubernetes-checks.js";
import {
  checkAction,
  checkCompose,
  checkDockerfile,
  checkPipeline,
  checkUnits,
  checkWorkflow,
  crontabCommand,
  installTools,
  lintWorkflow,
} from "./recipe-checks.js";
import { tryAction, tryPlugin } from "./recipe-trials.js";
import { runProcess, runWell } from "./run-process.js";
import { openTrial, type Trial } from "./trial-project.js";

/**
 * `npm run operations:try [-- crontab github … --all]`: holds every recipe of docs/operations.md with the tool that reads it, and
 * runs what can be run here: the line of the crontab, the command of the image with its health check, and what
 * `offprint init --ci` writes, step by step, over a space that is edited, builds and deployments that fail, and a
 * cache that comes back in part. GitLab and Vercel, whose steps are those of GitHub and Netlify, meet no failures
 * without `--all`. Reads the package registry. Ends with exit code 1 where a recipe does not do what it says.
 */
async function main(args: readonly string[]): Promise<void> {
  const wanted = args.filter((name) => name !== "--all");
  const isWhole = args.includes("--all");
  const folder = await mkdtemp(join(tmpdir(), "offprint-operations-"));
  const env = environment();
  try {
    const packed = join(folder, "packed");
    await mkdir(packed);
    await runWell("npm", ["pack", "--silent", "--pack-destination", packed], { cwd: root, env });
    const [tarball = ""] = await readdir(packed);
    const load = await installTools(join(folder, "tools"), env);
    const trial = await openTrial(folder, join(packed, tarball), env);
    try {
      for (const [name, attempt] of Object.entries(trials)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${name}\n`);
        await trial.undeploy();
        await attempt(trial, load, isWhole);
      }
    } finally {
      await trial.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write("done: every recipe does what it says\n");
}

const root = resolve(import.meta.dirname, "..", "..");
const recipes = join(root, "docs", "recipes");

type Attempt = (trial: Trial, load: Awaited<ReturnType<typeof installTools>>, isWhole: boolean) => Promise<void>;

const trials: Readonly<Record<string, Attempt>> = {
  crontab: tryCrontab,
  systemd: async ({ folder, env }) => {
    await checkUnits(recipes, join(folder, "project"), folder, env);
    told("systemd-analyze takes the units, and the calendar is every five minutes");
  },
  kubernetes: async ({ folder, env }, load) => {
    const offprint = join(folder, "project", "node_modules", ".bin", "offprint");
    const kinds = await checkKustomizations(join(recipes, "kubernetes"), { load, offprint, folder, env });
    told(`kustomize builds ${kinds.join("; ")}: schemas and the level restricted take them, and they hold no secret`);
  },
  compose: async () => {
    checkCompose(await readFile(join(recipes, "compose.yml"), "utf8"));
    told("the compose file names what is there, keeps the jobs, and holds no secret");
  },
  container: tryImage,
  github: async (trial) => {
    for (const readsUrl of [true, false]) {
      await checkWorkflow(ciRecipe("github", plannedFacts("github", "site", readsUrl)).text, trial.folder, trial.env);
    }
    told("actionlint takes the workflow");
    await tryGithub(trial);
  },
  gitlab: async (trial, _load, isWhole) => {
    const { text } = ciRecipe("gitlab", plannedFacts("gitlab", "site", true));
    await checkPipeline(text, "content", trial.folder, trial.env);
    await checkPipeline(await readFile(join(recipes, "gitlab-pull.yml"), "utf8"), "content", trial.folder, trial.env);
    told("the pipelines fit GitLab's schema");
    await tryGitlab(trial, isWhole);
  },
  report: async ({ folder, env }) => {
    const text = (name: string) => readFile(join(recipes, name), "utf8");
    await lintWorkflow(await text("report-github.yml"), folder, env);
    await checkPipeline(await text("report-gitlab.yml"), "report", folder, env);
    told("actionlint and GitLab's schema take the reports of pull requests; a test runs their steps");
  },
  netlify: async (trial, load) => tryNetlify(trial, (await load("smol-toml")).parse),
  vercel: (trial, _load, isWhole) => tryVercel(trial, isWhole),
  action: async (trial) => {
    await checkAction(join(recipes, "action.yml"), trial.folder, trial.env);
    told("action-validator takes the action");
    await tryAction(join(recipes, "action.yml"), trial);
  },
  plugin: (trial) => tryPlugin(join(recipes, "netlify-plugin"), trial),
  backup: (trial) => tryBackup(trial, recipes),
};

/** The line of the crontab writes what it promises, and has the command of a consumer tried again until it succeeds. */
async function tryCrontab(trial: Trial): Promise<void> {
  const site = await trial.checkout("site");
  const { env } = trial;
  await runWell("npm", ["ci", "--no-audit", "--no-fund"], { cwd: site, env });
  await writeFile(
    join(site, "sync.config.yaml"),
    'source: { url: "demo:", token: demo }\nonCommit: { site: { run: "test -e allowed && node build.mjs" } }\n',
  );
  const { command, path } = await crontabCommand(recipes);
  const cron = {
    HOME: site,
    LOGNAME: "site",
    SHELL: "/bin/sh",
    // Of the crontab, with the folder of the Node that runs here.
    PATH: `${dirname(process.execPath)}:${path}`,
  };
  const run = () => runProcess("/bin/sh", ["-c", command.replaceAll("/srv/site", site)], { cwd: "/", env: cron });
  const failed = await run();
  if (failed.code === 0) throw new Error(`a build that fails is not told:\n${failed.text}`);
  await writeFile(join(site, "allowed"), "");
  const built = await run();
  const unchanged = await run();
  if (built.code !== 0 || unchanged.code !== 0 || unchanged.text !== "") {
    throw new Error(`${built.code} ${unchanged.code}\n${built.text}\n${unchanged.text}`);
  }
  await readFile(join(site, "dist", "index.html"));
  await readFile(join(site, "output", "content", "index.json"));
  const { spaces } = JSON.parse(await readFile(join(site, "offprint-status.json"), "utf8"));
  if (spaces.length !== 1) throw new Error("the status file tells of no space");
  told("a build that fails is told and tried again; a run that finds nothing new prints nothing");
}

/**
 * The linter takes the file; what it installs has a command that answers the health check, and ends in time. No image is built:
 * that needs a Docker daemon.
 */
async function tryImage(trial: Trial, load: Parameters<Attempt>[1]): Promise<void> {
  const text = await readFile(join(recipes, "Dockerfile"), "utf8");
  await checkDockerfile(text, load);
  told("the linter takes the Dockerfile");
  const site = await trial.checkout("site");
  const [, install = "false"] = /^RUN (npm ci .*)$/m.exec(text) ?? [];
  await runWell("sh", ["-c", install], { cwd: site, env: trial.env });
  await writeFile(
    join(site, "sync.config.yaml"),
    'source: { url: "demo:", token: demo }\nwebhooks: { secret: "$' + '{WEBHOOK_SECRET}" }\n',
  );
  const port = await freePort();
  const list = (pattern: RegExp): string[] => {
    const texts: string[] = JSON.parse(pattern.exec(text)?.[1] ?? "[]");
    return texts.map((one) => one.replace("4480", String(port)).replace(/^\/(?=site\/|data$)/, `${trial.folder}/`));
  };
  const health = list(/^HEALTHCHECK .* CMD (\[.*\])$/m);
  const [program = "", ...args] = [...list(/^ENTRYPOINT (\[.*\])$/m), ...list(/^CMD (\[.*\])$/m)];
  const env = { ...trial.env, NODE_ENV: "production", WEBHOOK_SECRET: "a-secret-of-some-length" };
  const child = spawn(program, args, { cwd: site, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  await new Promise<void>((done, fail) => {
    const late = setTimeout(() => fail(new Error("no generation within a minute")), 60_000);
    const look = (chunk: Buffer) => {
      if (!/generation \d+/.test(String(chunk))) return;
      clearTimeout(late);
      done();
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
  }).catch((error) => {
    child.kill("SIGKILL");
    throw error;
  });
  const healthy = await runProcess(health[0]!, health.slice(1), { cwd: site, env });
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
  child.kill("SIGTERM");
  const code = await ended;
  const stopped = await runProcess(health[0]!, health.slice(1), { cwd: site, env });
  if (healthy.code !== 0 || status !== 200 || code !== 0 || stopped.code === 0) {
    throw new Error(`health ${healthy.code}, ready ${status}, ended with ${code}, then health ${stopped.code}`);
  }
  told("its command syncs, is healthy and ready, and SIGTERM ends it with 0; a process that is gone is not healthy");
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function told(text: string): void {
  process.stdout.write(`  ✔ ${text}\n`);
}

/** Without what the npm that runs this script says to it, and without a variable that would name another space. */
function environment(): NodeJS.ProcessEnv {
  const own = /^(?:npm_(?!config_(?:registry|cache)$)|OFFPRINT_|INIT_CWD|NODE_ENV|GITHUB_|CI$)/;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(kept), npm_config_prefer_offline: "true" };
}

await main(process.argv.slice(2));
