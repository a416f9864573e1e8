import type { ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forgetHookFailures, noteHookFailure } from "../../src/watch/hooks/hook-failures.js";
import { startEditableSpace } from "../support/editable-space.js";
import { runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const secret = "the-secret-of-the-hooks";
const key = "Abcdefghijklmnopqrstuv_1";
const demoSpaceId = 290817;

async function projectWith(webhooks: object | undefined, more = ""): Promise<string> {
  const dir = await temporaryFolder();
  const written = webhooks === undefined ? "" : `webhooks: ${JSON.stringify(webhooks)}\n`;
  await writeFile(join(dir, "sync.config.yaml"), `source: { url: "demo:", token: demo }\n${written}${more}`);
  return dir;
}

type Line = Record<string, unknown> & { kind: string };

/** Runs `offprint watch --json` and reads its lines. */
function watch(dir: string, args: string[]) {
  let child: ChildProcess | undefined;
  const lines: Line[] = [];
  const listeners = new Set<() => void>();
  let rest = "";
  const run = runCli(["watch", "--json", "--verbose", ...args], {
    cwd: dir,
    onStart(started) {
      child = started;
      started.stdout?.on("data", (text: string) => {
        const whole = `${rest}${text}`.split("\n");
        rest = whole.pop() ?? "";
        for (const line of whole) lines.push(JSON.parse(line) as Line);
        for (const listener of listeners) listener();
      });
    },
  });
  onTestFinished(() => void child?.kill("SIGKILL"));
  const heard = (fits: (line: Line) => boolean): Promise<Line> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = lines.find(fits);
        if (found !== undefined) resolve(found);
      };
      listeners.add(look);
      look();
      void run.then(({ stderr }) => reject(new Error(`ended before it was heard: ${stderr}`)));
    });
  return { lines, heard, run, kill: (signal: NodeJS.Signals) => void child?.kill(signal) };
}

