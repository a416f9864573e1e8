import { describe, expect, test } from "vitest";
import type { StoryRecord } from "../../../../src/contract/records.js";
import { createMemoryStore } from "../../../../src/snapshot/store/memory-store.js";
import { crawlRules } from "../../../../src/sync/crawl/rules.js";
import { Workspace } from "../../../../src/sync/crawl/run/workspace.js";
import type { Batch } from "../../../../src/sync/crawl/stories/batches.js";
import type { AskingMode } from "../../../../src/sync/crawl/stories/decision.js";
import { type LedgerOptions, StoryLedger } from "../../../../src/sync/crawl/stories/story-ledger.js";
import { includeAll, linkOf, published, story, textOf } from "../../../support/crawl-space.js";

const german = { ...published, name: "published/de", language: "de" };
const later = "2026-02-02T00:00:00.000Z";

/** A ledger of published stories in two languages, whose index shows these. */
function open(listed: StoryRecord[], options: Partial<LedgerOptions> = {}) {
  const workspace = new Workspace(createMemoryStore(), {}, 65_536);
  const ledger = new StoryLedger({
    version: "published",
    editions: [published, german],
    due: true,
    first: false,
    full: false,
    backlogs: new Map(),
    staged: { pending: [], tagDelta: {}, read: [] },
    looks: [],
    auditCursor: undefined,
    workspace,
    include: includeAll,
    rules: crawlRules,
    ...options,
  });
  const list = (stories: StoryRecord[]) => ledger.index.derive(stories.map((one) => textOf(linkOf(one))));
  list(listed);
  type More = Partial<Batch> & { mode?: AskingMode; asked?: string[]; answered?: Set<string> };
  /** The answers to a batch that holds these uuids, the same in both languages but for the slug. */
  const accept = (uuids: string[], records: StoryRecord[], more: More = {}) => {
    const { mode = "changed", asked = uuids, answered = new Set(), ...changes } = more;
    const editions = changes.editions ?? [published, german];
    const batch: Batch = { editions, uuids, audit: new Set(), decides: true, ...changes };
    const answers = editions.map(({ language }) => {
      const inLanguage = (one: StoryRecord) =>
        language === "default" ? one : { ...one, full_slug: `${language}/${one.full_slug}` };
      return new Map(records.map((one) => [one.uuid, textOf(inLanguage(one))]));
    });
    return ledger.accept(batch, answers, { mode, asked: new Set(asked), answered, outdated: new Set() });
  };
  const staged = async (part: string) =>
    [...(await workspace.lines(part, new Set(["a", "b", "c"]))).keys()].sort().join(" ");
  return { ledger, list, accept, staged };
}

const rows = "links/published";
const records = "stories/published/default";
const translations = "stories/published/de";

describe("an answer that fits", () => {
  test("stages the records of all languages and their row", async () => {
    const { ledger, accept, staged } = open([story("a")]);
    expect(await accept(["a"], [story("a")])).toEqual({
      staged: ["a"],
      misfits: [],
      inFlux: [],
      neighbours: [],
      auditHits: [],
    });
    expect([await staged(records), await staged(translations), await staged(rows)]).toEqual(["a", "a", "a"]);
    expect(ledger.withoutRow).toEqual([]);
  });

  test("to a story that the index has lost removes its records and its row", async () => {
    const { list, accept, staged } = open([story("a")]);
    await accept(["a"], [story("a")]);
    list([]);
    expect(await accept(["a"], [])).toMatchObject({ staged: ["a"], inFlux: [] });
    expect([await staged(records), await staged(translations), await staged(rows)]).toEqual(["", "", ""]);
  });

  test("ends the pending state of the story", async () => {
    const { ledger, accept, staged } = open([story("a")], { staged: { pending: ["a", "b"], tagDelta: {}, read: [] } });
    await accept(["a"], [story("a")]);
    expect([ledger.withoutRow, await staged(rows)]).toEqual([["b"], "a"]);
  });

  test("to a batch that fills an edition stages its records alone, and is noted in the backlog", async () => {
    const { ledger, accept, staged } = open([story("a"), story("b")], { backlogs: new Map([[german.name, ""]]) });
    await accept(["a"], [story("a")], { editions: [german], decides: false });
    expect([await staged(translations), await staged(rows)]).toEqual(["a", ""]);
    expect(ledger.backlogs.get(german.name)?.isOpen("a")).toBe(false);
    expect(ledger.toStage().editions[german.name]?.readUntil).toBe("a");
  });

  test("to such a batch that may be stale leaves the story in the backlog, until the same answer comes again", async () => {
    const { ledger, accept } = open([story("a"), story("b")], { backlogs: new Map([[german.name, ""]]) });
    const stillOpen = () => ["a", "b"].filter((uuid) => ledger.backlogs.get(german.name)?.isOpen(uuid));
    const fill = (answered: StoryRecord[]) => accept(["a", "b"], answered, { editions: [german], decides: false });
    // Nothing explains why the translation of b is missing.
    await fill([story("a")]);
    expect([stillOpen(), ledger.toStage().editions[german.name]?.readUntil]).toEqual([["b"], "a"]);
    ledger.openRound();
    await fill([story("a")]);
    expect([stillOpen(), ledger.withoutRow]).toEqual([[], []]);
  });
});

