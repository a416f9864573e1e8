import { cp, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { S3Server } from "../test/support/s3-server/start-s3-server.js";
import { type ProcessRun, runProcess, runWell } from "./run-process.js";
import type { Trial } from "./trial-project.js";

/** The bucket and the prefix that docs/backup.md names. */
export const [bucketName, prefix] = ["site-content", "blog"];
/** The folder that it names; here it is in the folder of the trial. */
const backupPath = "/backup/blog";

/** A project whose snapshot is in a bucket, one whose snapshot is in a folder, and the commands of docs/backup.md. */
export interface Drill {
  server: S3Server;
  /** Where the same space answers over HTTP. */
  upstream: string;
  site: string;
  folderSite: string;
  backup: string;
  /** Runs a command or the lines of a block of the page in a project, with or without a network. */
  run(command: string, place?: { cwd?: string; offline?: boolean }): Promise<ProcessRun>;
  /** The lines of a block of the page. */
  block(title: string): string;
}

export async function openDrill(trial: Trial, server: S3Server): Promise<Drill> {
  const page = await readFile(resolve(import.meta.dirname, "..", "..", "docs", "backup.md"), "utf8");
  const backup = join(trial.folder, "backup");
  const here = (text: string) => text.replaceAll(backupPath, backup);
  const block = (title: string) => {
    const [, text] = new RegExp(`^\`\`\`\\w+ title="${title}"\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page) ?? [];
    if (text === undefined) throw new Error(`docs/backup.md has no block "${title}"`);
    return here(text);
  };
  const settings = 'source: { url: "demo:", token: demo }\nassets: { download: true }\n';
  const [site, folderSite] = [await trial.checkout("bucket-site"), await trial.checkout("folder-site")];
  await runWell("npm", ["ci", "--no-audit", "--no-fund"], { cwd: site, env: trial.env });
  await cp(join(site, "node_modules"), join(folderSite, "node_modules"), { recursive: true, verbatimSymlinks: true });
  await writeFile(join(site, "sync.config.yaml"), `${settings}output: { store: "s3://${bucketName}/${prefix}" }\n`);
  await writeFile(join(site, "backup.yaml"), block("backup.yaml"));
  await writeFile(join(folderSite, "sync.config.yaml"), settings);
  const env = { ...trial.env, ...bucketVariables(server) };
  const cut = await networkCut(site, env);
  return {
    server,
    upstream: trial.upstream,
    site,
    folderSite,
    backup,
    block,
    run: (command, { cwd = site, offline = false } = {}) =>
      runProcess(...(offline ? cut : shell)(here(command)), { cwd, env }),
  };
}

/** Where rclone and Offprint find the bucket and its key. */
function bucketVariables({ url, region, credentials }: S3Server): NodeJS.ProcessEnv {
  return {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: region,
    AWS_ENDPOINT_URL_S3: url,
    AWS_CA_BUNDLE: undefined,
    RCLONE_CONFIG: "/dev/null",
    RCLONE_CONFIG_S3_TYPE: "s3",
    RCLONE_CONFIG_S3_PROVIDER: "Other",
    RCLONE_CONFIG_S3_ENDPOINT: url,
    RCLONE_CONFIG_S3_REGION: region,
    RCLONE_CONFIG_S3_ENV_AUTH: "true",
    RCLONE_S3_LIST_VERSION: "2",
    RCLONE_S3_NO_CHECK_BUCKET: "true",
  };
}

type Call = [program: string, args: string[]];
const shell = (command: string): Call => ["bash", ["-euc", command]];

/** Runs a command in a network without any interface. The upstream is unreachable in any case: its port is closed. */
async function networkCut(cwd: string, env: NodeJS.ProcessEnv): Promise<(command: string) => Call> {
  const { code } = await runProcess("unshare", ["--map-root-user", "--net", "true"], { cwd, env });
  if (code === 0) return (command) => ["unshare", ["--map-root-user", "--net", "bash", "-euc", command]];
  told("this machine permits no network namespace: what should run without a network has one");
  return shell;
}

/** Loses every object of the bucket. */
export function empty(server: S3Server): void {
  const bucket = server.bucket(bucketName);
  for (const key of bucket.keys()) bucket.delete(key, Date.now());
}

export async function good(running: Promise<ProcessRun>): Promise<void> {
  const { code, text } = await running;
  if (code !== 0) throw new Error(`ended with ${code}: ${text.slice(-3000)}`);
}

export async function ends(code: number, running: Promise<ProcessRun>, sign: string): Promise<void> {
  const run = await running;
  if (run.code !== code || !run.text.includes(sign)) {
    throw new Error(`expected ${code} and ${sign}, got ${run.code}: ${run.text.slice(-3000)}`);
  }
}

export function told(text: string): void {
  process.stdout.write(`  ✔ ${text}\n`);
}
