import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** A server that keeps jobs, started for a test. */
export interface QueueServer {
  /** What `worker.queue` says. */
  url: string;
  /** Kills it without warning, and starts it again on the same port with the same files. */
  restart(downMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Redis with its log of writes, so that jobs outlive a restart. @param password none where it is undefined */
export async function startRedis(folder: string, password?: string): Promise<QueueServer> {
  const dir = mkdtempSync(join(folder, "redis-"));
  const port = await freePort();
  const args = ["--port", String(port), "--save", "", "--appendonly", "yes", "--dir", dir];
  const secret = password === undefined ? [] : ["--requirepass", password];
  const start = () => startServer(folder, "redis-server", [...args, ...secret], port);
  const user = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
  return restartable(`redis://${user}127.0.0.1:${port}`, start, "SIGKILL");
}

/** PostgreSQL with a fresh database; it refuses to run as root, and then runs as the user postgres. */
export async function startPostgres(folder: string): Promise<QueueServer> {
  const dir = mkdtempSync(join(folder, "postgres-"));
  const ids = process.getuid?.() === 0 ? postgresUser() : {};
  if (ids.uid !== undefined && ids.gid !== undefined) chownSync(dir, ids.uid, ids.gid);
  const data = join(dir, "data");
  const init = ["-D", data, "-U", "offprint", "--auth=trust", "--no-sync"];
  const { status, stderr } = spawnSync(postgresProgram("initdb"), init, { ...ids, cwd: dir, encoding: "utf8" });
  if (status !== 0) throw new Error(`initdb ended with ${status}: ${stderr}`);
  const port = await freePort();
  const args = [
    "-D",
    data,
    "-p",
    String(port),
    "-k",
    dir,
    "-c",
    "listen_addresses=127.0.0.1",
    "-c",
    "max_connections=200",
  ];
  const url = `postgres://offprint@127.0.0.1:${port}/postgres`;
  const start = async () => {
    const child = await startServer(folder, postgresProgram("postgres"), args, port, { ...ids, cwd: dir });
    // Its port answers before it takes connections.
    while (!(await takesConnections(url))) await delay(50);
    return child;
  };
  return restartable(url, start, "SIGINT");
}

async function takesConnections(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function postgresUser(): { uid?: number; gid?: number } {
  const idOf = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function postgresProgram(name: string): string {
  const root = "/usr/lib/postgresql";
  const [newest] = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return newest === undefined ? name : join(root, newest, "bin", name);
}

async function restartable(url: string, start: () => Promise<ChildProcess>, end: NodeJS.Signals): Promise<QueueServer> {
  let child = await start();
  const stop = async () => {
    const closed = once(child, "exit");
    child.kill(end);
    await closed;
  };
  return {
    url,
    stop,
    async restart(downMs) {
      await stop();
      await delay(downMs);
      child = await start();
    },
  };
}

/** Starts a server and waits until its port answers. Its process id is noted, so that it is ended whatever happens. */
async function startServer(
  folder: string,
  program: string,
  args: readonly string[],
  port: number,
  options: object = {},
): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: "ignore", ...options });
  await once(child, "spawn");
  await appendFile(join(folder, "pids"), `${child.pid}\n`);
  for (let waitedMs = 0; !(await answers(port)); waitedMs += 50) {
    if (child.exitCode !== null || waitedMs > 20_000) throw new Error(`${program} does not answer on port ${port}`);
    await delay(50);
  }
  return child;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
