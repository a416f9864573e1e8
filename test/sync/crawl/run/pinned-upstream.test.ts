import { expect, test } from "vitest";
import { UpstreamError } from "../../../../src/lib/http/upstream-error.js";
import { createPin } from "../../../../src/sync/crawl/run/pin.js";
import { pinUpstream } from "../../../../src/sync/crawl/run/pinned-upstream.js";
import type { Upstream } from "../../../../src/sync/upstream/upstream.js";
import { stillTime } from "../../../support/crawl-space.js";

/** An upstream at cv 7 that notes with which cv each endpoint was asked. */
function noting(answer: (endpoint: string, cv: number | undefined) => unknown = () => undefined) {
  const asked: string[] = [];
  const upstream = new Proxy({} as Upstream, {
    get: (_, endpoint: string) => async (first?: unknown, second?: unknown) => {
      const { cv } = (endpoint === "story" ? second : (first ?? {})) as { cv?: number };
      asked.push(`${endpoint} ${cv}`);
      const body = { records: [], total: 0, perPage: null };
      return answer(endpoint, cv) ?? { kind: "served", dateMs: null, cv: cv === undefined ? null : 7, body };
    },
  });
  return { upstream, asked };
}

test("reads published content at the pin, drafts and the space without a cv", async () => {
  const { upstream, asked } = noting();
  const reads = pinUpstream(upstream, createPin(7, stillTime()));
  await reads.stories({ version: "published" });
  await reads.stories({ version: "draft" });
  await reads.story("home", { version: "published" });
  await reads.story("home", { version: "draft" });
  await reads.links({ version: "published" });
  await reads.links({ version: "draft" });
  await reads.tags({ version: "published" });
  await reads.tags({ version: "draft" });
  await reads.datasources({});
  await reads.datasourceEntries({ datasource: "colors" });
  await reads.experiments({});
  await reads.spaceMe();
  expect(asked).toEqual([
    "stories 7",
    "stories undefined",
    "story 7",
    "story undefined",
    "links 7",
    "links undefined",
    "tags 7",
    "tags undefined",
    "datasources 7",
    "datasourceEntries 7",
    "experiments 7",
    "spaceMe undefined",
  ]);
});

test("a recheck reads the other parts at the server's time, and at the pin if that redirects back to it", async () => {
  const moved = { kind: "moved", dateMs: null, cv: 7 };
  const { upstream, asked } = noting((endpoint, cv) => (endpoint === "tags" && cv === 99 ? moved : undefined));
  const reads = pinUpstream(upstream, createPin(7, stillTime()), 99);
  await reads.datasources({});
  await reads.tags({ version: "published" });
  await reads.tags({ version: "draft" });
  await reads.stories({ version: "published" });
  expect(asked).toEqual(["datasources 99", "tags 99", "tags 7", "tags undefined", "stories 7"]);
});

test("reads an address without cv support without one; an answer of another cv taints the round", async () => {
  const refusal = new UpstreamError("UPSTREAM_INVALID_REQUEST", "no cv here", { hint: "", status: 422 } as never);
  const served = { kind: "served", dateMs: null, cv: 8, body: { records: [], total: 0, perPage: null } };
  const { upstream, asked } = noting((_, cv) => {
    if (cv !== undefined) throw refusal;
    return served;
  });
  const pin = createPin(7, stillTime());
  await pinUpstream(upstream, pin).datasources({});
  expect(asked).toEqual(["datasources 7", "datasources undefined"]);
  expect(pin.reasons).toEqual([expect.stringContaining("cv 8")]);
});