test("syncs the demo space at start, commits a thousand webhooks in one run, and stops on SIGTERM", {
  tags: "long",
}, async () => {
  const dir = await projectWith(
    { secret, key },
    "schedule: { every: 1h }\nonCommit: { site: { run: [echo, built] } }\n",
  );
  const { lines, heard, run, kill } = watch(dir, ["--listen", "127.0.0.1:0"]);
  const { url } = await heard(({ kind }) => kind === "started");
  const ended = lines.filter(({ kind }) => kind === "run-ended");
  const first = ended[0] ?? (await heard(({ kind }) => kind === "run-ended"));
  expect(first).toMatchObject({
    reasons: [{ kind: "start" }],
    outcome: "committed",
    exitCode: 0,
    report: { generation: 1 },
  });
  const space = String(first.space);

  const durations: number[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  onTestFinished(() => agent.destroy());
  const post = async (body: string, signature = createHmac("sha1", secret).update(body).digest("hex")) => {
    const startMs = performance.now();
    const headers = { "webhook-signature": signature, "content-length": Buffer.byteLength(body) };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${url}/hooks/${space}/${key}`, { method: "POST", agent, headers }, (answer) =>
        answer.resume().once("end", () => resolve(answer.statusCode)),
      );
      sent.once("error", reject).end(body);
    });
    durations.push(performance.now() - startMs);
    return status;
  };
  const event = (story: number, spaceId = demoSpaceId) =>
    JSON.stringify({ text: "…", action: "published", space_id: spaceId, story_id: story });
  expect(await post("no JSON")).toBe(400);
  expect(await post(event(1), "0".repeat(40))).toBe(401);
  expect(await post(event(1, 1))).toBe(202);
  expect(await runCommand(["demo", "--edit"], { cwd: dir })).toMatchObject({ code: 0 });
  durations.length = 0;
  let next = 0;
  const sender = async () => {
    while (next < 1000) expect(await post(event(++next))).toBe(202);
  };
  await Promise.all(Array.from({ length: 10 }, sender));

  const second = await heard(({ kind, report }) => kind === "run-ended" && (report as Line)?.generation === 2);
  expect(second).toMatchObject({
    outcome: "committed",
    exitCode: 0,
    reasons: { 0: { kind: "webhook", event: "published 1" } },
  });
  expect(await heard(({ kind, to }) => kind === "hook" && to === 2)).toMatchObject({
    consumer: "site",
    result: "done",
  });
  const p99 = durations.sort((a, b) => a - b)[989]!;
  if (process.env.OFFPRINT_REPORT) process.stdout.write(`p99 of 1000 webhooks: ${p99.toFixed(1)} ms\n`);
  // Fifty milliseconds on an idle machine.
  expect(p99).toBeLessThan(1000);

  kill("SIGTERM");
  const { code: exitCode, stdout, stderr } = await run;
  expect(exitCode).toBe(0);
  expect(lines.filter(({ kind }) => kind === "run-started").length).toBeLessThanOrEqual(3);
  expect(lines.filter(({ kind, result }) => kind === "webhook" && result === "accepted")).toHaveLength(1000);
  expect(lines.find(({ result }) => result === "foreign")).toMatchObject({ kind: "webhook", event: "published 1" });
  for (const hidden of [secret, key]) expect(`${stdout}${stderr}`).not.toContain(hidden);
});

test("change hooks get the name of their space if there are several", async () => {
  const space = await startEditableSpace({ stories: [{ name: "home", slug: "home" }] });
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  const source = `source: { url: "${space.url}", token: a-token, settle: 0s }`;
  const hooks = 'blog: {}\n  news-of-today: { onCommit: { site: { run: "echo broken; exit 1" } } }';
  const defaults = `defaults: { ${source}, onCommit: { site: { run: [echo, built] } } }`;
  await writeFile(join(dir, "sync.config.yaml"), `${defaults}\nspaces:\n  ${hooks}\n`);
  const { heard, run, kill } = watch(dir, []);
  const names = ["blog", "news-of-today"];
  await Promise.all(names.map((name) => heard((line) => line.kind === "hook" && line.space === name)));
  kill("SIGTERM");
  const lines = (await run).stderr.split("\n");
  expect(lines).toContain("blog           site | built");
  expect(lines).toContain("news-of-today  site | broken");
  expect(lines).toContainEqual(expect.stringMatching(/^news-of-today {2}. The command .*HOOK_FAILED/));
});

test("a command that has failed for hours waits for its time, which the hint says; resume has the next turn run it", {
  tags: "long",
}, async () => {
  const dir = await projectWith(undefined, 'schedule: { every: 5s }\nonCommit: { site: { run: "exit 4" } }\n');
  expect((await runCommand(["sync"], { cwd: dir })).code).toBe(3);
  const output = join(dir, "output");
  const sinceMs = Date.now() - 2 * 3_600_000;
  await forgetHookFailures(output, "site");
  const failed = { result: "failed", how: "ended with exit code 4" } as const;
  await noteHookFailure(output, "site", failed, { nowMs: sinceMs, backsOff: true });
  const { lines, heard, run, kill } = watch(dir, []);
  const hooks = () => lines.filter(({ kind }) => kind === "hook") as (Line & { failures: { againAtMs: number } })[];
  const turns = () => lines.filter(({ kind }) => kind === "run-ended").length;
  // A start tries at once; then it waits for as long as it has failed.
  await heard(() => turns() >= 2);
  expect(hooks()).toMatchObject([{ result: "failed", failures: { times: 2, sinceMs } }]);
  expect(hooks()[0]!.failures.againAtMs).toBeGreaterThan(Date.now() + 7_000_000);
  expect((await runCommand(["resume", basename(dir)], { cwd: dir })).stderr).toBe(
    "✔ site has failed, and the next sync runs its command again.\n",
  );
  await heard(() => hooks().length === 2);
  expect(hooks()[1]).toMatchObject({ failures: { times: 1, againAtMs: null } });
  kill("SIGTERM");
  const hint =
    /Its command failed 2 times since \S+Z\. The first sync after \S+Z, or with a new generation, runs it again\./;
  expect((await run).stderr).toMatch(hint);
});

test("refuses an address that it cannot listen on before it syncs anything", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const dir = await projectWith({ secret });
  const refused = async (project: string, address: string) => {
    const { code, stderr } = await runCommand(["watch", "--listen", address], { cwd: project });
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused(dir, `127.0.0.1:${port}`)).toContain(`Cannot listen on 127.0.0.1:${port}: it is in use.`);
  expect(await refused(dir, "4480x")).toContain("--listen 4480x is not an address with a port.");
  expect(await refused(dir, "127.0.0.1:70000")).toContain("is not an address with a port");
  const { stdout } = await runCommand(["watch", "--json", "--listen", `127.0.0.1:${port}`], { cwd: dir });
  expect(JSON.parse(stdout.trimEnd().split("\n")[0]!)).toMatchObject({
    command: "watch",
    problems: [{ code: "USAGE" }],
  });
});

test("a space without secret or key accepts no event on any address, but reports its health", {
  tags: "long",
}, async () => {
  const dir = await temporaryFolder();
  const source = 'source: { url: "demo:", token: demo }, content: { formats: [] }';
  const spaces = `  blog: { ${source}, webhooks: { secret: ${secret} } }\n  docs: { ${source} }\n`;
  await writeFile(join(dir, "sync.config.yaml"), `spaces:\n${spaces}`);
  const { heard, run, kill } = watch(dir, ["--listen", "0.0.0.0:0"]);
  const url = String((await heard(({ kind }) => kind === "started")).url).replace("0.0.0.0", "127.0.0.1");
  const body = JSON.stringify({ action: "published", space_id: demoSpaceId, story_id: 1 });
  expect((await fetch(`${url}/hooks/docs`, { method: "POST", body })).status).toBe(404);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  kill("SIGTERM");
  const { code, stderr } = await run;
  expect(code).toBe(0);
  expect(stderr).toContain("No webhooks are taken for docs: neither webhooks.secret nor webhooks.key is set.");
});

test("reports invalid and never-due cron expressions and unknown time zones at once, with places", async () => {
  const schedules = [
    "{ cron: '61 * * * *' }",
    "{ cron: '0 0 30 2 *', timeZone: Mars/Base }",
    "{ cron: 2030-01-01T00:00:00 }",
  ];
  for (const [index, schedule] of schedules.entries()) {
    const dir = await projectWith({ secret: "plain", signature: "standard" }, `schedule: ${schedule}\n`);
    const { code, stderr } = await runCommand(["watch"], { cwd: dir });
    expect(code).toBe(2);
    expect(stderr).toContain("sync.config.yaml:2:21: webhooks.secret must be whsec_");
    const said = ["Invalid value for minute: 61", "it has no next time", "it has to have five or six fields"][index]!;
    expect(stderr).toContain(`sync.config.yaml:3:19: schedule.cron is not a valid cron expression: ${said}`);
    if (index === 1) expect(stderr).toContain("sync.config.yaml:3:43: schedule.timeZone expects a time zone");
  }
});

test("--log-format json: each line of the log is an object, and those of a run and its hooks name it", {
  tags: "long",
}, async () => {
  const dir = await projectWith({ secret, key }, 'onCommit: { site: { run: "echo broken; exit 1" } }\n');
  let child: ChildProcess | undefined;
  const run = runCli(["watch", "--log-format", "json"], {
    cwd: dir,
    onStart(started) {
      child = started;
      started.stderr?.on("data", (text: string) => text.includes("HOOK_FAILED") && started.kill("SIGTERM"));
    },
  });
  onTestFinished(() => void child?.kill("SIGKILL"));
  const { code, stdout, stderr } = await run;
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  const lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>);
  const committed = lines.find(({ message }) => message?.startsWith("start: generation 1, "))!;
  expect(committed).toMatchObject({ level: "info", time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
  const { run: name } = committed;
  expect(lines).toContainEqual(expect.objectContaining({ level: "info", run: name, message: "site | broken" }));
  expect(lines.filter(({ code: said }) => said === "HOOK_FAILED")).toMatchObject([{ level: "error", run: name }]);
  expect(lines.every(({ level }) => level !== "debug")).toBe(true);
  for (const hidden of [secret, key]) expect(stderr).not.toContain(hidden);
});
