// @module-tag long
import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runCli } from "../support/run-cli.js";
import { openServedBucket, type TestBucket } from "../support/s3-endpoint.js";
import { keyVariables } from "../support/s3-machine.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

const leaseMs = 5000;

/** A machine's folder, with its output in the bucket. */
async function machine(space: TinySpace, at: TestBucket): Promise<string> {
  const dir = await temporaryFolder();
  const store = `output: { store: "s3://${at.bucket}/site", s3: { endpoint: "${at.endpoint}", region: ${at.region}, lease: 5s } }`;
  const source = `source: { url: "${space.url}", token: test-token }\nqueue: { retries: 0, rateLimit: false }`;
  const yaml = `${source}\n${store}\nschedule: { every: 5s, jitter: 0s }\nassets: { download: false }\ncontent: { formats: [] }\n`;
  await writeFile(join(dir, "sync.config.yaml"), yaml);
  return dir;
}

type Served = Awaited<ReturnType<typeof openServedBucket>>;
type Line = Record<string, unknown> & { kind: string };

/** A running `offprint watch --json`. */
function watch(dir: string, at: TestBucket) {
  let child: ChildProcess | undefined;
  const lines: Line[] = [];
  const listeners = new Set<() => void>();
  let rest = "";
  const run = runCli(["watch", "--json", "--listen", "127.0.0.1:0"], {
    cwd: dir,
    env: keyVariables(at),
    onStart(started) {
      child = started;
      started.stdout?.on("data", (text: string) => {
        const whole = `${rest}${text}`.split("\n");
        rest = whole.pop() ?? "";
        for (const line of whole) lines.push(JSON.parse(line) as Line);
        for (const listener of [...listeners]) listener();
      });
    },
  });
  onTestFinished(() => void child?.kill("SIGKILL"));
  /** The first matching line from now on. */
  const heard = (fits: (line: Line) => boolean, from = 0): Promise<Line> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = lines.slice(from).find(fits);
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
      void run.then(({ stderr }) => reject(new Error(`ended before it was heard: ${stderr}`)));
    });
  return { lines, heard, run, pid: () => child?.pid, kill: (signal: NodeJS.Signals) => void child?.kill(signal) };
}

const isCommit = (line: Line) => line.kind === "run-ended" && line.outcome === "committed";
const tookOver = (line: Line) => line.kind === "took-over";
const standsBy = (line: Line) => line.kind === "standing-by";

function edit(space: TinySpace): void {
  space.cv += 10;
  space.stories[0]!.headline = `Home at ${space.cv}`;
}

async function onSpace() {
  const space = await startTinySpace();
  const at = await openServedBucket();
  const machines = [await machine(space, at), await machine(space, at)] as const;
  const one = watch(machines[0], at);
  expect(await one.heard(isCommit)).toMatchObject({ report: { generation: 1 } });
  const two = watch(machines[1], at);
  expect(await two.heard(standsBy)).toMatchObject({ holder: { host: hostname(), pid: one.pid() } });
  return { space, at, machines, one, two };
}

test("a daemon that stands by tells the generation and the age that the lease's holder confirmed", async () => {
  const { space, one, two } = await onSpace();
  const url = String((await two.heard(({ kind }) => kind === "started")).url);
  const told = async () => {
    const { spaces } = (await (await fetch(`${url}/fresh`)).json()) as { spaces: Record<string, unknown>[] };
    return spaces[0];
  };
  const from = one.lines.length;
  edit(space);
  const { atMs } = await one.heard(isCommit, from);
  const later = one.lines.length;
  await one.heard(({ kind, outcome }) => kind === "run-ended" && outcome === "unchanged", later);
  await vi.waitFor(
    async () => {
      expect(await told()).toMatchObject({ standby: true, generation: 2 });
      expect(Date.parse(String((await told())?.confirmedAt))).toBeGreaterThan(Number(atMs));
    },
    { timeout: 20_000, interval: 200 },
  );
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  for (const daemon of [one, two]) daemon.kill("SIGTERM");
  await Promise.all([one.run, two.run]);
});

test("one of two daemons works, the other waits until it stops; a sync or rollback names the worker", async () => {
  const { space, at, machines, one, two } = await onSpace();
  // Separate folders, because the first one's local lock would refuse the second.
  const beside = [await machine(space, at), await machine(space, at)] as const;
  const asked = space.requests;
  const runs = [
    runCli(["sync", "--full", "--json"], { cwd: beside[0], env: keyVariables(at) }),
    runCli(["rollback", "1"], { cwd: beside[1], env: keyVariables(at) }),
  ];
  for (const ended of await Promise.all(runs)) {
    expect(ended).toMatchObject({ code: 11, stderr: expect.stringContaining(`process ${one.pid()} on ${hostname()}`) });
  }
  expect(two.lines.map(({ kind }) => kind)).toEqual(["started", "standing-by"]);
  // The waiting daemon sent no request: only the first daemon did, and the refused sync once.
  const ownRuns = one.lines.filter(({ kind }) => kind === "run-started").length;
  expect(space.requests - asked).toBeLessThanOrEqual(ownRuns + 1);

  one.kill("SIGTERM");
  // It has used the store and exits by itself.
  expect(await one.run).toMatchObject({ code: 0 });
  await two.heard(tookOver);
  two.kill("SIGTERM");
  expect(await two.run).toMatchObject({ code: 0 });
  const again = await runCli(["sync", "--json"], { cwd: machines[0], env: keyVariables(at) });
  expect(again).toMatchObject({ code: 0 });
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: "unchanged", generation: 1 });
});

