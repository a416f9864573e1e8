// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax of the configuration.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = resolve(import.meta.dirname, "..", "..");
const password = "pass-word%40of/the-queue".replace("/", "%2F");

async function projectWith(worker: string): Promise<string> {
  const dir = await temporaryFolder();
  const spaces = 'spaces:\n  blog: { source: { url: "demo:", token: demo } }\n';
  await writeFile(join(dir, "sync.config.yaml"), `${worker === "" ? "" : `worker: ${worker}\n`}${spaces}`);
  return dir;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

test("without the queue packages it names those to install, and other commands work", { tags: "long" }, async () => {
  const dir = await projectWith('{ queue: "redis://127.0.0.1:1" }');
  const place = await temporaryFolder();
  // Installed without the optional packages.
  await mkdir(join(place, "node_modules", "@types"), { recursive: true });
  const names = await readdir(join(root, "node_modules"));
  const others = names.filter((name) => !["bullmq", "ioredis", "pg", "@types"].includes(name) && !name.startsWith("."));
  for (const name of others) await symlink(join(root, "node_modules", name), join(place, "node_modules", name));
  await cp(join(root, "dist", "cli"), join(place, "dist", "cli"), { recursive: true });
  for (const name of ["package.json", "config"]) await symlink(join(root, name), join(place, name));
  const run = (...args: string[]) => runCli(args, { cwd: dir, main: join(place, "dist", "cli", "main.js") });
  const [worker, doctor, status] = await Promise.all([run("worker"), run("doctor"), run("status", "--all")]);
  expect(worker.code, worker.stderr).toBe(2);
  expect(worker.stderr).toContain("The packages bullmq and ioredis are not both installed. [WORKER_ENGINE_MISSING]");
  expect(worker.stderr).toContain("npm install bullmq ioredis");
  expect(doctor.stdout).toContain("[QUEUE_ENGINE_MISSING]");
  expect(status.stdout).toMatch(/^blog /m);
  expect(status.stderr).toContain("[WORKER_ENGINE_MISSING]");
});

test.each(["redis", "postgres"])("reports an unreachable %s queue without its password", async (protocol) => {
  const queue = `${protocol}://somebody:${password}@127.0.0.1:${await closedPort()}/7`;
  const dir = await projectWith('{ queue: "${QUEUE_URL}" }');
  const place = { cwd: dir, env: { QUEUE_URL: queue } };
  const runs = await Promise.all([["worker"], ["worker", "--json"], ["doctor"]].map((args) => runCommand(args, place)));
  const status = await runCommand(["status", "--all"], place);
  expect(runs.map(({ code }) => code)).toEqual([5, 5, 5]);
  expect(status.stdout).toMatch(/^space .* queue$/m);
  expect(runs[0]!.stderr).toMatch(
    new RegExp(`The queue at ${protocol}://127.0.0.1:\\d+/7 cannot be used: .*ECONNREFUSED`),
  );
  const said = [...runs, status].map(({ stdout, stderr }) => stdout + stderr).join("");
  for (const secret of [password, decodeURIComponent(password)]) expect(said).not.toContain(secret);
});

test("a worker without a queue says what to configure; other commands need no address", async () => {
  const without = await runCommand(["worker"], { cwd: await projectWith("") });
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("worker.queue is missing") });
  const dir = await projectWith('{ queue: "${QUEUE_URL}" }');
  const unset = await runCommand(["worker"], { cwd: dir });
  expect(unset).toMatchObject({ code: 2, stderr: expect.stringContaining("a variable of worker.queue is not set") });
  const status = await runCommand(["status", "--all"], { cwd: dir });
  expect(status.stdout).toMatch(/^space .* problems$/m);
  const one = await runCommand(["worker", "--space", "blog"], { cwd: dir });
  expect(one).toMatchObject({ code: 2, stderr: expect.stringContaining("A worker works for all spaces") });
});

test("reports mistakes below `worker:` at once, with their place and without the address", async () => {
  const dir = await projectWith(
    `{ queue: "http://somebody:${password}@cache", name: A-b, concurrency: 0, takeOver: 1ms, lock: 1 }`,
  );
  const { code, stderr } = await runCommand(["sync"], { cwd: dir });
  expect(code).toBe(2);
  for (const key of ["queue", "name", "concurrency", "takeOver", "lock"])
    expect(stderr).toMatch(new RegExp(`sync\\.config\\.yaml:1:\\d+: worker\\.${key} `));
  expect(stderr).toContain("worker.queue expects an address such as redis://host:6379");
  expect(stderr).not.toContain(password);
});

test("refuses a database of Redis that is no number, which would end the worker with a stack", async () => {
  const dir = await projectWith(`{ queue: "redis://:${password}@cache/offprint" }`);
  const { code, stderr } = await runCommand(["worker"], { cwd: dir });
  expect(code).toBe(2);
  expect(stderr).toMatch(/sync\.config\.yaml:1:\d+: worker\.queue expects an address such as redis:\/\/host:6379/);
  expect(stderr).not.toContain(password);
});

test("a configuration of one space can have workers too", async () => {
  const dir = await temporaryFolder();
  const port = await closedPort();
  const text = `source: { url: "demo:", token: demo }\nworker: { queue: "redis://127.0.0.1:${port}" }\n`;
  await writeFile(join(dir, "sync.config.yaml"), text);
  expect((await runCommand(["worker"], { cwd: dir })).stderr).toContain("[WORKER_QUEUE_UNREACHABLE]");
  expect((await runCommand(["sync", "--dry-run"], { cwd: dir })).code).toBe(0);
});

test("SIGHUP does not end a worker that waits for its queue", { tags: "long" }, async () => {
  let child: ChildProcess | undefined;
  // It takes connections and says nothing.
  const silent = createServer(() => void child?.kill("SIGHUP")).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  const dir = await projectWith(`{ queue: "redis://127.0.0.1:${port}" }`);
  const { code, stderr } = await runCli(["worker"], {
    cwd: dir,
    onStart(started) {
      child = started;
    },
  });
  expect(stderr).toContain("[WORKER_QUEUE_UNREACHABLE]");
  expect(code).toBe(5);
});
