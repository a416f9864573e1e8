import * as api from "@opentelemetry/api";
import { expect, onTestFinished, test } from "vitest";
import { OffprintError } from "../../../src/lib/errors.js";
import type { OnProgress } from "../../../src/sync/crawl/run/progress.js";
import { tracedHook, tracedSync, traceWait } from "../../../src/watch/telemetry/trace-sync.js";
import { crawlYaml, type SyncFolder, syncFolder } from "../../support/sync-folder.js";
import { startTinySpace } from "../../support/tiny-space.js";

interface RecordedSpan {
  name: string;
  parent: string | undefined;
  attributes: Record<string, unknown>;
  status: api.SpanStatus | undefined;
  ended: boolean;
  /** Of a span that was told when it started and ended. */
  waitedMs?: number;
}

/** Registers a tracer provider that keeps its spans in memory; it ends with the test. */
function recordSpans(): RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const names = new WeakMap<object, string>();
  const tracer = {
    startSpan(name: string, options: api.SpanOptions = {}, parent: api.Context = api.context.active()) {
      const over = api.trace.getSpan(parent);
      const record: RecordedSpan = {
        name,
        parent: over === undefined ? undefined : names.get(over),
        attributes: { ...options.attributes },
        status: undefined,
        ended: false,
      };
      spans.push(record);
      const span = {
        setAttribute(key: string, value: unknown) {
          record.attributes[key] = value;
          return span;
        },
        setAttributes(values: object) {
          Object.assign(record.attributes, values);
          return span;
        },
        setStatus(status: api.SpanStatus) {
          record.status = status;
          return span;
        },
        end(atMs?: number) {
          record.ended = true;
          if (atMs !== undefined) record.waitedMs = atMs - Number(options.startTime);
        },
      } as unknown as api.Span;
      names.set(span, name);
      return span;
    },
  } as api.Tracer;
  api.trace.setGlobalTracerProvider({ getTracer: () => tracer });
  onTestFinished(() => api.trace.disable());
  return spans;
}

const silent: OnProgress = () => {};

function traced(folder: SyncFolder, load?: () => Promise<typeof api>) {
  const run = (onProgress: OnProgress) => folder.sync({ onProgress });
  return tracedSync({ space: "tiny", version: "1.2.3", onProgress: silent, run }, load);
}

test("a sync is a span, with a span for each stage and its result", async () => {
  const folder = await syncFolder(crawlYaml((await startTinySpace()).url));
  const spans = recordSpans();
  const report = await traced(folder);
  const [root, ...stages] = spans;
  expect(root).toMatchObject({
    name: "offprint.sync",
    parent: undefined,
    status: undefined,
    attributes: {
      "offprint.space": "tiny",
      "offprint.outcome": "committed",
      "offprint.generation": 1,
      "offprint.cv": report.cv,
      "offprint.requests": report.requests.total,
    },
  });
  expect(stages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["offprint.sync.probe", "offprint.sync.index", "offprint.sync.commit"]),
  );
  expect(stages.every(({ parent, ended }) => parent === "offprint.sync" && ended)).toBe(true);
  expect(root?.ended).toBe(true);
  const counted = stages.reduce((sum, { attributes }) => sum + Number(attributes["offprint.requests"]), 0);
  expect(counted).toBe(report.requests.total);
});

test("records the code of an error, but not its message", async () => {
  const spans = recordSpans();
  const failing = async (onProgress: OnProgress): Promise<never> => {
    onProgress({ kind: "stage", stage: "probe" });
    throw new OffprintError("UPSTREAM_REFUSED", "https://api.example.com/?token=s3cret answered 401.");
  };
  const sync = { space: "tiny", version: "1.2.3", onProgress: silent, run: failing };
  await expect(tracedSync(sync)).rejects.toThrow("answered 401");
  const error = { code: api.SpanStatusCode.ERROR, message: "UPSTREAM_REFUSED" };
  expect(spans.map(({ name, status, ended }) => ({ name, status, ended }))).toEqual([
    { name: "offprint.sync", status: error, ended: true },
    { name: "offprint.sync.probe", status: error, ended: true },
  ]);
  expect(JSON.stringify(spans)).not.toMatch(/s3cret|example\.com/);
});

test("without a tracer provider or the package, a sync runs as usual", async () => {
  const folder = await syncFolder(crawlYaml((await startTinySpace()).url));
  expect((await traced(folder)).outcome).toBe("committed");
  const missing = async () => {
    throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  };
  expect((await traced(folder, missing)).outcome).toBe("unchanged");
});

test("a command of onCommit is a span with its consumer and result", async () => {
  const spans = recordSpans();
  const about = { space: "tiny", consumer: "site" };
  await tracedHook(about, async () => ({ result: "done" }));
  await tracedHook(about, async () => ({ result: "timed-out" }));
  const failing = tracedHook(about, () => Promise.reject(new Error("with a secret")));
  await expect(failing).rejects.toThrow("with a secret");
  const attributes = { "offprint.space": "tiny", "offprint.consumer": "site" };
  expect(spans.map(({ name, ended }) => [name, ended])).toEqual(spans.map(() => ["offprint.hook", true]));
  expect(spans.map((span) => span.attributes)).toEqual(
    ["done", "timed-out", "failed"].map((outcome) => ({ ...attributes, "offprint.outcome": outcome })),
  );
  expect(spans.map(({ status }) => status?.message)).toEqual([undefined, "timed-out", "failed"]);
});

test("a job's wait in the queue is a span from when it was due", async () => {
  const spans = recordSpans();
  await traceWait({ space: "tiny", kind: "turn", atMs: 1000 }, 3500);
  await traceWait({ space: "tiny", kind: "turn", atMs: 4000 }, 3500);
  expect(spans.map(({ name, attributes, waitedMs }) => ({ name, attributes, waitedMs }))).toEqual(
    [2500, 0].map((waitedMs) => ({
      name: "offprint.queue",
      attributes: { "offprint.space": "tiny", "offprint.job": "turn" },
      waitedMs,
    })),
  );
});
