import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ErrorCode, errorCodes } from "../../../src/lib/errors.js";
import { runCommand } from "../../support/run-command.js";
import { endedRuns, type RunningWorker } from "./running-worker.js";
import type { FaultyUpstream } from "./upstream-faults.js";

/** Workers of a fleet, and the upstream that knows what is true of its spaces. */
export interface ToldFleet {
  dir: string;
  names: readonly string[];
  upstream: FaultyUpstream;
  workers: readonly RunningWorker[];
  /** Of their pages. */
  urls: readonly string[];
  /** The version of the content that the upstream answers. */
  cv(): number;
}

/** A space that gets a fault has failed by then, in milliseconds. */
const longestRoundMs = 180_000;

interface FreshSpace {
  space: string;
  fresh: boolean;
  generation: number | null;
  confirmedAt: string | null;
}

interface StatusRow {
  space: string;
  generation: number | null;
  stale: boolean;
  confirmedAtMs: number | null;
  queued: { lastRun: { outcome: string; codes: string[]; failingSinceMs?: number } } | null;
}

/** Counts the facts that are compared, and keeps the wrong ones. */
type Hold = (isTrue: boolean, what: string) => void;

/**
 * Compares what the pages, the metrics, the runs' reports and `status --all` report with what the upstream counted.
 * @param sinceMs each space has had its turn since then
 * @param agreed spaces whose requests agreed before in this round: while a run is under way, they do not
 */
export async function compareTold(
  fleet: ToldFleet,
  { sinceMs, agreed }: { sinceMs: number; agreed: Set<string> },
): Promise<{ compared: number; wrong: string[] }> {
  const wrong: string[] = [];
  let compared = 0;
  const hold: Hold = (isTrue, what) => {
    compared += 1;
    if (!isTrue) wrong.push(what);
  };
  await noteAgreed(fleet, agreed);
  for (const name of fleet.names)
    hold(agreed.has(name), `${name}: metrics and reports count other requests or answers 429`);
  const metrics = await metricsOf(fleet.urls);
  await holdProblems(fleet, metrics, hold);
  for (const url of fleet.urls) await holdFreshPage(fleet, url, { sinceMs, hold });
  const rows = new Map((await statusRows(fleet.dir)).map((row) => [row.space, row]));
  for (const name of fleet.names) {
    holdRow(fleet, name, rows.get(name), { sinceMs, hold });
    await holdGeneration(fleet, name, { row: rows.get(name), metrics, hold });
  }
  if (wrong.length > 0) await delay(200);
  return { compared, wrong };
}

/** The problems of all workers together are those of the last runs, and so is whom the alert and `--failed` are for. */
async function holdProblems({ names, upstream, dir }: ToldFleet, metrics: readonly string[], hold: Hold) {
  const failing = names.filter((name) => upstream.failing(name)).sort();
  const expected = failing.map((name) => `${name} ${upstream.failing(name)?.code}`);
  const told = failuresIn(metrics);
  for (const one of new Set([...told, ...expected]))
    hold(told.has(one) && expected.includes(one), `offprint_problems ${told.has(one) ? "still has" : "lacks"} ${one}`);
  const blocking = await blockingCodes();
  const isBlocking = (one: string) => blocking.includes(one.split(" ")[1] ?? "");
  hold(equal([...told].filter(isBlocking).sort(), expected.filter(isBlocking)), "OffprintBlocked is for others");
  const listed = (await statusRows(dir, "--failed")).map(({ space }) => space).sort();
  hold(equal(listed, failing), `status --all --failed lists ${listed.join(" ")}`);
}

async function holdFreshPage({ upstream }: ToldFleet, url: string, { sinceMs, hold }: { sinceMs: number; hold: Hold }) {
  const answer = await fetch(`${url}/fresh`);
  const { spaces } = (await answer.json()) as { spaces: FreshSpace[] };
  hold(answer.status === (spaces.every(({ fresh }) => fresh) ? 200 : 503), `${url}/fresh answers ${answer.status}`);
  for (const { space, fresh, confirmedAt } of spaces) {
    const confirmedAtMs = confirmedAt === null ? null : Date.parse(confirmedAt);
    hold(isTrueAge(upstream, space, confirmedAtMs, sinceMs), `${url}/fresh: ${space} confirmed at ${confirmedAt}`);
    hold(fresh === (confirmedAtMs !== null), `${url}/fresh: ${space} is ${fresh ? "" : "not "}fresh`);
  }
}

