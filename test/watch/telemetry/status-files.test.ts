import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metricsAfter, startMetrics } from "../../../src/watch/telemetry/metrics.js";
import type { SpaceFreshness } from "../../../src/watch/telemetry/space-freshness.js";
import { readStatusFiles, writeStatusFiles } from "../../../src/watch/telemetry/status-files.js";
import type { RunEnded } from "../../../src/watch/watch-event.js";
import { runCli } from "../../support/run-cli.js";
import { crawlYaml } from "../../support/sync-folder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { startTinySpace } from "../../support/tiny-space.js";

const known: SpaceFreshness = {
  space: "blog",
  generation: 3,
  committedAtMs: 1000,
  confirmedAtMs: 5000,
  held: false,
  maxAgeMs: 60_000,
};
const failed: RunEnded = {
  kind: "run-ended",
  space: "blog",
  atMs: 90_000,
  reasons: [{ kind: "start" }],
  outcome: "failed",
  durationMs: 700,
  exitCode: 5,
  problems: [],
  nextAtMs: null,
};
const options = { version: "1.2.3", nowMs: 100_000 };

test("counters of single runs continue from the previous file", async () => {
  const files = { metrics: join(await temporaryFolder(), "offprint.prom") };
  for (let run = 0; run < 3; run++) {
    const before = await readStatusFiles(files, [known], options.nowMs);
    await writeStatusFiles(files, metricsAfter(before, failed), options);
  }
  const text = await readFile(files.metrics, "utf8");
  expect(text).toContain('offprint_runs_total{space="blog",outcome="failed"} 3\n');
  expect(text).toContain('offprint_run_duration_seconds_bucket{space="blog",le="0.5"} 0\n');
  expect(text).toContain('offprint_run_duration_seconds_bucket{space="blog",le="1"} 3\n');
  expect(text.replace(/# \{.*\}\n$/, "")).not.toContain('{"');
  expect(await readdir(join(files.metrics, ".."))).toEqual(["offprint.prom"]);
});

test("counters continue from a status file, and restart without one or with other buckets", async () => {
  const files = { status: join(await temporaryFolder(), "s.json") };
  await writeStatusFiles(files, metricsAfter(startMetrics([known]), failed), options);
  const countersOf = async () => (await readStatusFiles(files, [known], options.nowMs)).spaces.get("blog");
  expect(await countersOf()).toMatchObject({ runs: { failed: 1 }, durations: { sum: 0.7 } });
  const status = JSON.parse(await readFile(files.status, "utf8"));
  status.spaces[0].counters.durations.counts.pop();
  for (const counters of [undefined, status.spaces[0].counters]) {
    status.spaces[0] = { ...status.spaces[0], counters, confirmedAt: new Date(80_000).toISOString() };
    await writeFile(files.status, JSON.stringify(status));
    expect(await countersOf()).toMatchObject({ runs: {}, durations: { sum: 0 }, freshness: { confirmedAtMs: 80_000 } });
  }
});

test("a failed run never makes the copy older than the file says: an unchanged sync records nothing in its output", async () => {
  const folder = await temporaryFolder();
  const confirmed = startMetrics([{ ...known, confirmedAtMs: 80_000 }]);
  for (const files of [{ metrics: join(folder, "m.prom") }, { status: join(folder, "s.json") }]) {
    await writeStatusFiles(files, confirmed, options);
    const { spaces } = await readStatusFiles(files, [known], options.nowMs);
    expect(spaces.get("blog")?.freshness.confirmedAtMs).toBe(80_000);
  }
});

test("ignores a file about another state of the folder, or from the future", async () => {
  const files = { status: join(await temporaryFolder(), "s.json") };
  for (const other of [
    { ...known, generation: 9, confirmedAtMs: 80_000 },
    { ...known, confirmedAtMs: options.nowMs + 1 },
  ]) {
    await writeStatusFiles(files, startMetrics([other]), options);
    const { spaces } = await readStatusFiles(files, [known], options.nowMs);
    expect(spaces.get("blog")?.freshness.confirmedAtMs).toBe(5000);
  }
});

test("a foreign or truncated file restarts the counters", async () => {
  const files = { metrics: join(await temporaryFolder(), "m.prom") };
  await writeFile(files.metrics, 'offprint_runs_total{space="blog",outcome="failed"} 7.5.1\nnode_cpu 4\noffprint_requ');
  const { spaces } = await readStatusFiles(files, [known], options.nowMs);
  expect(spaces.get("blog")).toMatchObject({ runs: {}, requests: 0, durations: { sum: 0 } });
});

test("a file that cannot be written gives a problem with its reason, and throws nothing", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "file"), "");
  await mkdir(join(folder, "folder"));
  const places = { metrics: join(folder, "missing", "m.prom"), status: join(folder, "file", "s.json") };
  expect(await writeStatusFiles(places, startMetrics([known]), options)).toMatchObject([
    {
      code: "STATUS_FILE_FAILED",
      message: expect.stringContaining("(ENOENT)"),
      hint: expect.stringContaining("Create"),
    },
    { code: "STATUS_FILE_FAILED", message: expect.stringContaining("(ENOTDIR)") },
  ]);
  const isFolder = await writeStatusFiles({ status: join(folder, "folder") }, startMetrics([known]), options);
  expect(isFolder).toMatchObject([{ message: expect.stringContaining("(EISDIR)") }]);
  expect((await readdir(folder)).sort()).toEqual(["file", "folder"]);
});

