import { Readable } from "node:stream";
import type { HttpAgent, HttpAnswer } from "../../src/lib/http/http-agent.js";
import type { Random } from "../../test/support/model-space/random.js";
import type { LiveSpace } from "./live-space.js";
import { requestsPerSecond } from "./tier-gate.js";

/** How much slower than the tiers allow requests go, as the rate budget paces them. */
const margin = 1.04;

/**
 * A space behind the published tiers, without a network: a request waits for its turn and takes 50 to 100 ms, both by the
 * clock of the space, which goes on by so much.
 */
export function liveAgent(space: LiveSpace, random: Random): HttpAgent {
  let freeMs = 0;
  return {
    async request({ path }) {
      const url = new URL(path, "http://live");
      const startMs = Math.max(space.nowMs, freeMs);
      freeMs = startMs + (1_000 / requestsPerSecond(url.pathname, url.searchParams.get("per_page"))) * margin;
      space.advanceTo(startMs + random.int(50, 100));
      return answered(space, answerOf(space, url));
    },
    async destroy() {},
  };
}

interface Answer {
  body: string;
  status?: number;
  headers?: Record<string, string>;
}

function answered(space: LiveSpace, { status = 200, headers = {}, body }: Answer): HttpAnswer {
  const date = new Date(space.nowMs).toUTCString();
  return {
    statusCode: status,
    headers: { "content-type": "application/json", date, ...headers },
    body: Readable.from(body === "" ? [] : [Buffer.from(body)]),
  };
}

function answerOf(space: LiveSpace, { pathname, searchParams: query }: URL): Answer {
  const path = pathname.replace(/^\/v2\/cdn\//, "");
  if (path === "spaces/me") {
    return { body: `{"space":{"id":1,"name":"Live","domain":"","version":${space.cv},"language_codes":[]}}` };
  }
  if (query.get("cv") !== String(space.cv)) {
    query.set("cv", String(space.cv));
    return { status: 301, headers: { location: `${pathname}?${query}` }, body: "" };
  }
  const rest = `"cv":${space.cv}`;
  switch (path) {
    case "stories": {
      const wanted = query.get("by_uuids")?.split(",") ?? [];
      const found = wanted.flatMap((uuid) => space.story(uuid) ?? []);
      return list(found, query, (shown) => `{"stories":[${shown}],${rest},"rels":[],"links":[]}`);
    }
    case "links":
      return list(space.links(), query, (shown) => `{"links":{${shown}}}`, keyed);
    case "tags":
      return { body: '{"tags":[]}' };
    case "experiments":
      return { body: `{"experiments":[],${rest}}` };
    case "datasources":
      return list([], query, () => `{"datasources":[],${rest}}`);
    default:
      return { status: 404, body: '["This record could not be found"]' };
  }
}

function list(
  texts: readonly string[],
  query: URLSearchParams,
  body: (shown: string) => string,
  textOf = (text: string) => text,
): Answer {
  const perPage = Math.min(1_000, Number(query.get("per_page") ?? 25));
  const page = Number(query.get("page") ?? 1);
  const shown = texts.slice((page - 1) * perPage, page * perPage).map(textOf);
  return { headers: { total: String(texts.length), "per-page": String(perPage) }, body: body(shown.join(",")) };
}

/** A link under its uuid, which begins behind `"uuid":`. */
function keyed(text: string): string {
  const at = text.indexOf('"uuid":') + 7;
  return `${text.slice(at, at + 38)}:${text}`;
}