function holdRow(
  { upstream }: ToldFleet,
  name: string,
  row: StatusRow | undefined,
  { sinceMs, hold }: { sinceMs: number; hold: Hold },
) {
  const { lastRun } = row?.queued ?? {};
  const fault = upstream.failing(name);
  hold(isTrueAge(upstream, name, row?.confirmedAtMs ?? null, sinceMs), `status: ${name} at ${row?.confirmedAtMs}`);
  hold(row?.stale === (row?.confirmedAtMs == null), `status: ${name} is ${row?.stale ? "" : "not "}stale`);
  hold((lastRun?.outcome === "failed") === (fault !== undefined), `status: ${name} ${lastRun?.outcome}`);
  hold(equal(lastRun?.codes ?? [], fault === undefined ? [] : [fault.code]), `status: ${name} ${lastRun?.codes}`);
  const since = lastRun?.failingSinceMs;
  hold(
    fault === undefined
      ? since === undefined
      : since !== undefined && since >= fault.sinceMs && since <= fault.sinceMs + longestRoundMs,
    `status: ${name} fails since ${since}, the upstream since ${fault?.sinceMs}`,
  );
}

async function holdGeneration(
  { upstream, dir, cv }: ToldFleet,
  name: string,
  { row, metrics, hold }: { row: StatusRow | undefined; metrics: readonly string[]; hold: Hold },
) {
  const { generation = null, cv: copied } = await manifestOf(dir, name);
  hold(row?.generation === generation, `status: ${name} has generation ${row?.generation}, not ${generation}`);
  const gauge = Math.max(...values(metrics, "offprint_generation", name));
  hold(gauge === (generation ?? 0), `metrics: ${name} has generation ${gauge}, not ${generation}`);
  if (!upstream.failing(name)) hold(copied === cv(), `${name} has cv ${copied}, the upstream ${cv()}`);
}

/** A copy is never confirmed later than content was answered, and in a round in which it is, since it began. */
function isTrueAge(upstream: FaultyUpstream, space: string, confirmedAtMs: number | null, sinceMs: number): boolean {
  const { lastGoodMs = null } = upstream.counts.get(space) ?? {};
  if (confirmedAtMs === null) return upstream.failing(space) !== undefined;
  if (lastGoodMs === null || confirmedAtMs > lastGoodMs + 5) return false;
  return upstream.failing(space) !== undefined || confirmedAtMs >= sinceMs;
}

/** Notes the spaces that have no run under way, and of which metrics and reports count what the upstream counts. */
async function noteAgreed({ names, upstream, urls, workers }: ToldFleet, agreed: Set<string>): Promise<void> {
  const before = new Map([...upstream.counts].map(([name, count]) => [name, { ...count }]));
  const metrics = await metricsOf(urls);
  const reported = new Map<string, number>();
  for (const { space = "", report, requests } of endedRuns(workers)) {
    const { total = 0 } = ((report as { requests?: object })?.requests ?? requests ?? {}) as { total?: number };
    reported.set(space, (reported.get(space) ?? 0) + total);
  }
  for (const name of names) {
    const sum = (metric: string) => values(metrics, metric, name).reduce((all, one) => all + one, 0);
    const requests = sum("offprint_requests_total");
    const limited = sum("offprint_requests_rate_limited_total");
    const isEqual = [before.get(name), upstream.counts.get(name)].every(
      (count) => count?.requests === requests && count.limited === limited,
    );
    if (isEqual && reported.get(name) === requests) agreed.add(name);
  }
}

async function metricsOf(urls: readonly string[]): Promise<string[]> {
  return Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
}

function values(texts: readonly string[], metric: string, space: string): number[] {
  const row = new RegExp(`^${metric}\\{space="${space}"\\} (\\S+)$`, "gm");
  return texts.flatMap((text) => [...text.matchAll(row)].map(([, value]) => Number(value)));
}

/** `s1 UPSTREAM_REFUSED`: problems that a worker counts and that fail a sync. */
function failuresIn(texts: readonly string[]): Set<string> {
  const rows = texts.flatMap((text) => [...text.matchAll(/^offprint_problems\{space="(\w+)",code="(\w+)"\} [1-9]/gm)]);
  return new Set(
    rows.filter(([, , code]) => errorCodes[code as ErrorCode].exit > 0).map(([, space, code]) => `${space} ${code}`),
  );
}

/** Those that the alert OffprintBlocked is for. */
async function blockingCodes(): Promise<string[]> {
  const rules = await readFile(resolve("docs", "recipes", "alerts.yml"), "utf8");
  return /offprint_problems\{code=~"([A-Z_|]+)"\}/.exec(rules)?.[1]?.split("|") ?? [];
}

async function statusRows(cwd: string, ...only: string[]): Promise<StatusRow[]> {
  const { stdout } = await runCommand(["status", "--all", "--json", ...only], { cwd });
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as StatusRow);
  // The last line is of the workers.
  return lines.filter(({ space }) => space !== undefined);
}

async function manifestOf(dir: string, space: string): Promise<{ generation?: number; cv?: number }> {
  const text = await readFile(join(dir, "output", space, "manifest.json"), "utf8").catch(() => "{}");
  return JSON.parse(text);
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
