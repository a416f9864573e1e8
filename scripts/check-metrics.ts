import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SyncReport } from "../src/sync/report.js";
import { type Metrics, metricsAfter, startMetrics, withKept } from "../src/watch/telemetry/metrics.js";
import { families, metricsText } from "../src/watch/telemetry/metrics-text.js";
import type { WatchEvent } from "../src/watch/watch-event.js";

/** See the end of the file, which runs it. */
async function checkAll(): Promise<void> {
  promtool("every metric", ["check", "metrics"], everyMetric());
  promtool("the metrics file of a sync", ["check", "metrics"], await syncedMetrics());
  const rules = resolve("docs", "recipes", "alerts.yml");
  promtool("docs/recipes/alerts.yml", ["check", "rules", rules]);
  requireKnown("docs/recipes/alerts.yml", readFileSync(rules, "utf8"));
  const panels = join(folder, "panels.yml");
  const expressions = dashboardExpressions(readFileSync(resolve("docs", "recipes", "dashboard.json"), "utf8"));
  await writeFile(panels, JSON.stringify(panelRules(expressions)));
  promtool(`docs/recipes/dashboard.json: ${expressions.length} expressions`, ["check", "rules", panels]);
  requireKnown("docs/recipes/dashboard.json", expressions.join("\n"));
  const trial = join(folder, "trial.yml");
  await writeFile(trial, JSON.stringify(ruleTrials(rules)));
  promtool(`each of ${Object.keys(faults).length - 2} faults fires its alert and no other`, ["test", "rules", trial]);
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

/** Each metric that a text names must be one that the program exports. */
function requireKnown(what: string, text: string): void {
  const known = families.flatMap(({ name, type }) =>
    type === "histogram" ? ["_bucket", "_sum", "_count"].map((suffix) => name + suffix) : [name],
  );
  const unknown = [...new Set(text.match(/\boffprint_\w+/g))].filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  process.stderr.write(`✖ ${what}: no metric has the name ${unknown.join(", ")}\n`);
  process.exitCode = 1;
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
  templating: { list: { query: string }[] };
}

/** As Prometheus gets them: Grafana replaces its variables before. */
function dashboardExpressions(text: string): string[] {
  const { panels, templating } = JSON.parse(text) as Dashboard;
  const listed = templating.list.map(({ query }) => /^label_values\((.*), \w+\)$/.exec(query)?.[1] ?? query);
  return [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...listed].map((expr) =>
    expr.replaceAll("$__rate_interval", "5m").replaceAll("$space", "blog|shop"),
  );
}

/** The parser of rules is the one that promtool has in every version. */
function panelRules(expressions: readonly string[]): object {
  const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
  return { groups: [{ name: "panels", rules }] };
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
    { kind: "took-over", ...at },
    { kind: "run-ended", ...at, ...run, outcome: "failed", problems: [{ ...problem, code: "STORE_UNREACHABLE" }] },
    { kind: "hook", ...at, consumer: 'a "site"\\\n', from: null, to: 4, result: "timed-out", durationMs: 7 },
  ];
  const metrics = events.reduce<Metrics>(metricsAfter, startMetrics([space]));
  const kept = withKept(metrics, "blog", { generation: 4, generations: 3, bytes: 1e6 });
  const queue = { goneSinceMs: at.atMs, told: { workersAlive: 3, jobsWaiting: 1 } };
  const text = metricsText({ ...kept, queue }, { version: "0.0.0", commit: "f00", nowMs: at.atMs, residentBytes: 1 });
  const missing = families.filter(({ name }) => !text.includes(`# TYPE ${name} `)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`The text with every metric lacks ${missing.join(", ")}`);
  return text;
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

interface Fault {
  /** Values by series, in promtool's notation; they replace those of {@link healthy}. undefined: the series is gone. */
  series: Readonly<Record<string, string | undefined>>;
  fires: { alertname: string; labels: Readonly<Record<string, string>>; summary: string }[];
}

/** Two workers that tell of one space: confirmed each minute, a request each minute. */
const healthy: Readonly<Record<string, string>> = Object.fromEntries(
  ["a", "b"].flatMap((instance) => {
    const labels = `job="offprint",instance="${instance}"`;
    return [
      [`up{${labels}}`, "1x180"],
      [`offprint_queue_up{${labels}}`, "1x180"],
      [`offprint_last_confirmed_timestamp_seconds{${labels},space="blog"}`, "0+60x180"],
      [`offprint_max_age_seconds{${labels},space="blog"}`, "3600x180"],
      [`offprint_problems{${labels},space="blog",code="LINK_DEAD"}`, "3x180"],
      [`offprint_requests_total{${labels},space="blog"}`, "0+1x180"],
      [`offprint_lease_lost_total{${labels},space="blog"}`, "0x60 1x120"],
      [`offprint_store_failures_total{${labels},space="blog",code="STORE_UNREACHABLE"}`, "0x60 1x120"],
      [`offprint_requests_rate_limited_total{${labels},space="blog"}`, "0x180"],
      [`offprint_hooks_total{${labels},space="blog",consumer="site",result="done"}`, "0+1x180"],
      [`offprint_hook_failing_since_timestamp_seconds{${labels},space="blog",consumer="site"}`, "0x180"],
    ];
  }),
);

const of = (name: string, instance: string, more = "") => `${name}{job="offprint",instance="${instance}"${more}}`;
const blog = ',space="blog"';
const page = { severity: "page" };
const ticket = { severity: "ticket" };

const faults: Readonly<Record<string, Fault>> = {
  nothing: { series: {}, fires: [] },
  "one of two workers no longer syncs": {
    series: { [of("offprint_last_confirmed_timestamp_seconds", "a", blog)]: "0x180" },
    fires: [],
  },
  "the API is down for both": {
    series: {
      [of("offprint_last_confirmed_timestamp_seconds", "a", blog)]: "0x180",
      [of("offprint_last_confirmed_timestamp_seconds", "b", blog)]: "0x180",
    },
    fires: [
      {
        alertname: "OffprintStale",
        labels: { ...page, space: "blog" },
        summary: "blog was confirmed 2h 30m 0s ago",
      },
    ],
  },
  "one process is dead": {
    series: { [of("up", "b")]: "1x60 0x120" },
    fires: [
      {
        alertname: "OffprintDown",
        labels: { ...ticket, job: "offprint", instance: "b" },
        summary: "b does not answer",
      },
    ],
  },
  "no process tells anything": {
    series: Object.fromEntries(Object.keys(healthy).map((series) => [series, undefined])),
    fires: [{ alertname: "OffprintSilent", labels: page, summary: "no metrics: is any process running?" }],
  },
  "the queue is gone for one": {
    series: { [of("offprint_queue_up", "a")]: "1x60 0x120" },
    fires: [
      {
        alertname: "OffprintQueueGone",
        labels: { ...page, job: "offprint", instance: "a" },
        summary: "a does not reach the queue",
      },
    ],
  },
  "the bucket refuses the key": {
    series: { [of("offprint_problems", "a", `${blog},code="STORE_REFUSED"`)]: "1x180" },
    fires: [
      {
        alertname: "OffprintBlocked",
        labels: { ...ticket, space: "blog", code: "STORE_REFUSED" },
        summary: "blog: STORE_REFUSED, needs you",
      },
    ],
  },
  "two machines take the lease from each other": {
    series: {
      [of("offprint_lease_lost_total", "a", blog)]: "0+1x180",
      [of("offprint_lease_lost_total", "b", blog)]: "0+1x180",
    },
    fires: [
      {
        alertname: "OffprintLeaseLost",
        labels: { ...ticket, space: "blog" },
        summary: "blog: processes take the lease from each other",
      },
    ],
  },
  "the bucket answers 503 in every other sync": {
    series: { [of("offprint_store_failures_total", "a", `${blog},code="STORE_UNREACHABLE"`)]: "0+1x180" },
    fires: [
      {
        alertname: "OffprintStoreFails",
        labels: { ...ticket, space: "blog" },
        summary: "blog: the store keeps failing",
      },
    ],
  },
  "a hold is forgotten": {
    series: { [of("offprint_problems", "a", `${blog},code="HELD"`)]: "1x180" },
    fires: [
      { alertname: "OffprintHeld", labels: { ...ticket, space: "blog" }, summary: "blog is held after a rollback" },
    ],
  },
  "a build hook fails": {
    series: { [of("offprint_hooks_total", "a", `${blog},consumer="site",result="failed"`)]: "0+1x180" },
    fires: [
      {
        alertname: "OffprintHookFails",
        labels: { ...ticket, space: "blog", consumer: "site" },
        summary: "blog: site keeps failing",
      },
    ],
  },
  "a build hook has failed for hours, and is tried ever less often": {
    series: { [of("offprint_hook_failing_since_timestamp_seconds", "b", `${blog},consumer="site"`)]: "60x180" },
    fires: [
      {
        alertname: "OffprintHookFails",
        labels: { ...ticket, space: "blog", consumer: "site" },
        summary: "blog: site keeps failing",
      },
    ],
  },
  "a build hook succeeds after hours": {
    series: { [of("offprint_hook_failing_since_timestamp_seconds", "b", `${blog},consumer="site"`)]: "60x120 0x60" },
    fires: [],
  },
  "the API limits the rate": {
    series: { [of("offprint_requests_rate_limited_total", "a", blog)]: "0+1x180" },
    fires: [
      {
        alertname: "OffprintRateLimited",
        labels: { ...ticket, space: "blog" },
        summary: "blog: more than 5 % of requests are answered 429",
      },
    ],
  },
  "a webhook's secret was changed": {
    series: { [of("offprint_webhooks_total", "b", `${blog},result="unsigned"`)]: "0+1x180" },
    fires: [
      {
        alertname: "OffprintWebhooksRefused",
        labels: { ...ticket, result: "unsigned" },
        summary: "webhooks are unsigned: changed secret?",
      },
    ],
  },
};

/** The entry of an alert in docs/runbook.md. */
function runbookUrl(alertname: string): string {
  const { homepage } = JSON.parse(readFileSync("package.json", "utf8"));
  return `${homepage}/blob/main/docs/runbook.md#${alertname.toLowerCase()}`;
}

/** After two and a half hours of each fault, its alert fires and no other. */
function ruleTrials(rules: string): object {
  const alerts = [...readFileSync(rules, "utf8").matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const untried = alerts.filter((name) => !Object.values(faults).some(({ fires }) => fires[0]?.alertname === name));
  if (untried.length > 0) throw new Error(`No fault tries ${untried.join(", ")}`);
  return {
    rule_files: [rules],
    evaluation_interval: "1m",
    tests: Object.entries(faults).map(([name, { series, fires }]) => ({
      name,
      interval: "1m",
      input_series: Object.entries({ ...healthy, ...series }).flatMap(([one, values]) =>
        values === undefined ? [] : [{ series: one, values }],
      ),
      alert_rule_test: alerts.map((alertname) => ({
        eval_time: "150m",
        alertname,
        exp_alerts: fires
          .filter((fired) => fired.alertname === alertname)
          .map(({ labels, summary }) => ({
            exp_labels: labels,
            exp_annotations: { summary, runbook_url: runbookUrl(alertname) },
          })),
      })),
    })),
  };
}

/**
 * Holds the metrics and docs/recipes/alerts.yml with promtool: a text with every metric, the file of a real sync, and each
 * rule over several processes, with a fault that fires it and those that do not. Run at the root of the repository.
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
