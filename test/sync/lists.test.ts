import { describe, expect, onTestFinished, test } from "vitest";
import { type EditableContent, startEditableSpace, uuidOf } from "../support/editable-space.js";
import { type FrontRequest, forward, startFrontServer } from "../support/front-server.js";
import type { PlainAnswer } from "../support/scripted-server.js";
import { crawlYaml, syncFolder } from "../support/sync-folder.js";

const pacing = { sleep: async () => {}, now: () => performance.now() };

async function openSpace(content: Partial<EditableContent> = {}) {
  const space = await startEditableSpace({
    stories: Array.from({ length: 12 }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}`, tags: ["red"] })),
    datasources: [{ slug: "colors", dimensions: ["de"], entries: numbered(4) }],
    ...content,
  });
  onTestFinished(() => space.close());
  return space;
}

function numbered(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`entry ${at}`, `value ${at}`]));
}

/** A server in front of a space whose pages have at most so many records, and an edge that keeps what has a cv. */
async function cappedEdge(url: string, { cap, tellsPerPage }: { cap: number; tellsPerPage: boolean }) {
  const kept = new Map<string, PlainAnswer>();
  const front = await startFrontServer(url, async ({ path, query }) => {
    const address = `${path}?${query}`;
    const answer = kept.get(address) ?? (await capped(url, { path, query }, cap));
    if (query.has("cv") && answer.status === 200) kept.set(address, answer);
    const { "per-page": perPage = "", ...headers } = answer.headers ?? {};
    return tellsPerPage ? { ...answer, headers: { ...headers, "per-page": perPage } } : { ...answer, headers };
  });
  onTestFinished(() => front.close());
  return front;
}

function capped(url: string, { path, query }: Pick<FrontRequest, "path" | "query">, cap: number): Promise<PlainAnswer> {
  const asked = new URLSearchParams(query);
  if (asked.has("per_page")) asked.set("per_page", String(Math.min(cap, Number(asked.get("per_page")))));
  return forward(`${url}${path}?${asked}`);
}

/** Answers some requests otherwise, and counts those for entries. */
async function frontOf(url: string, answer: Parameters<typeof startFrontServer>[1]) {
  const front = await startFrontServer(url, answer);
  onTestFinished(() => front.close());
  return front;
}

function json(body: object, headers: Record<string, string> = {}): PlainAnswer {
  return { status: 200, headers, body };
}

describe.each([true, false])("a list whose pages are smaller than requested (Per-Page sent: %s)", (tellsPerPage) => {
  test("of links is read under new addresses by --full, bypassing an edge with all old ones", async () => {
    const stories = Array.from({ length: 250 }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` }));
    const space = await openSpace({ stories });
    const front = await cappedEdge(space.url, { cap: 100, tellsPerPage });
    const folder = await syncFolder(crawlYaml(front.url));
    await folder.sync();
    // With their uuids, so that each stays on its page.
    await space.change(({ stories }) => {
      for (const story of stories) Object.assign(story, { uuid: uuidOf(story.name), name: "Renamed without a new cv" });
    });
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged" });
    expect(await folder.sync({ full: true, pacing })).toMatchObject({ outcome: "committed", generation: 2 });
    const links = (await folder.records())["links/published"]?.filter((line) => line.includes("Renamed"));
    expect(links).toHaveLength(250);
  });

  test.each([
    ["edited", (entries: Record<string, string>) => Object.assign(entries, { "entry 149": "edited" }), 150],
    ["removed", (entries: Record<string, string>) => delete entries["entry 149"], 149],
    ["added", (entries: Record<string, string>) => Object.assign(entries, { "entry 150": "new" }), 151],
  ])("of entries is read under new addresses when the last one is %s without a new cv", async (_, edit, count) => {
    const space = await openSpace({ datasources: [{ slug: "colors", dimensions: ["de"], entries: numbered(150) }] });
    const front = await cappedEdge(space.url, { cap: 100, tellsPerPage });
    const folder = await syncFolder(crawlYaml(front.url));
    await folder.sync();
    await space.change(({ datasources }) => edit(datasources[0]?.entries ?? {}));
    expect(await folder.sync({ full: true, pacing })).toMatchObject({ outcome: "committed", generation: 2 });
    const entries = Object.entries(await folder.records()).filter(([part]) => part.startsWith("entries/"));
    expect(entries.map(([, lines]) => lines.length)).toEqual([count, count]);
    const expected = JSON.stringify(space.content.datasources[0]?.entries["entry 149"] ?? "value 148");
    expect(entries[0]?.[1].some((line) => line.includes(expected))).toBe(true);
  });
});

