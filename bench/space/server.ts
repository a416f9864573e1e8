import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { numberedSpace } from "./numbered-space.js";
import { type PreparedSpace, prepareSpace, type SpaceShape } from "./prepared-space.js";
import { createTierGate, type TierGate } from "./tier-gate.js";

/** What the parent process may say. */
export type SpaceCommand =
  | { kind: "edit"; change: { articles: number } | { author: number } }
  | { kind: "counts" }
  | { kind: "reset"; tiers: boolean; latencyMs: number };

/** What was asked for since the last reset. */
export interface SpaceCounts {
  requests: number;
  rateLimited: number;
  bytes: number;
  /** What the requests cost under the published tiers, in milliseconds. */
  costMs: number;
}

/**
 * The synthetic upstream, a process of its own: prepared bytes behind a bare node:http server, redirects to the current cv
 * as the interface sends them, counts, and on demand the published rate tiers. It shares no code with the program.
 */
function main(): void {
  const shape = JSON.parse(process.argv[2] ?? "") as SpaceShape;
  const space = shape.isNumbered ? numberedSpace(shape) : prepareSpace(shape);
  let counts: SpaceCounts = { requests: 0, rateLimited: 0, bytes: 0, costMs: 0 };
  let gate: TierGate = createTierGate(false);
  let latencyMs = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    counts.requests++;
    const url = new URL(request.url ?? "/", "http://space");
    const { costMs, admitted } = gate.admit(url.pathname, url.searchParams.get("per_page"));
    counts.costMs += costMs;
    if (!admitted) {
      counts.rateLimited++;
      response.writeHead(429, { "content-type": "application/json" }).end('{"error":"Too many requests"}');
      return;
    }
    const respond = () => {
      counts.bytes += answer(space, shape, url, response);
    };
    if (latencyMs > 0) setTimeout(respond, latencyMs);
    else respond();
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on("message", (command: SpaceCommand) => {
    if (command.kind === "edit") space.edit(command.change);
    if (command.kind === "reset") {
      counts = { requests: 0, rateLimited: 0, bytes: 0, costMs: 0 };
      gate = createTierGate(command.tiers);
      latencyMs = command.latencyMs;
    }
    process.send?.({ counts });
  });
  process.on("disconnect", () => process.exit());
}

const json = "application/json; charset=utf-8";

/** Sends the answer; returns its size. */
function answer(space: PreparedSpace, shape: SpaceShape, url: URL, response: ServerResponse): number {
  const { searchParams: query, pathname } = url;
  const path = pathname.replace(/^\/v2\/cdn\//, "");
  if (path !== "spaces/me" && query.get("cv") !== String(space.cv)) {
    query.delete("cv");
    response.writeHead(301, { location: `${pathname}?cv=${space.cv}&${query}` }).end();
    return 0;
  }
  const perPage = Number(query.get("per_page") ?? 25);
  const page = Number(query.get("page") ?? 1);
  if (path === "stories") {
    const language = query.get("language") ?? "default";
    const uuids = query.get("by_uuids")?.split(",");
    const found = uuids === undefined ? undefined : space.storiesByUuid(language, uuids);
    const records = found?.slice((page - 1) * perPage, page * perPage) ?? space.storyPage(language, page, perPage);
    const body = list('{"stories":[', records, `],"cv":${space.cv},"rels":[],"links":[]}`);
    return send(response, body, found?.length ?? space.total, perPage);
  }
  if (path === "links") {
    const { rows, total } = space.linksPage(page, perPage);
    return send(response, list('{"links":{', rows, "}}"), total, perPage);
  }
  const bodies: Record<string, unknown> = {
    "spaces/me": { space: { id: 4711, name: "Bench", domain: "", version: space.cv, language_codes: shape.languages } },
    datasources: { datasources: [{ id: 1, name: "Colours", slug: "colours", dimensions: [] }] },
    datasource_entries: { datasource_entries: [{ id: 1, name: "red", value: "#f00", dimension_value: null }] },
    tags: { tags: [] },
    experiments: { experiments: [] },
  };
  const body = bodies[path];
  if (body === undefined) {
    response.writeHead(404, { "content-type": json }).end('["This record could not be found"]');
    return 0;
  }
  return send(
    response,
    Buffer.from(JSON.stringify({ ...body, cv: space.cv })),
    path.startsWith("datasource") ? 1 : null,
    perPage,
  );
}

const comma = Buffer.from(",");

function list(start: string, records: readonly Buffer[], end: string): Buffer {
  const parts: Buffer[] = [Buffer.from(start)];
  for (const [at, record] of records.entries()) {
    if (at > 0) parts.push(comma);
    parts.push(record);
  }
  return Buffer.concat([...parts, Buffer.from(end)]);
}

function send(response: ServerResponse, body: Buffer, total: number | null, perPage: number): number {
  const paging = total === null ? {} : { total: String(total), "per-page": String(perPage) };
  response.writeHead(200, { "content-type": json, "content-length": body.length, ...paging }).end(body);
  return body.length;
}

main();
