import { durationBounds, type KeptSnapshot, type Metrics, type QueueMetrics, type SpaceMetrics } from "./metrics.js";
import { isFresh } from "./space-freshness.js";

export interface MetricsTextOptions {
  version: string;
  /** Of the sources that the program was built from, if the build knew it. */
  commit?: string | undefined;
  nowMs: number;
  /** Memory of the process; undefined: it ends after this sync. */
  residentBytes?: number | undefined;
}

/** One line. `suffix` marks a line of a histogram: `_bucket`. */
interface Sample {
  suffix?: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

interface Family {
  /** Default: `counter` for a name that ends with `_total`, else `gauge`. */
  type?: "histogram";
  labels: readonly string[];
  help: string;
  samples(metrics: Metrics, options: MetricsTextOptions): Sample[];
}

const seconds = (ms: number | null) => (ms === null ? 0 : ms / 1000);

/** Every metric by its name, in output order. docs/monitoring.md explains each; a test compares the names. */
const table: Readonly<Record<string, Family>> = {
  offprint_build_info: {
    labels: ["version", "commit"],
    help: "Version of the program; always 1.",
    samples: (_, { version, commit }) => [{ labels: { version, ...(commit && { commit }) }, value: 1 }],
  },
  offprint_queue_up: ofQueue("1 while the worker reaches its queue; absent without a queue.", (queue) =>
    queue.goneSinceMs === undefined ? 1 : 0,
  ),
  offprint_queue_gone_since_timestamp_seconds: ofQueue(
    "When the queue stopped answering this worker; 0: it answers.",
    ({ goneSinceMs }) => seconds(goneSinceMs ?? null),
  ),
  offprint_queue_workers_alive: ofQueue(
    "Workers that had reported within 30 seconds when the queue last answered.",
    ({ told }) => told?.workersAlive,
  ),
  offprint_queue_jobs_waiting: ofQueue(
    "Syncs that waited for a worker when the queue last answered.",
    ({ told }) => told?.jobsWaiting,
  ),
  offprint_resident_memory_bytes: {
    labels: [],
    help: "Memory that the process takes from the machine.",
    samples: (_, { residentBytes }) => (residentBytes === undefined ? [] : [{ value: residentBytes }]),
  },
  offprint_ready: ofSpace(
    "1 while the space was confirmed within its maximum age, is held, or is synced by another process.",
    (one, now) => (isFresh(one.freshness, now) ? 1 : 0),
  ),
  offprint_standby: ofSpace("1 while another process syncs the space and this one stands by.", (one) =>
    one.freshness.standby === true ? 1 : 0,
  ),
  offprint_last_confirmed_timestamp_seconds: ofSpace(
    "When the generation was last known to match the space; 0: never.",
    ({ freshness }) => seconds(freshness.confirmedAtMs),
  ),
  offprint_last_commit_timestamp_seconds: ofSpace(
    "When the current generation was committed; 0: never.",
    ({ freshness }) => seconds(freshness.committedAtMs),
  ),
  offprint_max_age_seconds: ofSpace(
    "The setting schedule.maxAge of the space.",
    ({ freshness }) => freshness.maxAgeMs / 1000,
  ),
  offprint_generation: ofSpace(
    "Number of the current generation; 0: none.",
    ({ freshness }) => freshness.generation ?? 0,
  ),
  offprint_generations_kept: ofKept(
    "Generations in the output, the current one included; absent where another process committed since.",
    ({ generations }) => generations,
  ),
  offprint_output_bytes: ofKept(
    "Bytes of the files of all kept generations, assets included; absent as above, and for a bucket.",
    ({ bytes }) => bytes,
  ),
  offprint_lease_lost_total: ofSpace(
    "How often this process lost the lease of a bucket.",
    ({ leaseLost, freshness }) => (freshness.standby === undefined ? undefined : leaseLost),
  ),
  offprint_store_failures_total: counts(
    "code",
    "Syncs, and looks at a lease, that the store failed, by code.",
    ({ storeFailures }) => storeFailures,
  ),
  offprint_run_in_progress: ofSpace("1 while a sync runs.", ({ isRunning }) => (isRunning ? 1 : 0)),
  offprint_last_run_timestamp_seconds: ofSpace("When the last sync ended; 0: never.", (one) =>
    seconds(one.lastRunAtMs),
  ),
  offprint_next_run_timestamp_seconds: ofSpace("When the next sync is due; 0: unknown.", (one) =>
    seconds(one.nextRunAtMs),
  ),
  offprint_problems: counts("code", "Errors and warnings of the last sync, by code.", ({ problems }) => problems),
  offprint_runs_total: counts("outcome", "Finished syncs, by outcome.", ({ runs }) => {
    return { committed: 0, unchanged: 0, kept: 0, failed: 0, ...runs };
  }),
  offprint_requests_total: ofSpace(
    "Requests to the upstream, by syncs that ended or failed.",
    ({ requests }) => requests,
  ),
  offprint_requests_retried_total: ofSpace(
    "Of these requests, those sent again after a failure.",
    ({ retried }) => retried,
  ),
  offprint_requests_rate_limited_total: ofSpace(
    "Of these requests, those answered 429 (too many requests).",
    ({ rateLimited }) => rateLimited,
  ),
  offprint_run_duration_seconds: {
    type: "histogram",
    labels: ["space"],
    help: "How long a sync took.",
    samples: perSpace(durationSamples),
  },
  offprint_webhooks_total: {
    labels: ["space", "result"],
    help: "Webhooks, by result; without a space if the address belongs to none.",
    samples: (metrics, options) => [
      ...perSpace(({ webhooks }) => bySingle("result", webhooks))(metrics, options),
      ...bySingle("result", metrics.strayWebhooks),
    ],
  },
  offprint_expectations_total: counts(
    "result",
    "Changes announced by webhooks, by whether the upstream showed them in time.",
    ({ expectations }) => expectations,
  ),
  offprint_hooks_total: {
    labels: ["space", "consumer", "result"],
    help: "Finished onCommit commands, by consumer and result.",
    samples: perSpace(({ hooks }) =>
      Object.entries(hooks).flatMap(([consumer, { results }]) => withLabels({ consumer }, bySingle("result", results))),
    ),
  },
  offprint_hook_failing_since_timestamp_seconds: {
    labels: ["space", "consumer"],
    help: "Since when an onCommit command has failed; 0: it does not.",
    samples: perSpace(({ hooks }) =>
      Object.entries(hooks).map(([consumer, { failingSinceMs }]) => ({
        labels: { consumer },
        value: seconds(failingSinceMs),
      })),
    ),
  },
};

/** With their types, which the names show. */
export const families = Object.entries(table).map(([name, family]) => {
  return { name, type: name.endsWith("_total") ? "counter" : "gauge", ...family };
});

/** Returns the metrics in the Prometheus text format 0.0.4. Pure. */
export function metricsText(metrics: Metrics, options: MetricsTextOptions): string {
  const lines = families.flatMap(({ name, type, help, samples }) => {
    const found = samples(metrics, options);
    if (found.length === 0) return [];
    return [`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`, ...found.map((one) => line(name, one))];
  });
  return `${lines.join("\n")}\n`;
}

function line(name: string, { suffix = "", labels = {}, value }: Sample): string {
  const written = Object.entries(labels).map(
    ([label, text]) => `${label}="${escapedHelp(text).replaceAll('"', '\\"')}"`,
  );
  return `${name}${suffix}${written.length === 0 ? "" : `{${written.join(",")}}`} ${value}`;
}

type ValueOfSpace = (space: SpaceMetrics, nowMs: number) => number | undefined;
type CountsOfSpace = (space: SpaceMetrics) => Readonly<Record<string, number>>;

function ofSpace(help: string, value: ValueOfSpace): Family {
  const samples = perSpace((space, { nowMs }) => single(value(space, nowMs)));
  return { labels: ["space"], help, samples };
}

/** Absent once another process has committed a later generation. */
function ofKept(help: string, value: (kept: KeptSnapshot) => number | undefined): Family {
  return ofSpace(help, ({ kept, freshness }) =>
    kept?.generation === freshness.generation ? kept && value(kept) : undefined,
  );
}

function ofQueue(help: string, value: (queue: QueueMetrics) => number | undefined): Family {
  return { labels: [], help, samples: ({ queue }) => single(queue && value(queue)) };
}

function counts(label: string, help: string, counted: CountsOfSpace): Family {
  const samples = perSpace((space) => bySingle(label, counted(space)));
  return { labels: ["space", label], help, samples };
}

function single(value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ value }];
}

function perSpace(samples: (space: SpaceMetrics, options: MetricsTextOptions) => Sample[]): Family["samples"] {
  return ({ spaces }, options) => [...spaces].flatMap(([space, one]) => withLabels({ space }, samples(one, options)));
}

function withLabels(labels: Readonly<Record<string, string>>, samples: readonly Sample[]): Sample[] {
  return samples.map((sample) => ({ ...sample, labels: { ...labels, ...sample.labels } }));
}

function bySingle(label: string, counts: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(counts).map(([text, value]) => ({ labels: { [label]: text }, value }));
}

/** Each bucket includes the previous ones. */
function durationSamples({ durations: { counts, sum } }: SpaceMetrics): Sample[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const bound = durationBounds[index];
    return { suffix: "_bucket", labels: { le: bound === undefined ? "+Inf" : String(bound) }, value: total };
  });
  return [...buckets, { suffix: "_sum", value: sum }, { suffix: "_count", value: total }];
}

function escapedHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
