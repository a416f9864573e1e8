import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SyncReport } from "../src/sync/report.js";
import { type Metrics, metricsAfter, startMetrics } from "../src/watch/telemetry/metrics.js";
import { metricsText } from "../src/watch/telemetry/metrics-text.js";
import type { WatchEvent } from "../src/watch/watch-event.js";

/**
 * Holds the metrics and the alerts of docs/monitoring.md with promtool: a text with every metric, the file of a real sync, and
 * the rules, of which the most important one is tried. Run at the root of the repository.
 */
const folder = await mkdtemp(join(tmpdir(), "offprint-metrics-"));
try {
  if (hasPromtool()) await checkAll();
  else {
    process.stderr.write(
      "promtool is missing. It comes with Prometheus: apt-get install prometheus (Debian, Ubuntu)\n",
    );
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function checkAll(): Promise<void> {
  promtool("every metric", ["check", "metrics"], everyMetric());
  promtool("the metrics file of a sync", ["check", "metrics"], await syncedMetrics());
  const rules = join(folder, "rules.yml");
  await writeFile(rules, await documentedRules());
  promtool("the alerts of docs/monitoring.md", ["check", "rules", rules]);
  const trial = join(folder, "trial.yml");
  await writeFile(trial, JSON.stringify(ruleTrial(rules)));
  promtool("OffprintStale fires when it has to", ["test", "rules", trial]);
}

function hasPromtool(): boolean {
  return spawnSync("promtool", ["--version"]).error === undefined;
}

function promtool(what: string, args: readonly string[], input = ""): void {
  const { status, stdout, stderr } = spawnSync("promtool", args, { input, encoding: "utf8" });
  if (status === 0 && stderr.trim() === "") process.stdout.write(`✔ ${what}\n`);
  else {
    process.stderr.write(`✖ ${what}\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
}

/** A text in which no metric is missing. */
function everyMetric(): string {
  const space = { space: "blog", generation: 3, committedAtMs: 1, confirmedAtMs: 2, held: false, maxAgeMs: 3_600_000 };
  const problem = { code: "LINK_DEAD", message: 'a "link"\n', hint: "" } as const;
  const at = { space: "blog", atMs: 1_700_000_000_000 };
  const run = { reasons: [], durationMs: 1234, exitCode: 0, nextAtMs: 1_700_000_300_000 };
  const report = {
    generation: 4,
    requests: { total: 35, retried: 2, rateLimited: 1 },
    problems: [problem],
  } as unknown as SyncReport;
  const events: WatchEvent[] = [
    { kind: "run-ended", ...at, ...run, outcome: "committed", report, problems: [problem] },
    { kind: "webhook", ...at, result: "accepted" },
    { kind: "webhook", ...at, space: undefined, result: "unknown-space" },
    { kind: "expectation", ...at, result: "seen", probes: 1, waitedMs: 2 },
    { kind: "hook", ...at, consumer: 'a "site"\\\n', from: null, to: 4, result: "timed-out", durationMs: 7 },
  ];
  const metrics = events.reduce<Metrics>(metricsAfter, startMetrics([space]));
  return metricsText(metrics, { version: "0.0.0", nowMs: at.atMs });
}

/** What two syncs of the demo space write, of which the second finds nothing new. */
async function syncedMetrics(): Promise<string> {
  await writeFile(
    join(folder, "sync.config.yaml"),
    'source: { url: "demo:", token: demo }\ncontent: { formats: [] }\n',
  );
  const main = resolve("dist", "cli", "main.js");
  for (let run = 0; run < 2; run++) {
    const args = [main, "sync", "--quiet", "--metrics-file", "offprint.prom"];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`sync ended with ${status}: ${stderr}`);
  }
  return readFile(join(folder, "offprint.prom"), "utf8");
}

async function documentedRules(): Promise<string> {
  const page = await readFile(join("docs", "monitoring.md"), "utf8");
  const rules = /```yaml\n(groups:\n[\s\S]*?)```/.exec(page)?.[1];
  if (rules === undefined) throw new Error("docs/monitoring.md has no rules");
  return rules;
}

/** A space that was confirmed at the epoch and never again, with a maximum age of an hour; the rule waits five minutes. */
function ruleTrial(rules: string): object {
  const fired = {
    exp_labels: { severity: "page", space: "blog" },
    exp_annotations: { summary: "blog was confirmed 1h 7m 0s ago" },
  };
  return {
    rule_files: [rules],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: [
          { series: 'offprint_last_confirmed_timestamp_seconds{space="blog"}', values: "0x120" },
          { series: 'offprint_max_age_seconds{space="blog"}', values: "3600x120" },
        ],
        alert_rule_test: [
          { eval_time: "60m", alertname: "OffprintStale", exp_alerts: [] },
          { eval_time: "67m", alertname: "OffprintStale", exp_alerts: [fired] },
        ],
      },
    ],
  };
}
