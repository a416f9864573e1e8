import { describe, expect, test } from "vitest";
import type { CrawlContext } from "../../../src/sync/crawl/crawl-run.js";
import { openRun } from "../../../src/sync/crawl/open-run.js";
import { readRound } from "../../../src/sync/crawl/round.js";
import { crawlRules } from "../../../src/sync/crawl/rules.js";
import { type CrawlSpace, crawlContext, crawlSpace, linkOf, stillTime, story } from "../../support/crawl-space.js";

const later = "2026-02-02T00:00:00.000Z";

function open(space: CrawlSpace, more: Partial<CrawlContext> = {}) {
  const run = openRun(crawlContext(space, more), undefined);
  const [ledger] = run.ledgers;
  if (ledger === undefined) throw new Error("no version is configured");
  const opening = run.context.probe;
  const staged = async (part: string) => {
    await run.workspace.fold();
    return [...(await run.workspace.lines(part, new Set(["a", "b", "c"]))).keys()].sort();
  };
  return { run, ledger, opening, staged };
}

describe("a round", () => {
  test("reads the index, requests the stories that it shows, probes again, and is clean", async () => {
    const space = crawlSpace([story("a"), story("b")]);
    const { run, opening, staged } = open(space);
    const round = await readRound(run, opening, 0);
    expect(round).toMatchObject({ cv: 100, reasons: [], closing: { cv: 100 } });
    expect(space.asked).toEqual(["links", "a b", "probe"]);
    expect(await staged("stories/published/default")).toEqual(["a", "b"]);
    expect(await staged("links/published")).toEqual(["a", "b"]);
  });

  test("plans exactly its requests, including the opening probe", async () => {
    const space = crawlSpace([story("a")]);
    const { run, opening } = open(space);
    const { plan } = await readRound(run, opening, 0);
    expect(plan?.requests).toBe(1 + space.asked.length);
  });

  test("of a dry run ends once it is planned", async () => {
    const space = crawlSpace([story("a")]);
    const { run, opening, staged } = open(space, { dryRun: true });
    expect((await readRound(run, opening, 0)).plan?.requests).toBe(4);
    expect(space.asked).toEqual(["links"]);
    expect(await staged("stories/published/default")).toEqual([]);
  });

  test("waits before its closing probe, and is not clean if the cv has moved by then", async () => {
    const space = crawlSpace([story("a")]);
    const pacing = stillTime();
    const { run, opening } = open(space, { pacing });
    space.onRead = (what) => {
      if (what === "probe") space.cv = 101;
    };
    const round = await readRound(run, opening, 0);
    expect(pacing.waits).toEqual([2_000]);
    expect(round.reasons).toEqual([expect.stringContaining("from cv 100 to 101")]);
    expect(round.closing.cv).toBe(101);
  });

  test("with an answer that does not fit its row is not clean, stages the others, and the next one asks for it again", async () => {
    const space = crawlSpace([story("a"), story("b")]);
    space.stories = [story("a"), story("b", { published_at: later })];
    const { run, opening, staged } = open(space);
    const first = await readRound(run, opening, 0);
    expect(first.reasons).toEqual([expect.stringContaining("published_at")]);
    expect(await staged("links/published")).toEqual(["a"]);

    space.links = space.stories.map((one) => linkOf(one));
    space.asked.length = 0;
    expect((await readRound(run, first.closing, 1)).reasons).toEqual([]);
    // The room of the batch is not audited in a version that is read for the first time.
    expect(space.asked).toEqual(["links", "b", "probe"]);
    expect(await staged("links/published")).toEqual(["a", "b"]);
  });

  test("requests a story that the index has lost before it removes it: an edge may have an old index", async () => {
    const space = crawlSpace([story("a"), story("b")]);
    const { run, opening, staged } = open(space);
    await readRound(run, opening, 0);
    space.links = [linkOf(story("a"))];
    space.asked.length = 0;
    const round = await readRound(run, opening, 1);
    expect(space.asked).toEqual(["links", "b", "probe"]);
    expect(round.reasons).toEqual([expect.stringContaining("missing from the index and still answered")]);
    expect(await staged("stories/published/default")).toEqual(["a", "b"]);

    space.stories = [story("a")];
    expect((await readRound(run, opening, 2)).reasons).toEqual([]);
    expect(await staged("stories/published/default")).toEqual(["a"]);
  });

  test("removes a story that the index has lost if the rule to request it is missing", async () => {
    const space = crawlSpace([story("a"), story("b")]);
    const askEdition: typeof crawlRules.askEdition = (ask, edition, uuids) =>
      crawlRules.askEdition(
        ask,
        edition,
        uuids.filter((uuid) => ask.index.has(uuid)),
      );
    const { run, opening, staged } = open(space, { rules: { askEdition } });
    await readRound(run, opening, 0);
    space.links = [linkOf(story("a"))];
    expect((await readRound(run, opening, 1)).reasons).toEqual([]);
    expect(await staged("stories/published/default")).toEqual(["a"]);
  });

  test("requests the neighbours of a story that differs, and gives them their rows", async () => {
    /** A story in one group with another one, which it knows under this slug. */
    const grouped = (slug: string, other: { id: number; name: string; slug: string }, more: object = {}) => {
      const alternate = { ...other, full_slug: other.slug, is_folder: false, published: true };
      return story(slug, { group_id: "g", alternates: [alternate] as never, ...more });
    };
    const [toA, toB] = ["a", "b"].map((slug) => ({ id: slug.charCodeAt(0), name: slug, slug })) as [never, never];
    const space = crawlSpace([grouped("a", toB), grouped("b", toA), story("c")]);
    const { run, ledger, opening, staged } = open(space);
    await readRound(run, opening, 0);

    // `a` is renamed to `x`. The row of `b` is as it was; only its alternates show the new slug.
    const renamed = grouped("a", toB, { full_slug: "x", updated_at: later });
    const neighbour = grouped("b", { ...(toA as object), slug: "x" } as never);
    space.stories = [renamed, neighbour, story("c")];
    space.links = space.stories.map((one) => linkOf(one));
    space.asked.length = 0;
    expect((await readRound(run, opening, 1)).reasons).toEqual([]);
    expect(space.asked).toEqual(["links", "a", "b", "probe"]);
    expect(ledger.withoutRow).toEqual([]);
    const lines = await run.workspace.lines("stories/published/default", new Set(["b"]));
    expect(lines.get("b")).toBe(JSON.stringify(neighbour));
    expect(await staged("links/published")).toEqual(["a", "b", "c"]);
  });

  test("whose listing shifts is not clean, and reports that instead of failing", async () => {
    const space = crawlSpace([story("a")]);
    space.links = [linkOf(story("a")), linkOf(story("a"))];
    const { run, opening } = open(space);
    const round = await readRound(run, opening, 0);
    expect(round.plan).toBeUndefined();
    expect(round.reasons).toEqual([expect.stringContaining("rows twice")]);
  });

  test("passes every other error on", async () => {
    const space = crawlSpace([story("a")]);
    space.onRead = (what) => {
      if (what === "a") throw new Error("the line is cut");
    };
    const { run, opening } = open(space);
    await expect(readRound(run, opening, 0)).rejects.toThrow("the line is cut");
  });

  test("stops before it requests stories if the requests would be too many", async () => {
    const space = crawlSpace([story("a")]);
    const { config } = crawlContext(space);
    const { run, opening } = open(space, { config: { ...config, queue: { ...config.queue, maxRequests: 1 } } });
    await expect(readRound(run, opening, 0)).rejects.toMatchObject({ code: "REQUEST_LIMIT" });
    expect(space.asked).toEqual(["links"]);
  });
});