test("sync writes both files, even after a failure, and reports those it could not write", async () => {
  const cwd = await temporaryFolder();
  const space = await startTinySpace();
  await writeFile(join(cwd, "sync.config.yaml"), crawlYaml(space.url, "queue: { retries: 0 }\n"));
  const flags = ["--metrics-file", "m.prom", "--status-file", "s.json"];
  const statusOf = async () => JSON.parse(await readFile(join(cwd, "s.json"), "utf8"));

  expect((await runCli(["sync", ...flags], { cwd })).code).toBe(0);
  const first = await statusOf();
  expect(first).toMatchObject({ ready: true, spaces: [{ generation: 1, ready: true, maxAgeSeconds: 3600 }] });

  space.fails = () => true;
  const broken = await runCli(["sync", "--json", ...flags], { cwd });
  expect(broken.code).toBe(5);
  expect((await statusOf()).spaces[0]).toMatchObject({
    generation: 1,
    confirmedAt: first.spaces[0].confirmedAt,
    problems: { UPSTREAM_UNREACHABLE: 1 },
  });
  const metrics = await readFile(join(cwd, "m.prom"), "utf8");
  expect(metrics).toMatch(/^offprint_runs_total\{space="[\w-]+",outcome="committed"\} 1$/m);
  expect(metrics).toMatch(/^offprint_runs_total\{space="[\w-]+",outcome="failed"\} 1$/m);
  expect(metrics).toMatch(/^offprint_generations_kept\{space="[\w-]+"\} 1$/m);
  expect(metrics).toMatch(/^offprint_output_bytes\{space="[\w-]+"\} [1-9]\d+$/m);
  expect(metrics).toMatch(/^offprint_build_info\{version="[\w.-]+"(,commit="[0-9a-f]{40,64}")?\} 1$/m);
  // The failed one sent requests, too.
  expect(metrics).toMatch(new RegExp(`^offprint_requests_total\\{space="[\\w-]+"\\} ${space.requests}$`, "m"));

  space.fails = () => false;
  const nowhere = await runCli(["sync", "--json", "--metrics-file", "nowhere/m.prom"], { cwd });
  expect(nowhere.code).toBe(0);
  expect(nowhere.stderr).toContain("STATUS_FILE_FAILED");
  expect(JSON.parse(nowhere.stdout).problems.at(-1)).toMatchObject({ code: "STATUS_FILE_FAILED", isNew: true });
});

test("one file contains many spaces, including a failed one", async () => {
  const cwd = await temporaryFolder();
  const space = await startTinySpace();
  const source = (url: string) =>
    `{ source: { url: "${url}", token: test-token }, output: { dir: out-${url.length} } }`;
  const spaces = `spaces:\n  blog: ${source(space.url)}\n  shop: ${source("http://127.0.0.1:9/")}\n`;
  await writeFile(
    join(cwd, "sync.config.yaml"),
    `defaults: { queue: { retries: 0 }, content: { formats: [] } }\n${spaces}`,
  );
  const run = await runCli(["sync", "--quiet", "--status-file", "s.json", "--metrics-file", "m.prom"], { cwd });
  expect(run.code).toBe(5);
  expect(JSON.parse(await readFile(join(cwd, "s.json"), "utf8")).spaces).toMatchObject([
    { space: "blog", ready: true, generation: 1 },
    { space: "shop", ready: false, generation: null, problems: { UPSTREAM_UNREACHABLE: 1 } },
  ]);
  const metrics = await readFile(join(cwd, "m.prom"), "utf8");
  expect(metrics).toContain('offprint_runs_total{space="blog",outcome="committed"} 1\n');
  expect(metrics).toContain('offprint_runs_total{space="shop",outcome="failed"} 1\n');
});