describe("an answer that does not fit its row", () => {
  test("stages nothing, and returns why and that the story is in flux", async () => {
    const { accept, staged } = open([story("a"), story("b")]);
    const accepted = await accept(["a", "b"], [story("a", { published_at: later }), story("b")]);
    expect(accepted).toMatchObject({ staged: ["b"], misfits: [expect.stringContaining("published_at")], inFlux: [97] });
    expect([await staged(records), await staged(rows)]).toEqual(["b", "b"]);
  });

  test("removes the row of an audited story: nothing else would request it again", async () => {
    const { ledger, list, accept, staged } = open([story("a")]);
    await accept(["a"], [story("a")]);
    list([story("a")]);
    await accept(["a"], [story("a", { published_at: later })], { audit: new Set(["a"]) });
    expect([ledger.withoutRow, await staged(rows), await staged(records)]).toEqual([["a"], "", "a"]);
  });
});

describe("an answer that may be stale", () => {
  const doubtful = story("a", { name: "Z" });

  test("stages the records and holds the row back until the round turns out clean", async () => {
    const { ledger, accept, staged } = open([story("a")]);
    expect(await accept(["a"], [doubtful])).toMatchObject({ staged: ["a"] });
    expect([ledger.withoutRow, await staged(records), await staged(rows)]).toEqual([["a"], "a", ""]);
    ledger.confirmRows(true);
    expect([ledger.withoutRow, await staged(rows)]).toEqual([[], "a"]);
  });

  test("gets its row in a commit that is not clean, and stays pending for the next sync", async () => {
    const { ledger, accept, staged } = open([story("a")]);
    await accept(["a"], [doubtful]);
    ledger.confirmRows(false);
    expect([ledger.withoutRow, ledger.toStage().pending, await staged(rows)]).toEqual([["a"], ["a"], "a"]);
  });

  test("is requested again in the next round; the same answer is believed then", async () => {
    const { ledger, accept, staged } = open([story("a")]);
    await accept(["a"], [doubtful]);
    ledger.openRound();
    ledger.confirmRows(true);
    expect([ledger.withoutRow, await staged(rows)]).toEqual([["a"], ""]);
    await accept(["a"], [doubtful]);
    expect([ledger.withoutRow, await staged(rows)]).toEqual([[], "a"]);
  });

  test("is not believed if it differs each time", async () => {
    const { ledger, accept } = open([story("a")]);
    await accept(["a"], [doubtful]);
    ledger.openRound();
    await accept(["a"], [story("a", { name: "Y" })]);
    expect(ledger.withoutRow).toEqual(["a"]);
  });
});

