import { json, type ModelAnswer, type ModelRequest, notFound, versionOf } from "./origin.js";
import type { Random } from "./random.js";

/** What comes out of the wire. */
export interface WireAnswer extends ModelAnswer {
  /** Bytes of the body after which the connection breaks; 0: before the head. */
  cutAt?: number;
}

/** What one request meets on its way. */
export type Fault = (answer: ModelAnswer, request: ModelRequest, random: Random) => WireAnswer | undefined;

/**
 * Faults by name. Each changes an answer into what the wire delivers instead; undefined: not
 * applicable. A client can detect each of them.
 */
export const faults: Readonly<Record<string, Fault>> = {
  "429": () => ({ ...json('{"error":"Too many requests"}'), status: 429 }),
  "429 with Retry-After": () => ({ ...json('{"error":"Too many requests"}', { "retry-after": "2" }), status: 429 }),
  "500": () => ({ ...json('{"error":"Internal"}'), status: 500 }),
  "503": () => ({ status: 503, headers: { "content-type": "text/html" }, body: "<html>Unavailable</html>" }),
  "404": () => notFound(),
  "401": () => ({ ...json('{"error":"Unauthorized"}'), status: 401 }),
  reset: (answer) => ({ ...answer, cutAt: 0 }),
  "cut body": (answer, _, random) =>
    answer.body.length < 2 ? undefined : { ...answer, cutAt: random.int(1, answer.body.length - 1) },
  "web page": () => ({ status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><p>Welcome</p>" }),
  "empty object": () => json("{}"),
  "no JSON": (answer) => ({ ...answer, status: 200, body: answer.body.slice(0, -1) }),
  "wrong Total": (answer) => {
    if (answer.headers.total === undefined) return undefined;
    return { ...answer, headers: { ...answer.headers, total: String(Number(answer.headers.total) + 1) } };
  },
  "missing row": (answer, request, random) => withRows(answer, request, random, (rows, at) => rows.toSpliced(at, 1)),
  "row twice": (answer, request, random) =>
    withRows(answer, request, random, (rows, at) => {
      if (rows.length < 2) return undefined;
      const [key, value] = rows[at]!;
      // In the map of the links a second key may hold the same line.
      return rows.with((at + 1) % rows.length, [`${key}-again`, value]);
    }),
  "no links": (answer, request) => {
    if (!request.pathname.endsWith("/links") || answer.status !== 200) return undefined;
    return { ...answer, headers: { ...answer.headers, total: "0" }, body: '{"links":{}}' };
  },
  "no stories": (answer, request) => {
    // Only for named stories of the default language: those are requested twice.
    const { query, pathname } = request;
    if (!pathname.endsWith("/stories") || !query.has("by_uuids") || query.has("language")) return undefined;
    if (answer.status !== 200 || query.has("sort_by") || versionOf(query) === "draft") return undefined;
    return {
      ...answer,
      headers: { ...answer.headers, total: "0" },
      body: answer.body.replace(/\[.*\],"cv"/s, '[],"cv"'),
    };
  },
  "cv of the past": (answer, _, random) => withCv(answer, (cv) => cv - random.int(1, 5000)),
  "cv of the future": (answer, _, random) => withCv(answer, (cv) => cv + random.int(30, 5000)),
};

type Row = [key: string, value: unknown];

function withRows(
  answer: ModelAnswer,
  request: ModelRequest,
  random: Random,
  change: (rows: Row[], at: number) => Row[] | undefined,
): WireAnswer | undefined {
  if (answer.status !== 200 || !request.pathname.endsWith("/links") || answer.headers.total === undefined)
    return undefined;
  const body = JSON.parse(answer.body) as { links: Record<string, unknown> };
  const rows = Object.entries(body.links);
  if (rows.length === 0) return undefined;
  const changed = change(rows, random.int(0, rows.length - 1));
  return changed === undefined
    ? undefined
    : { ...answer, body: JSON.stringify({ links: Object.fromEntries(changed) }) };
}

/** Another cv in a redirect with one. */
function withCv(answer: ModelAnswer, change: (cv: number) => number): WireAnswer | undefined {
  const { location } = answer.headers;
  if (location === undefined) return undefined;
  return {
    ...answer,
    headers: { ...answer.headers, location: location.replace(/cv=(\d+)/, (_, cv) => `cv=${change(Number(cv))}`) },
  };
}