describe.skipIf(process.env.OFFPRINT_STORE_DAEMONS === undefined)("a daemon that held the lease", () => {
  test("is killed: the other takes over within the lease time plus five seconds, and commits", async () => {
    const { space, at, one, two } = await onSpace();
    one.kill("SIGKILL");
    const killedMs = performance.now();
    await one.run;
    edit(space);
    const asked = space.requests;
    const sent = at.server.requests.length;
    let askedWhenTaken: number | undefined;
    const when = ({ operation, key }: { operation: string; key: string }) => {
      if (operation === "PutObject" && key === "site/.lease.json") askedWhenTaken ??= space.requests;
      return false;
    };
    at.server.fail({ kind: "slow-headers", wait: 0 }, { when });
    const took = await two.heard(tookOver);
    expect(performance.now() - killedMs).toBeLessThan(leaseMs + 5000);
    expect(await two.heard(isCommit)).toMatchObject({ report: { generation: 2 } });
    // It sent the space no request before it had the lease.
    expect(askedWhenTaken).toBe(asked);
    expect(two.lines.slice(0, two.lines.indexOf(took)).map(({ kind }) => kind)).toEqual(["started", "standing-by"]);
    const writes = at.server.requests.slice(sent).filter(({ method }) => method === "PUT");
    expect(writes[0]).toMatchObject({ key: "site/.lease.json", status: 200 });
  });

  test("is paused for longer than its lease: it writes nothing on resume and waits", async () => {
    const { space, at, one, two } = await onSpace();
    one.kill("SIGSTOP");
    edit(space);
    await two.heard(tookOver);
    expect(await two.heard(isCommit)).toMatchObject({ report: { generation: 2 } });
    const [heardOf, sent] = [one.lines.length, at.server.requests.length];
    one.kill("SIGCONT");
    expect(await one.heard(standsBy, heardOf)).toMatchObject({ holder: { pid: two.pid() } });
    await two.heard(({ kind }) => kind === "run-ended", two.lines.length);
    expect(one.lines.slice(heardOf).filter(isCommit)).toEqual([]);
    // The space is the same, so the other daemon only writes its lease, state after state.
    const written = at.server.requests.slice(sent).filter(({ method, status }) => method !== "GET" && status === 200);
    expect(written.map(({ key }) => key).filter((key) => key !== "site/.lease.json")).toEqual([]);
    expect(leaseOf(at).holder.pid).toBe(two.pid());
    expect(two.lines.filter(standsBy)).toHaveLength(1);
    expect(
      at.server
        .bucket(at.bucket)
        .keys()
        .filter((key) => key.includes("/generations/")),
    ).toHaveLength(2);
  });

  test("is paused during a write: it commits nothing of it on resume", async () => {
    const { space, at, one, two } = await onSpace();
    const before = one.lines.length;
    // The first shard has arrived. The process gets no answer and does nothing else.
    const isShard = (key: string) => key.startsWith("site/snapshot/stories/");
    const when = ({ operation, key }: { operation: string; key: string }) => {
      if (operation !== "PutObject" || !isShard(key)) return false;
      one.kill("SIGSTOP");
      return true;
    };
    at.server.fail({ kind: "slow-headers", wait: 10 }, { when, times: 1 });
    edit(space);
    await two.heard(tookOver);
    expect(await two.heard(isCommit)).toMatchObject({ report: { generation: 2 } });
    const pointer = pointerOf(at);
    one.kill("SIGCONT");
    const lost = await one.heard(({ kind, outcome }) => kind === "run-ended" && outcome === "failed", before);
    expect(lost).toMatchObject({ exitCode: 11, problems: [expect.objectContaining({ code: "LOCKED" })] });
    await one.heard(standsBy, before);
    expect(pointerOf(at)).toBe(pointer);
  });
});

const stored = (at: Served, key: string) =>
  Buffer.from(at.server.bucket(at.bucket).get(`site/${key}`)!.body).toString();
const leaseOf = (at: Served) => JSON.parse(stored(at, ".lease.json")) as { holder: { pid: number } };
const pointerOf = (at: Served) => stored(at, "manifest.json");