test("reads entries again whose pages shift, until none is lost", async () => {
  const space = await openSpace({ datasources: [{ slug: "colors", dimensions: [], entries: numbered(1_500) }] });
  let isShifted = false;
  const front = await frontOf(space.url, async ({ path, query }) => {
    if (path !== "/v2/cdn/datasource_entries" || query.get("page") !== "2" || isShifted) return undefined;
    isShifted = true;
    await space.change(({ datasources }) => {
      const entries = datasources[0]?.entries ?? {};
      delete entries["entry 3"];
      entries["entry 1500"] = "value 1500";
    });
    return undefined;
  });
  const folder = await syncFolder(crawlYaml(front.url));
  const report = await folder.sync({ pacing });
  expect(report).toMatchObject({ outcome: "committed", consistency: "exact" });
  expect(report.rounds?.[0]?.reason).toContain('Two readings of the entries of datasource "colors" differ');
  const entries = Object.entries(await folder.records()).find(([part]) => part.startsWith("entries/"))?.[1] ?? [];
  const names = Object.keys(space.content.datasources[0]?.entries ?? {});
  expect(entries.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(names);
});

test("loses no entry to a Total that is one too low on a full page", async () => {
  const space = await openSpace({ datasources: [{ slug: "colors", dimensions: [], entries: numbered(1_001) }] });
  let wrong = 0;
  const front = await frontOf(space.url, async ({ path, query }) => {
    if (path !== "/v2/cdn/datasource_entries" || wrong++ > 2) return undefined;
    const answer = await forward(`${space.url}${path}?${query}`);
    return { ...answer, headers: { ...answer.headers, total: "1000" } };
  });
  const folder = await syncFolder(crawlYaml(front.url));
  expect(await folder.sync({ pacing })).toMatchObject({ outcome: "committed", consistency: "exact" });
  expect(Object.values((await folder.manifest()).parts).map(({ records }) => records)).toContain(1_001);
});

test("does not block later syncs with pages that contradict each other at every address", async () => {
  const space = await openSpace({ datasources: [{ slug: "colors", dimensions: [], entries: numbered(150) }] });
  const old = new Set<string>();
  let isTorn = true;
  const front = await frontOf(space.url, async ({ path, query }) => {
    if (path !== "/v2/cdn/datasource_entries") return undefined;
    const answer = await capped(space.url, { path, query }, 100);
    const address = `${query}`;
    if (isTorn && query.get("page") === "1") old.add(address);
    return old.has(address) ? { ...answer, headers: { ...answer.headers, total: "149" } } : answer;
  });
  const folder = await syncFolder(crawlYaml(front.url));
  await expect(folder.sync({ pacing })).rejects.toMatchObject({ code: "UPSTREAM_INCONSISTENT" });
  isTorn = false;
  expect(await folder.sync({ pacing })).toMatchObject({ outcome: "committed", consistency: "exact" });
});

describe("one empty answer about parts other than stories", () => {
  const experiment = { id: 5, name: "Trial", slug: "trial", variants: [] };
  test.each([
    ["datasources", { datasources: [] }, "datasources"],
    ["datasource_entries", { datasource_entries: [] }, "entries/"],
    ["tags", { tags: [] }, "tags/published"],
    ["experiments", { experiments: [] }, "experiments"],
  ])("is asked for again: %s", async (name, empty, part) => {
    const space = await openSpace();
    let empties = 0;
    const front = await frontOf(space.url, ({ path, query }) => {
      if (path === `/v2/cdn/${name}` && empties > 0 && empties-- > 0) return json(empty, { total: "0" });
      const isCurrent = query.get("cv") === String(space.content.cv);
      return path === "/v2/cdn/experiments" && isCurrent ? json({ experiments: [experiment] }) : undefined;
    });
    const folder = await syncFolder(crawlYaml(front.url));
    await folder.sync({ pacing });
    const before = await folder.records();
    expect(Object.entries(before).some(([one, lines]) => one.startsWith(part) && lines.length > 0)).toBe(true);
    await space.publish();
    empties = 1;
    expect(await folder.sync({ pacing })).toMatchObject({ outcome: "unchanged", consistency: "exact" });
    expect(await folder.records()).toEqual(before);
  });

  test("costs one more request if two of them agree, and is then believed", async () => {
    const space = await openSpace();
    const folder = await syncFolder(crawlYaml(space.url));
    await folder.sync();
    await space.publish();
    const usual = (await folder.sync()).requests.total;
    await space.publish(({ datasources }) => Object.assign(datasources[0] ?? {}, { entries: {} }));
    // One list without a dimension, one in German.
    expect(await folder.sync()).toMatchObject({ outcome: "committed", requests: { total: usual + 2 } });
    const parts = Object.entries((await folder.manifest()).parts);
    expect(parts.flatMap(([part, { records }]) => (part.startsWith("entries/") ? [records] : []))).toEqual([0, 0]);
  });
});

test("stops if it would remove every datasource and entry, and continues once they are back", async () => {
  const space = await openSpace();
  const { datasources } = structuredClone(space.content);
  const folder = await syncFolder(crawlYaml(space.url));
  await folder.sync();
  const kept = Object.keys((await folder.manifest()).parts);
  await space.publish((content) => Object.assign(content, { datasources: [] }));
  await folder.sync();
  // Nine records are no more than a handful.
  expect((await folder.manifest()).generation).toBe(2);
  datasources[0] = { slug: "colors", dimensions: [], entries: numbered(20) };
  await space.publish((content) => Object.assign(content, { datasources: structuredClone(datasources) }));
  await folder.sync();
  await space.publish((content) => Object.assign(content, { datasources: [] }));
  await expect(folder.sync()).rejects.toMatchObject({
    code: "UPSTREAM_EMPTY",
    message: "This sync would remove every datasource and entry of the space; there were 21.",
  });
  await space.publish((content) => Object.assign(content, { datasources: structuredClone(datasources) }));
  expect(await folder.sync()).toMatchObject({ outcome: "unchanged" });
  await space.publish((content) => Object.assign(content, { datasources: [] }));
  expect(await folder.sync({ forceRemove: true })).toMatchObject({ outcome: "committed", generation: 4 });
  expect(kept).toContain("datasources");
});

test.each([["datasources"], ["datasource_entries"], ["experiments"]])(
  "what an answer of an older cv brought is asked for again: %s",
  async (name) => {
    const space = await openSpace();
    let older = 0;
    const front = await frontOf(space.url, async ({ path, query }) => {
      const isCurrent = query.get("cv") === String(space.content.cv);
      if (path !== `/v2/cdn/${name}` || !isCurrent || older === 0 || older-- === 0) return undefined;
      const answer = await forward(`${space.url}${path}?${query}`);
      const text = Buffer.from(answer.body as Uint8Array).toString();
      const body = { ...JSON.parse(text.replaceAll("value-now", "value-then")), cv: space.content.cv - 10 };
      return { ...answer, body };
    });
    const folder = await syncFolder(crawlYaml(front.url));
    await folder.sync({ pacing });
    await space.publish((content) => {
      content.datasources = [{ slug: "value-now", dimensions: [], entries: { red: "value-now" } }];
    });
    older = 1;
    const report = await folder.sync({ pacing });
    expect(report).toMatchObject({ outcome: "committed", consistency: "exact" });
    expect(report.rounds?.map(({ reason }) => reason)).toEqual([expect.stringContaining("was served at cv"), null]);
    expect(JSON.stringify(await folder.records())).toContain("value-now");
    expect(JSON.stringify(await folder.records())).not.toContain("value-then");
  },
);
