import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HookSetting } from "../../../src/config/config.js";
import { registerSecret } from "../../../src/lib/redact/redact.js";
import { currentManifest } from "../../../src/snapshot/current-manifest.js";
import { cursorFile, handOverFiles } from "../../../src/snapshot/layout.js";
import type { Manifest } from "../../../src/snapshot/manifest.js";
import { acquireLock } from "../../../src/snapshot/store/lock.js";
import { commitCursor, hasOutstanding } from "../../../src/watch/hooks/consumer.js";
import { consumerProject, keepingHook } from "../../support/consumer-project.js";
import { story } from "../../support/sample-snapshot.js";

const one = { editions: { "published/default": [story(1)] } };
const two = { editions: { "published/default": [story(1), story(2)] } };

function shell(run: string, timeoutMs = 20_000): HookSetting {
  return { run, timeoutMs };
}

describe("a consumer's command", () => {
  test("runs in the folder of the configuration with its details in the environment", async () => {
    const run = ["sh", "-c", 'pwd > where; env | grep "^OFFPRINT_" | sort > seen; cp "$OFFPRINT_CHANGES" list'];
    const project = await consumerProject({ constructor: { run, timeoutMs: 20_000 } });
    const { dir } = project;
    await project.commit(one);
    expect(await project.handOver()).toMatchObject([
      { consumer: "constructor", from: null, to: 1, result: "done", exitCode: 0, counts: { upserts: 1 }, problems: [] },
    ]);
    expect(await readFile(join(dir, "where"), "utf8")).toBe(`${dir}\n`);
    const changes = join(dir, "output", ".work/for-constructor/changes.ndjson");
    expect((await readFile(join(dir, "seen"), "utf8")).trimEnd().split("\n")).toEqual([
      `OFFPRINT_CHANGES=${changes}`,
      "OFFPRINT_CONSUMER=constructor",
      `OFFPRINT_CONTENT=${join(dir, "output", "content")}`,
      "OFFPRINT_CV=1700000000",
      "OFFPRINT_FROM=",
      "OFFPRINT_FULL=first",
      "OFFPRINT_GENERATION=1",
      `OFFPRINT_OUTPUT=${join(dir, "output")}`,
      "OFFPRINT_SPACE=7",
    ]);
    expect((await readFile(join(dir, "list"), "utf8")).split("\n").map((line) => line.slice(0, 20))).toEqual([
      '{"format":1,"space":',
      '{"change":"upsert","',
      "",
    ]);
    // Nothing of the hand-over is left.
    expect(existsSync(join(dir, "output", ".work"))).toBe(false);
    expect(await project.handOver()).toMatchObject([{ consumer: "constructor", from: 1, to: 1, result: "nothing" }]);
  });

  test("gets the variables of this process except those with a secret of the configuration", async () => {
    const project = await consumerProject({ site: shell("env > seen") });
    const { source, webhooks, serve } = project.config;
    project.config.source = { ...source, token: "a-token-of-the-space" };
    const secrets = { ...webhooks, secret: "a-webhook-secret", key: "a-key-nobody-can-guess" };
    project.config.webhooks = secrets;
    project.config.serve = { ...serve, tokens: { public: ["demo"], preview: ["word"] } };
    // As the configuration of another space registers them.
    for (const secret of ["a-token-of-another-space", "wrd4"]) registerSecret(secret);
    await project.commit(one);
    await project.handOver({
      env: {
        PATH: process.env.PATH,
        HOME: "/home/user",
        STORYBLOK_TOKEN: "a-token-of-the-space",
        SPACE_URL: "https://api.storyblok.com/?token=a-token-of-the-space",
        WEBHOOK: "a-webhook-secret",
        KEY: "/hooks/a-key-nobody-can-guess",
        SHORT: "word",
        A_WORD_LIKE_IT: "words",
        OTHER_SPACE: "a-token-of-another-space",
        OTHER_URL: "https://example.com/hooks/a-token-of-another-space",
        OTHER_SHORT: "wrd4",
        DEMO: "demo",
        OFFPRINT_FROM: "of another",
      },
    });
    const seen = (await readFile(join(project.dir, "seen"), "utf8")).split("\n");
    const names = seen.map((line) => line.slice(0, line.indexOf("=")));
    expect(names).toEqual(expect.arrayContaining(["HOME", "PATH", "A_WORD_LIKE_IT", "DEMO"]));
    for (const name of [
      "STORYBLOK_TOKEN",
      "SPACE_URL",
      "WEBHOOK",
      "KEY",
      "SHORT",
      "OTHER_SPACE",
      "OTHER_URL",
      "OTHER_SHORT",
    ]) {
      expect(names).not.toContain(name);
    }
    expect(seen).toContain("OFFPRINT_FROM=");
  });

  test("is outstanding from a commit until it has handled it", async () => {
    const project = await consumerProject();
    expect(await hasOutstanding(project.config)).toBe(false);
    await project.commit(one);
    expect(await hasOutstanding(project.config)).toBe(true);
    await project.handOver();
    expect(await hasOutstanding(project.config)).toBe(false);
  });

  test("is left out while it waits after failures, and its changes stay", async () => {
    const project = await consumerProject({ site: shell("exit $(cat code)"), search: shell("exit $(cat code)") });
    const hour = 3_600_000;
    await project.commit(one);
    await writeFile(join(project.dir, "code"), "4");
    const waits = (consumer: string) => consumer === "site";
    const handOverAt = (hours: number) => project.handOver({ waits, now: () => hours * hour });
    for (const hours of [10, 11])
      expect(await handOverAt(hours)).toMatchObject([
        { consumer: "site", result: "failed", failures: { times: hours - 9, sinceMs: 10 * hour } },
        { consumer: "search", result: "failed" },
      ]);
    await writeFile(join(project.dir, "code"), "0");
    // After an hour of failures it waits for another one.
    expect(await handOverAt(11.9)).toMatchObject([{ consumer: "search", result: "done" }]);
    expect(await handOverAt(12)).toMatchObject([
      { consumer: "site", result: "done" },
      { consumer: "search", result: "nothing" },
    ]);
    // Who does not back off runs it at once.
    await project.commit(two);
    await writeFile(join(project.dir, "code"), "4");
    for (const hours of [20, 22])
      expect(await handOverAt(hours)).toMatchObject([{ result: "failed" }, { result: "failed" }]);
    expect(await project.handOver({ now: () => 22 * hour })).toMatchObject([
      { result: "failed" },
      { result: "failed" },
    ]);
  });

  test("waits until the content is rendered, possibly by another process", async () => {
    const project = await consumerProject({ site: shell("echo begun") });
    const manifest = await project.commit(one, { withTree: false });
    expect(await project.handOver()).toMatchObject([{ result: "busy", to: 1 }]);
    await project.render(manifest);
    let committing: Promise<Manifest> | undefined;
    const onLine = () => {
      committing ??= project.commit(two, { withTree: false });
    };
    project.config.onCommit = {
      site: shell(
        "echo begun; while ! test -e output/manifest.json || ! grep -q '\"generation\": *2' output/manifest.json; do sleep 0.02; done",
      ),
    };
    expect(await project.handOver({ onLine })).toMatchObject([{ result: "done", to: 1 }]);
    expect(await project.handOver()).toMatchObject([{ result: "busy", from: 1, to: 2 }]);
    await project.render((await committing)!);
    expect(await project.handOver()).toMatchObject([{ result: "done", from: 1, to: 2 }]);
  });

  const failures: [string, HookSetting, object, RegExp][] = [
    [
      "is not there",
      { run: ["no-such-program"], timeoutMs: 9000 },
      { result: "failed" },
      /ended with exit code 127 \(was not found\)/,
    ],
    ["ends with another exit code", shell("exit 7"), { result: "failed", exitCode: 7 }, /ended with exit code 7/],
    ["is ended by a signal", shell("kill -KILL $$"), { result: "failed" }, /was ended by SIGKILL/],
    ["does not end", shell("echo begun; sleep 60", 200), { result: "timed-out" }, /did not end within 0\.2 s/],
    [
      "does not end when it is told to",
      shell("trap '' TERM; echo begun; while :; do sleep 60; done", 200),
      { result: "timed-out" },
      /did not end within 0\.2 s/,
    ],
  ];
  test.each(failures)("that %s fails: the cursor stays, and the next call gets everything since", async (...row) => {
    const [, hook, outcome, message] = row;
    const project = await consumerProject();
    await project.commit(one);
    await project.handOver();
    await project.commit(two);
    project.config.onCommit = { site: hook };
    const [failed] = await project.handOver({ graceMs: 100 });
    expect(failed).toMatchObject({ ...outcome, from: 1, to: 2, counts: { upserts: 1 } });
    expect(failed?.problems).toMatchObject([{ message: expect.stringMatching(message) }]);
    project.config.onCommit = { site: keepingHook };
    await project.commit({ editions: { "published/default": [story(2)] } });
    expect(await project.handOver()).toMatchObject([{ from: 1, to: 3, result: "done", counts: { deletes: 1 } }]);
  });

  test("that does not end is killed with everything it started", async () => {
    const started = "sleep 60 & echo $! > child; echo $$ > leader; wait";
    const project = await consumerProject({ site: shell(started, 300) });
    await project.commit(one);
    expect(await project.handOver()).toMatchObject([{ result: "timed-out" }]);
    for (const name of ["child", "leader"]) {
      const pid = Number(await readFile(join(project.dir, name), "utf8"));
      await expect.poll(() => isRunning(pid)).toBe(false);
    }
  });

  test("may print anything: a lot, without a line end, single characters, to both streams", async () => {
    const script = 'process.stdout.write("x".repeat(10_000_000)); process.stderr.write("ä\\r\\nlast ".repeat(2))';
    const project = await consumerProject({ site: { run: [process.execPath, "-e", script], timeoutMs: 20_000 } });
    await project.commit(one);
    const lines: { consumer: string; stream: string; text: string }[] = [];
    expect(await project.handOver({ onLine: (line) => lines.push(line) })).toMatchObject([{ result: "done" }]);
    const [out, err] = ["stdout", "stderr"].map((name) => lines.filter(({ stream }) => stream === name));
    expect(out?.reduce((sum, { text }) => sum + text.length, 0)).toBe(10_000_000);
    expect(Math.max(...lines.map(({ text }) => text.length))).toBeLessThan(100_000);
    expect(err?.map(({ text }) => text)).toEqual(["ä", "last ä", "last "]);
  });

  test("that leaves a process behind is not waited for", async () => {
    const project = await consumerProject({ site: shell("sleep 60 & echo $! > child") });
    await project.commit(one);
    expect(await project.handOver()).toMatchObject([{ result: "done" }]);
    const pid = Number(await readFile(join(project.dir, "child"), "utf8"));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  test("that ignores the signal is killed sooner than one that timed out", async () => {
    const project = await consumerProject({
      site: shell("trap '' TERM; echo begun; while :; do sleep 60; done", 60_000),
    });
    await project.commit(one);
    const controller = new AbortController();
    const reason = new Error("stopped");
    const onLine = () => controller.abort(reason);
    const handing = project.handOver({ signal: controller.signal, onLine, graceMs: 60_000, stopGraceMs: 100 });
    await expect(handing).rejects.toBe(reason);
  });

  test("is ended by the signal, and the cursor stays", async () => {
    const project = await consumerProject({ site: shell("echo begun; sleep 60") });
    await project.commit(one);
    const controller = new AbortController();
    const reason = new Error("interrupted");
    const handing = project.handOver({ signal: controller.signal, onLine: () => controller.abort(reason) });
    await expect(handing).rejects.toBe(reason);
    expect(existsSync(join(project.dir, "output", cursorFile("site")))).toBe(false);
  });
});

describe("hand-overs", () => {
  test("include a generation that another process commits in the meantime", async () => {
    const project = await consumerProject({ site: shell("echo begun; while ! test -e go; do sleep 0.02; done") });
    await project.commit(one);
    let committing: Promise<unknown> | undefined;
    const done = await project.handOver({
      onLine() {
        committing ??= project.commit(two).then(() => writeFile(join(project.dir, "go"), ""));
      },
    });
    await committing;
    expect(done).toMatchObject([
      { from: null, to: 1, result: "done" },
      { from: 1, to: 2, result: "done" },
    ]);
  });

  test("to one consumer never overlap", async () => {
    const project = await consumerProject({ site: shell("echo begun; while ! test -e go; do sleep 0.02; done") });
    await project.commit(one);
    const manifest = await currentManifest(project.store);
    let [second, committed]: unknown[] = [];
    const first = await project.handOver({
      onLine: () =>
        void project.handOver().then(async (done) => {
          second = done;
          committed = await commitCursor(project.config, "site", manifest!, 0).catch((error: unknown) => error);
          await writeFile(join(project.dir, "go"), "");
        }),
    });
    expect(first).toMatchObject([{ result: "done" }]);
    expect(second).toMatchObject([{ result: "busy" }]);
    expect(committed).toMatchObject({ code: "LOCKED" });
    // A process that was killed left its lock and its hook: the hook is waited for, the lock is not.
    await project.commit(two);
    const { lock, running } = handOverFiles("site");
    const held = await acquireLock(join(project.dir, "output"), lock);
    const owner = { ...held.owner, since: new Date().toISOString() };
    await held.release();
    await mkdir(join(project.dir, "output", running, ".."), { recursive: true });
    await writeFile(join(project.dir, "output", running), JSON.stringify(owner));
    expect(await project.handOver()).toMatchObject([{ result: "busy" }]);
    await writeFile(join(project.dir, "output", running), JSON.stringify({ ...owner, processStart: "1" }));
    expect(await project.handOver()).toMatchObject([{ result: "done" }]);
  });

  test("continue with the next consumer after a failure; without a snapshot there are none", async () => {
    const project = await consumerProject({ bad: shell("exit 1"), good: shell("exit 0") });
    expect(await project.handOver()).toEqual([]);
    await project.commit(one);
    expect(await project.handOver()).toMatchObject([
      { consumer: "bad", result: "failed" },
      { consumer: "good", result: "done" },
    ]);
  });
});

/** One that has ended, and that nobody waited for, does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  return !/\) Z /.test(stat);
}
