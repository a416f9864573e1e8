import { createEdges, type Edges } from "./edges.js";
import { type Fault, faults, type WireAnswer } from "./faults.js";
import { type Misreports, misreport } from "./misreports.js";
import type { ModelSpace } from "./model-space.js";
import { json, type ModelRequest, notFound } from "./origin.js";
import type { Random } from "./random.js";

/** How the way between the sync and the space behaves; may be changed at any time. */
export interface Weather extends Misreports {
  /** Share of the requests that meet a fault. */
  faultShare: number;
  /** Names of the faults that happen; empty: all. */
  faultNames: readonly string[];
  /** Share of the requests before which another client reads something, and so fills an edge. */
  otherClients: number;
  /**
   * True if others read the same addresses as the sync (another machine that syncs the same space).
   */
  othersReadTheSame: boolean;
  /** Share of the pages of the links listing that have their own order. */
  shuffled: number;
  /** Longest time that a request takes, in milliseconds. */
  longestRequestMs: number;
}

export const calm: Weather = {
  faultShare: 0,
  faultNames: [],
  otherClients: 0,
  othersReadTheSame: false,
  shuffled: 0,
  longestRequestMs: 60,
  wrongTotals: 0,
  emptyPages: 0,
  emptyTranslations: 0,
  emptyTwice: false,
  staleOrigins: 0,
};

/** The upstream as the sync meets it: the space behind its edges, with all faults on the way. */
export interface ModelUpstream {
  weather: Weather;
  readonly edges: Edges;
  /** Names of the faults that happened. */
  readonly met: ReadonlySet<string>;
  /** Requests of the sync so far. */
  readonly requests: number;
  /** Requests and answers, newest last. */
  readonly log: readonly string[];
  /** Adds a line to the log. */
  note(line: string): void;
  /** Runs before the given request from now on (1: the next one). */
  before(request: number, action: () => void): void;
  /** Another client reads something now. */
  readByAnother(): void;
  /** Drops the actions before later requests. */
  forgetActions(): void;
  /** Called before every request: may end a sync that does not end by itself. */
  onRequest: (() => void) | undefined;
  handle(method: string, url: URL): WireAnswer;
}

const logLimit = 3_000;

/** @param token the token that the sync must send */
export function createModelUpstream(
  space: ModelSpace,
  edgeCount: number,
  token: string,
  random: Random,
): ModelUpstream {
  const edges = createEdges(space, edgeCount, random.stream("edges"));
  const ways = random.stream("ways");
  const others = random.stream("others");
  const luck = random.stream("faults");
  const misreported = {
    random: random.stream("misreports"),
    totals: new Map<string, number>(),
    emptied: new Map(),
  };
  const log: string[] = [];
  const seen = new Set<string>();
  const met = new Set<string>();
  let actions: { request: number; action: () => void }[] = [];

  const upstream: ModelUpstream & { requests: number } = {
    weather: calm,
    edges,
    requests: 0,
    log,
    met,
    onRequest: undefined,
    before(request, action) {
      actions.push({ request: upstream.requests + request, action });
    },
    note(line) {
      log.push(`${space.nowMs} cv=${space.cv} ${line}`);
      if (log.length > logLimit) log.splice(0, log.length - logLimit);
    },
    readByAnother: readAsAnother,
    forgetActions() {
      actions = [];
    },
    handle(method, url) {
      const query = new URLSearchParams(url.searchParams);
      if (query.get("token") !== token) return { ...json('{"error":"Unauthorized"}'), status: 401 };
      query.delete("token");
      upstream.requests++;
      upstream.onRequest?.();
      space.advance(ways.int(1, upstream.weather.longestRequestMs));
      const due = actions.filter(({ request }) => request <= upstream.requests);
      actions = actions.filter(({ request }) => request > upstream.requests);
      for (const { action } of due) action();
      const request: ModelRequest = { pathname: url.pathname, query };
      const answer = answerTo(method, request);
      upstream.note(exchangeLine(request, answer));
      if (answer.headers.location === undefined) return answer;
      return { ...answer, headers: { ...answer.headers, location: `${answer.headers.location}&token=${token}` } };
    },
  };

  function answerTo(method: string, request: ModelRequest): WireAnswer {
    if (method !== "GET" || !request.pathname.startsWith("/v2/cdn/")) return notFound();
    const { weather } = upstream;
    if (others.chance(weather.otherClients)) readAsAnother();
    seen.add(`${request.pathname}?${request.query}`);
    const shuffled = request.pathname.endsWith("/links") && ways.chance(weather.shuffled);
    const told = edges.answer(ways.int(0, edgeCount - 1), request, "sync", {
      shuffled,
      staleOrigins: weather.staleOrigins,
    });
    const answer = misreport(told, request, weather, { ...misreported, nowMs: space.nowMs });
    return luck.chance(weather.faultShare) ? withFault(answer, request) : answer;
  }

  function withFault(answer: WireAnswer, request: ModelRequest): WireAnswer {
    const { faultNames } = upstream.weather;
    const name = luck.pick(faultNames.length === 0 ? Object.keys(faults) : faultNames);
    const fault = faults[name] as Fault;
    const faulty = fault(answer, request, luck);
    if (faulty === undefined) return answer;
    met.add(name);
    upstream.note(`  fault: ${name}`);
    return { ...faulty, headers: { date: new Date(space.nowMs).toUTCString(), ...faulty.headers } };
  }

  /** Another client reads an address without cv and follows the redirect, as browsers and SDKs do. */
  function readAsAnother(): void {
    const addresses = upstream.weather.othersReadTheSame
      ? [...seen]
      : ["/v2/cdn/stories?per_page=100&version=published", "/v2/cdn/links?version=published"];
    if (addresses.length === 0) return;
    const address = new URL(others.pick(addresses), "http://model");
    address.searchParams.delete("cv");
    const edge = others.int(0, edgeCount - 1);
    const request: ModelRequest = { pathname: address.pathname, query: address.searchParams };
    const first = edges.answer(edge, request, "other");
    if (first.status !== 301) return;
    const target = new URL(first.headers.location!, "http://model");
    edges.answer(edge, { pathname: target.pathname, query: target.searchParams }, "other");
  }

  return upstream;
}

function exchangeLine({ pathname, query }: ModelRequest, { status, headers, cutAt }: WireAnswer): string {
  const cut = cutAt === undefined ? "" : ` cut at ${cutAt}`;
  const moved = headers.location === undefined ? "" : ` → cv ${/cv=(\d+)/.exec(headers.location)?.[1]}`;
  return `${pathname}?${query} ${status}${moved}${cut}`;
}
