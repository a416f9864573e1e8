import { isOffprintError } from "../../lib/errors.js";
import type { SyncReport } from "../../sync/report.js";
import type { SyncOptions } from "../../sync/sync-options.js";

type OnProgress = NonNullable<SyncOptions["onProgress"]>;
type OpenTelemetry = typeof import("@opentelemetry/api");
type Span = ReturnType<ReturnType<OpenTelemetry["trace"]["getTracer"]>["startSpan"]>;

export interface TracedSync {
  space: string;
  onProgress: OnProgress;
  run(onProgress: OnProgress): Promise<SyncReport>;
  version: string;
}

/** `offprint.sync`, and a span per stage. No message, address or content. @param load `@opentelemetry/api`, if used */
export async function tracedSync(sync: TracedSync, load = loadApi): Promise<SyncReport> {
  const api = await load().catch(() => undefined);
  if (api === undefined) return sync.run(sync.onProgress);
  const { context, trace } = api;
  const tracer = trace.getTracer("offprint", sync.version);
  const root = tracer.startSpan("offprint.sync", { attributes: { "offprint.space": sync.space } });
  const inside = trace.setSpan(context.active(), root);
  let stage: { span: Span; requests: number } | undefined;
  const endStage = (failure?: Parameters<Span["setStatus"]>[0]) => {
    stage?.span.setAttribute("offprint.requests", stage.requests);
    if (failure !== undefined) stage?.span.setStatus(failure);
    stage?.span.end();
    stage = undefined;
  };
  const onProgress: OnProgress = (progress) => {
    if (progress.kind === "stage") {
      endStage();
      stage = { span: tracer.startSpan(`offprint.sync.${progress.stage}`, {}, inside), requests: 0 };
    } else if (progress.kind === "request" && stage !== undefined) stage.requests++;
    sync.onProgress(progress);
  };
  try {
    const report = await context.with(inside, () => sync.run(onProgress));
    endStage();
    root.setAttributes(reportAttributes(report));
    return report;
  } catch (error) {
    const code = isOffprintError(error) ? error.code : "UNEXPECTED";
    const failure = { code: api.SpanStatusCode.ERROR, message: code };
    endStage(failure);
    root.setAttribute("error.type", code).setStatus(failure);
    throw error;
  } finally {
    root.end();
  }
}

/** `offprint.hook`: a command of `onCommit`. The command and its output stay out of it. */
export async function tracedHook<End extends { result: string }>(
  { space, consumer }: { space: string; consumer: string },
  run: () => Promise<End>,
): Promise<End> {
  const api = await loadApi().catch(() => undefined);
  if (api === undefined) return run();
  const attributes = { "offprint.space": space, "offprint.consumer": consumer };
  const span = api.trace.getTracer("offprint").startSpan("offprint.hook", { attributes });
  let result = "failed";
  try {
    const end = await api.context.with(api.trace.setSpan(api.context.active(), span), run);
    result = end.result;
    return end;
  } finally {
    span.setAttribute("offprint.outcome", result);
    if (result !== "done") span.setStatus({ code: api.SpanStatusCode.ERROR, message: result });
    span.end();
  }
}

/** `offprint.queue`: the wait of a job from when it was due to now. */
export async function traceWait(
  { space, kind, atMs }: { space: string; kind: string; atMs: number },
  nowMs: number,
): Promise<void> {
  const api = await loadApi().catch(() => undefined);
  const attributes = { "offprint.space": space, "offprint.job": kind };
  const startTime = Math.min(atMs, nowMs);
  api?.trace.getTracer("offprint").startSpan("offprint.queue", { attributes, startTime }).end(nowMs);
}

/** All copies of the package, in every version 1, share this name. */
const registered = Symbol.for("opentelemetry.js.api.1");

/** Loading takes 15 ms and would be useless if nothing is registered. */
async function loadApi(): Promise<OpenTelemetry | undefined> {
  return Object.hasOwn(globalThis, registered) ? import("@opentelemetry/api") : undefined;
}

function reportAttributes(report: SyncReport): Record<string, string | number> {
  const { outcome, generation, cv, requests, stories } = report;
  return {
    "offprint.outcome": outcome,
    ...(generation === null ? {} : { "offprint.generation": generation }),
    ...(cv === null ? {} : { "offprint.cv": cv }),
    "offprint.requests": requests.total,
    "offprint.requests.retried": requests.retried,
    "offprint.requests.rate_limited": requests.rateLimited,
    "offprint.stories.added": stories.added,
    "offprint.stories.changed": stories.changed,
    "offprint.stories.removed": stories.removed,
  };
}