describe("a story that differs", () => {
  const alternates = [{ id: 98, name: "b", slug: "b", full_slug: "b", is_folder: false, published: true }] as never;
  const both = [story("a", { alternates }), story("b")];

  test.each<[AskingMode, string[]]>([
    ["changed", ["b"]],
    ["unshown", ["b"]],
    ["everything", []],
    ["first", []],
  ])("leads in a look at what is %s to its neighbours %j, whose rows are taken away with it", async (mode, found) => {
    const { ledger, accept, staged } = open(both);
    await accept(["b"], [story("b")], { mode: "first" });
    expect(await accept(["a"], both, { mode })).toMatchObject({ neighbours: found });
    expect([ledger.withoutRow, await staged(rows)]).toEqual([found, found.length > 0 ? "a" : "a b"]);
  });

  test("leads to no neighbour that is requested anyway, or whose id the index lacks", async () => {
    const { accept } = open(both);
    expect(await accept(["a", "b"], both)).toMatchObject({ neighbours: [] });
    const { accept: alone } = open([both[0] as StoryRecord]);
    expect(await alone(["a"], both)).toMatchObject({ neighbours: [] });
  });

  test("removes the row of a neighbour until its request is answered, too", async () => {
    const { ledger, accept, staged } = open(both);
    const round = { asked: ["a", "b"], answered: new Set<string>() };
    await accept(["b"], [story("b")], { mode: "first" });
    await accept(["a"], [both[0] as StoryRecord], round);
    expect([ledger.withoutRow, await staged(rows)]).toEqual([["b"], "a"]);
    await accept(["b"], [story("b")], round);
    expect([ledger.withoutRow, await staged(rows)]).toEqual([[], "a b"]);
    expect(await accept(["a"], [story("a", { alternates, name: "new" })], round)).toMatchObject({ neighbours: [] });
  });

  test("affects no other story if only its alternates differ and its row did not show it", async () => {
    const { accept } = open(both);
    await accept(["a"], [story("a")]);
    expect(await accept(["a"], both, { mode: "unshown" })).toMatchObject({ neighbours: [] });
  });

  test("is counted by its tags, unless there is nothing to compare it with", async () => {
    const { ledger, accept } = open([story("a")]);
    await accept(["a"], [story("a", { tag_list: ["red"] })], { mode: "first" });
    expect(ledger.tags.delta.size).toBe(0);
    await accept(["a"], [story("a", { tag_list: ["blue"] })]);
    expect(Object.fromEntries(ledger.tags.delta)).toEqual({ red: -1, blue: 1 });
  });

  test("that names a story in flux loses its row until the round turns out clean", async () => {
    const { ledger, accept, staged } = open(both);
    await accept(["a", "b"], both);
    ledger.doubtReferrers([98]);
    expect([ledger.withoutRow, await staged(rows)]).toEqual([["a"], "b"]);
    ledger.confirmRows(true);
    expect([ledger.withoutRow, await staged(rows)]).toEqual([[], "a b"]);
  });
});

describe("an audited story", () => {
  test("that differs although its row does not is a hit; alternates and tags have separate rules", async () => {
    const { accept } = open([story("a")]);
    await accept(["a"], [story("a")]);
    const audit = new Set(["a"]);
    expect(await accept(["a"], [story("a")], { audit })).toMatchObject({ auditHits: [] });
    expect(await accept(["a"], [story("a", { tag_list: ["red"] })], { audit })).toMatchObject({ auditHits: [] });
    expect(await accept(["a"], [story("a", { sort_by_date: "2026-01-01" })], { audit })).toMatchObject({
      auditHits: ["a"],
    });
  });

  test("leads to a reading of everything, in which every listed story is pending", async () => {
    const { ledger, accept, staged } = open([story("a"), story("b")]);
    await accept(["a", "b"], [story("a"), story("b")]);
    ledger.readAnew();
    expect([ledger.full, ledger.withoutRow, await staged(rows)]).toEqual([true, ["a", "b"], ""]);
  });
});

test("stages nothing of a batch with a failed decision", async () => {
  const judge: typeof crawlRules.judge = ({ uuid }) => {
    if (uuid === "b") throw new Error("no verdict");
    return { kind: "fits" };
  };
  const { accept, staged } = open([story("a"), story("b")], { rules: { ...crawlRules, judge } });
  await expect(accept(["a", "b"], [story("a"), story("b")])).rejects.toThrow("no verdict");
  expect([await staged(records), await staged(rows)]).toEqual(["", ""]);
});

test("continues from the stage of another ledger", async () => {
  const { ledger, accept } = open([story("a"), story("b")]);
  await accept(["a", "b"], [story("a", { tag_list: ["red"] }), story("b")]);
  ledger.requeue("b");
  const { pending, tagDelta, read } = ledger.toStage();
  const next = open([story("a"), story("b")], { staged: { pending, tagDelta, read } });
  expect(next.ledger.toStage()).toEqual({ ...ledger.toStage(), pending: ["b"], tagDelta: { red: 1 } });
});
