import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";

/**
 * `npm run test:s3 [-- [number of histories] [test/store/a.test.ts …]]`: starts Ceph's gateway for S3 in a root file system of
 * its own and runs tests against it; without files, all that open a bucket of `test/support/s3-endpoint`, and then so many
 * histories of the simulation (60, or none where files are named). The first run makes the root, in
 * `OFFPRINT_RADOSGW_DIR` or `~/.cache/offprint/radosgw`. Needs Linux and root. Ends with the exit code of the tests; the
 * gateway ends with this process, however that ends.
 */
async function main(args: readonly string[]): Promise<number> {
  const files = args.filter((arg) => !/^\d+$/.test(arg));
  const histories = Number(args.find((arg) => /^\d+$/.test(arg)) ?? (files.length > 0 ? 0 : 60));
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    process.stderr.write("The gateway needs Linux and root: namespaces, mounts and a change of the root folder.\n");
    return 1;
  }
  const began = Date.now();
  const cache = cacheFolder();
  await makeRoot(cache);
  told(`the root is there: ${cache}`, began);
  const gateway = await startGateway(join(cache, "root"));
  try {
    told(`the gateway answers: ${gateway.url}`, began);
    const code = await runVitest(files.length > 0 ? files : await endpointTests(), gateway);
    told(code === 0 ? "the tests pass" : `the tests ended with ${code}`, began);
    if (code !== 0 || histories === 0) return code;
    const simulated = await runNode([simulation, "--store", "s3", "--log", "--seeds", String(histories)], gateway);
    told(
      simulated === 0 ? `${histories} histories were lived through` : `the histories ended with ${simulated}`,
      began,
    );
    return simulated;
  } finally {
    await gateway.stop();
  }
}

const root = resolve(import.meta.dirname, "..", "..", "..");
const scripts = join(root, "scripts", "radosgw");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const simulation = join(root, "dist", "test", "simulation", "simulate.js");

function cacheFolder(): string {
  const { OFFPRINT_RADOSGW_DIR, XDG_CACHE_HOME } = process.env;
  return resolve(OFFPRINT_RADOSGW_DIR || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "offprint", "radosgw"));
}

async function makeRoot(cache: string): Promise<void> {
  const child = spawn(join(scripts, "make-root.sh"), [cache], { stdio: ["ignore", "pipe", "pipe"] });
  const log = logOf(child.stdout, child.stderr);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the root cannot be made (exit ${code})\n${log()}`);
}

interface Gateway {
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  stop(): Promise<void>;
}

/** Starts the cluster in namespaces of its own. It ends when its standard input does: with this process at the latest. */
async function startGateway(rootFolder: string): Promise<Gateway> {
  const [monitorPort, gatewayPort] = await freePorts();
  const child = spawn(
    "unshare",
    ["--mount", "--pid", "--fork", "--kill-child", join(scripts, "enter-root.sh"), rootFolder].concat(
      String(monitorPort),
      String(gatewayPort),
    ),
    // A group of its own: what the terminal sends to stop the tests is not sent to the daemons, which end afterwards.
    { stdio: ["pipe", "pipe", "pipe"], detached: true },
  );
  // Not of its standard output, which has a key.
  const log = logOf(child.stderr);
  const ended = once(child, "close");
  const late = setTimeout(() => child.stdin?.end(), 300_000);
  const key = await Promise.race([printedKey(child.stdout), ended.then(() => undefined)]);
  clearTimeout(late);
  if (key === undefined) {
    child.stdin?.end();
    await ended;
    throw new Error(`the gateway does not start\n${log()}`);
  }
  return {
    url: `http://127.0.0.1:${gatewayPort}`,
    ...key,
    stop: async () => {
      child.stdin?.end();
      await ended;
    },
  };
}

/** Waits until a user is printed whole. The stream does not end then: the daemons have inherited it. */
function printedKey(stdout: Readable): Promise<Pick<Gateway, "accessKeyId" | "secretAccessKey">> {
  let printed = "";
  return new Promise((done) => {
    stdout.on("data", (chunk: Buffer) => {
      printed += chunk;
      const key = keyOf(printed);
      if (key !== undefined) done(key);
    });
  });
}

function keyOf(json: string): Pick<Gateway, "accessKeyId" | "secretAccessKey"> | undefined {
  try {
    const [{ access_key, secret_key }] = JSON.parse(json).keys;
    return { accessKeyId: access_key, secretAccessKey: secret_key };
  } catch {
    return undefined;
  }
}

/** Runs test files, whose buckets are on the gateway. @returns the exit code */
function runVitest(files: readonly string[], gateway: Gateway): Promise<number> {
  return runNode([vitest, "run", ...files], gateway);
}

async function runNode(args: readonly string[], gateway: Gateway): Promise<number> {
  const env = {
    ...process.env,
    OFFPRINT_S3_ENDPOINT: gateway.url,
    OFFPRINT_S3_REGION: "default",
    OFFPRINT_S3_ACCESS_KEY_ID: gateway.accessKeyId,
    OFFPRINT_S3_SECRET_ACCESS_KEY: gateway.secretAccessKey,
  };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, "close");
  return code ?? 1;
}

/** The test files that open a bucket. */
async function endpointTests(): Promise<string[]> {
  const files = (await readdir(join(root, "test"), { recursive: true })).filter((file) => file.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((file) => readFile(join(root, "test", file), "utf8")));
  return files.filter((_, at) => /\bopenTestBucket\b/.test(texts[at] ?? "")).map((file) => join("test", file));
}

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      return typeof address === "object" ? (address?.port ?? 0) : 0;
    }),
  );
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return [ports[0] ?? 0, ports[1] ?? 0];
}

/** The end of what comes from streams, which are read to their end. */
function logOf(...streams: (Readable | null)[]): () => string {
  let text = "";
  for (const stream of streams) {
    stream?.on("data", (chunk: Buffer) => {
      text = (text + chunk).slice(-4000);
    });
  }
  return () => text;
}

function told(what: string, began: number): void {
  process.stdout.write(`${((Date.now() - began) / 1000).toFixed(1)} s: ${what}\n`);
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  return 1;
});
