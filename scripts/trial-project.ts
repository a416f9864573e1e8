import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ProcessRun } from "./run-process.js";
import { runWell } from "./run-process.js";

/** A space over HTTP, a project whose site is built from it, and a host that shows what was deployed last. */
export interface Trial {
  /** Holds everything. */
  folder: string;
  /** Where the space answers. */
  upstream: string;
  /** The address of the deployed site: what lies in `deployed`. */
  site: string;
  deployed: string;
  /** What every process finds: no more than a machine that has Node. */
  env: NodeJS.ProcessEnv;
  /** Has an editor publish something. */
  edit(): Promise<void>;
  /** A fresh checkout of the project: its files, no packages, nothing synced. */
  checkout(name: string): Promise<string>;
  /** Has nothing deployed any more. */
  undeploy(): Promise<void>;
  close(): Promise<void>;
}

/** @param tarball the packed package */
export async function openTrial(folder: string, tarball: string, env: NodeJS.ProcessEnv): Promise<Trial> {
  const [space, project, deployed] = ["space", "project", "deployed"].map((name) => join(folder, name));
  for (const path of [space!, project!, deployed!]) await mkdir(path);
  await writeProject(project!, tarball, env);
  const offprint = (args: readonly string[], cwd: string) =>
    runWell(join(project!, "node_modules", ".bin", "offprint"), args, { cwd, env });
  await writeFile(
    join(space!, "sync.config.yaml"),
    'source: { url: "demo:", token: demo }\ncontent: { formats: [] }\n',
  );
  await offprint(["sync", "--quiet"], space!);
  const main = join(project!, "node_modules", "offprint", "dist", "cli", "main.js");
  const { child, address } = await serve(main, space!, env);
  const host = await showFolder(deployed!);
  return {
    folder,
    upstream: address,
    site: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    deployed: deployed!,
    env,
    edit: async () => {
      await offprint(["demo", "--edit", "publish", "--quiet"], space!);
      await offprint(["sync", "--quiet"], space!);
    },
    checkout: async (name) => {
      const copy = join(folder, name);
      await rm(copy, { recursive: true, force: true });
      const filter = (path: string) => !path.startsWith(join(project!, "node_modules"));
      await cp(project!, copy, { recursive: true, filter });
      return copy;
    },
    undeploy: async () => {
      await rm(deployed!, { recursive: true });
      await mkdir(deployed!);
    },
    close: async () => {
      child.kill();
      await new Promise((done) => host.close(done));
    },
  };
}

/** What a build and a deployment are here: small, and failing where a variable says so. */
const buildScript = `import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { openSnapshot } from "offprint";
if (process.env.BUILD_FAILS) throw new Error("the build fails");
const snapshot = await openSnapshot();
mkdirSync("dist", { recursive: true });
writeFileSync("dist/index.html", \`<p>\${(await snapshot.references()).length} stories of generation \${snapshot.generation}</p>\`);
await snapshot.close();
console.log("BUILT");
`;
const deployScript = `import { cpSync, rmSync } from "node:fs";
if (process.env.DEPLOY_FAILS) throw new Error("the deployment fails");
rmSync(process.env.DEPLOY_TO, { recursive: true });
cpSync("dist", process.env.DEPLOY_TO, { recursive: true });
console.log("DEPLOYED");
`;

async function writeProject(project: string, tarball: string, env: NodeJS.ProcessEnv): Promise<void> {
  const scripts = { build: "node build.mjs", deploy: "node deploy.mjs" };
  const manifest = { name: "site", private: true, type: "module", scripts };
  await writeFile(join(project, "package.json"), JSON.stringify(manifest));
  await writeFile(join(project, "build.mjs"), buildScript);
  await writeFile(join(project, "deploy.mjs"), deployScript);
  await runWell("npm", ["install", tarball, "--no-audit", "--no-fund"], { cwd: project, env });
}

/** A process that serves the snapshot in a folder, at a port of its own. */
function serve(main: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [main, "serve", "--port", "0"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((done, fail) => {
    let text = "";
    const look = (chunk: Buffer) => {
      text += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (address !== undefined) done({ child, address });
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("exit", () => fail(new Error(`offprint serve ended: ${text}`)));
  });
}

function showFolder(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    readFile(join(folder, new URL(request.url ?? "/", "http://x").pathname)).then(
      (body) => response.end(body),
      () => response.writeHead(404).end(),
    );
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

/** What became of a run: whether it succeeded, whether it built and deployed, and what it printed. */
export interface BuildRun {
  isGood: boolean;
  built: boolean;
  deployed: boolean;
  text: string;
}

export function buildRun({ code, text }: ProcessRun): BuildRun {
  return { isGood: code === 0, built: text.includes("BUILT"), deployed: text.includes("DEPLOYED"), text };
}

/** @throws Error where a run came to something else */
export function expectRun(
  what: string,
  run: BuildRun,
  wanted: { isGood: boolean; built: boolean; deployed: boolean },
): void {
  const { isGood, built, deployed, text } = run;
  if (isGood === wanted.isGood && built === wanted.built && deployed === wanted.deployed) {
    process.stdout.write(`  ✔ ${what}\n`);
    return;
  }
  throw new Error(`${what}: ${JSON.stringify({ isGood, built, deployed })}\n${text.slice(-3000)}`);
}
