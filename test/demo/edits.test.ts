// @module-tag long
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { initialState } from "../../demo/content-tree.js";
import { demoSpace } from "../../demo/demo-space.js";
import { describeEdit } from "../../demo/describe-edit.js";
import { emptyLog } from "../../demo/edit-log.js";
import { appendEdit, applyEdits, cvOf, type EditLog, nextKind, nextStep } from "../../demo/edits.js";
import { type EditKind, editKinds } from "../../demo/prepared-changes.js";
import { space } from "../../demo/space.js";
import type { DatasourceEntryRecord, LinkRecord, StoryRecord } from "../../src/contract/records.js";

const hour = 3_600;

/** Returns the log after one edit of each kind, an hour apart. Skips a kind with nothing left to edit. */
function logOf(...kinds: EditKind[]): EditLog {
  return kinds.reduce<EditLog>((log, kind) => {
    const step = nextStep(applyEdits(initialState(), log), log, kind);
    return step === undefined ? log : appendEdit(log, kind, step, cvOf(log) + hour);
  }, emptyLog);
}

function read(log: EditLog) {
  const { parts } = demoSpace(log);
  const records = <T>(part: string) => (parts[part] ?? []).map((line) => JSON.parse(line) as T);
  const stories = records<StoryRecord>("stories/published/default");
  return {
    parts,
    records,
    stories,
    german: records<StoryRecord>("stories/published/de"),
    links: records<LinkRecord>("links/published"),
    story: (slug: string) => stories.find(({ full_slug }) => full_slug === slug),
  };
}

const before = read(emptyLog);
const editedAt = new Date((space.cv + hour) * 1000);

/** Returns the lines that only the edited space has. */
function changedLines(after: ReturnType<typeof read>, part: string): string[] {
  const known = new Set(before.parts[part]);
  return (after.parts[part] ?? []).filter((line) => !known.has(line));
}

describe("an edit of each kind", () => {
  test("without any edit the space stays the same", () => {
    expect(demoSpace(emptyLog)).toEqual(demoSpace());
  });

  test("publish: only one story changes its content and dates, also in the listing", () => {
    const after = read(logOf("publish"));
    const old = before.story("press/the-lamp-over-the-door");
    const story = after.story("press/the-lamp-over-the-door");
    const headline = "The lamp over the door is on again";
    expect(story).toMatchObject({
      ...old,
      name: headline,
      content: { headline },
      published_at: expect.anything(),
      updated_at: editedAt.toISOString(),
    });
    expect(Date.parse(story?.published_at ?? "")).toBeGreaterThan(Date.parse(old?.published_at ?? ""));
    expect(changedLines(after, "stories/published/default")).toHaveLength(1);
    expect(changedLines(after, "stories/draft/default")).toHaveLength(1);
    const [link] = changedLines(after, "links/published").map((line) => JSON.parse(line));
    expect(link).toMatchObject({ uuid: story?.uuid, name: headline, published_at: story?.published_at });
    const differing = Object.keys(after.parts).filter((part) => changedLines(after, part).length > 0);
    expect(differing.filter((part) => !/^(?:stories|links)\/|^space$/.test(part))).toEqual([]);
  });

  test.each([
    ["publish", "press/the-lamp-over-the-door"],
    ["translate", "help/which-font-is-this"],
  ] as const)("%s: publishes the draft with it", (kind, path) => {
    const base = initialState();
    const state = base.stories.get(path);
    if (state === undefined) throw new Error("the story is gone");
    const drafted = { ...state, story: { ...state.story, draft: { content: { note: "not published yet" } } } };
    const edited = applyEdits({ ...base, stories: new Map(base.stories).set(path, drafted) }, logOf(kind));
    expect(edited.stories.get(path)?.story).toMatchObject({ content: { note: "not published yet" } });
    expect(edited.stories.get(path)?.story).not.toHaveProperty("draft");
  });

  test("rename: all stories below the folder move, under the same uuids, ids and dates", () => {
    const after = read(logOf("rename"));
    const below = before.stories.filter(({ full_slug }) => full_slug?.startsWith("press/"));
    expect(below).toHaveLength(8);
    for (const story of below) {
      const moved = after.stories.find(({ uuid }) => uuid === story.uuid);
      const full_slug = story.full_slug?.replace("press/", "newsroom/");
      expect(moved).toEqual({
        ...story,
        full_slug,
        ...(story.default_full_slug === null ? {} : { default_full_slug: full_slug }),
      });
      expect(after.links.find(({ uuid }) => uuid === story.uuid)).toMatchObject({
        slug: full_slug,
        published_at: story.published_at,
        updated_at: story.updated_at,
      });
    }
    const folder = after.links.find(({ slug }) => slug === "newsroom");
    expect(folder).toMatchObject({ is_folder: true, real_path: "/newsroom", updated_at: editedAt.toISOString() });
    expect(before.links.find(({ slug }) => slug === "press")).toMatchObject({ id: folder?.id, uuid: folder?.uuid });
    expect(changedLines(after, "stories/published/default")).toHaveLength(8);
    // The folder has its own German slug, which stays.
    expect(after.german.find(({ uuid }) => below.some((story) => story.uuid === uuid))?.full_slug).toMatch(
      /^de\/presse\//,
    );
  });

  test("rename: translated slugs follow if the folder has no slug in the language", () => {
    const after = read(logOf("rename", "rename"));
    const events = after.stories.filter(({ full_slug }) => full_slug?.startsWith("events/this-year/"));
    expect(events).toHaveLength(19);
    const german = after.german.filter(({ uuid }) => events.some((event) => event.uuid === uuid));
    expect(german.length).toBeGreaterThan(0);
    for (const { full_slug } of german) expect(full_slug).toMatch(/^de\/veranstaltungen\/this-year\//);
    const rows = events.flatMap(({ translated_slugs }) => translated_slugs ?? []);
    for (const { path } of rows) expect(path).toContain("/this-year/");
    const alternates = after.links.flatMap((link) =>
      link.slug?.startsWith("events/this-year/") ? (link.alternates ?? []) : [],
    );
    expect(alternates.length).toBeGreaterThan(0);
    for (const { path } of alternates) expect(path).toContain("/this-year/");
  });

  test("unpublish: the story is only a draft, and returns unchanged after all of its kind are unpublished", () => {
    const after = read(logOf("unpublish"));
    const uuid = before.story("help/can-i-return-a-book")?.uuid ?? "";
    expect(after.parts["stories/published/default"]?.some((line) => line.includes(`"uuid":"${uuid}"`))).toBe(false);
    expect(after.parts["stories/published/de"]?.some((line) => line.includes(`"uuid":"${uuid}"`))).toBe(false);
    expect(after.parts["stories/draft/default"]?.some((line) => line.includes(`"uuid":"${uuid}"`))).toBe(true);
    const again = read(logOf("unpublish", "unpublish", "unpublish"));
    const contentOf = (space: typeof again) => space.story("help/can-i-return-a-book")?.content;
    expect(contentOf(again)).toEqual(contentOf(before));
  });

  test("delete: the story leaves every listing and edition, and references to it stay", () => {
    const after = read(logOf("delete"));
    const uuid = before.story("glossary/ligature")?.uuid ?? "";
    const naming = Object.values(after.parts)
      .flat()
      .filter((line) => line.includes(uuid));
    expect(naming.length).toBeGreaterThan(0);
    for (const line of naming) expect(JSON.parse(line).content.see_also).toEqual([uuid]);
    for (const part of ["stories/published/default", "stories/draft/de", "links/published", "links/draft"]) {
      expect(after.parts[part]).toHaveLength((before.parts[part]?.length ?? 0) - 1);
    }
  });

  test("create: a new story is in its folder, even after the folder was renamed", () => {
    const after = read(logOf("rename", "create"));
    const story = after.story("newsroom/a-second-lamp");
    const folder = after.links.find(({ slug }) => slug === "newsroom");
    const link = after.links.find(({ uuid }) => uuid === story?.uuid);
    expect(story).toMatchObject({
      parent_id: folder?.id,
      first_published_at: story?.published_at,
      content: { component: "press_release" },
    });
    expect(link).toMatchObject({ parent_id: folder?.id, slug: "newsroom/a-second-lamp", published: true });
    expect(after.stories.filter(({ id }) => id === story?.id)).toHaveLength(1);
  });

  test("translate: one more language has the story, under its own slug", () => {
    const after = read(logOf("translate"));
    const { uuid } = before.story("help/which-font-is-this") ?? {};
    expect(before.german.some((story) => story.uuid === uuid)).toBe(false);
    expect(after.german.find((story) => story.uuid === uuid)).toMatchObject({
      name: "Welche Schrift ist das?",
      full_slug: "de/hilfe/welche-schrift-ist-das",
      default_full_slug: "help/which-font-is-this",
      content: { question: "Welche Schrift ist das?" },
    });
    expect(after.story("help/which-font-is-this")?.translated_slugs).toContainEqual({
      path: "hilfe/welche-schrift-ist-das",
      name: "Welche Schrift ist das?",
      lang: "de",
      published: true,
    });
  });

  test("datasource: one entry changes its value, and a new one is last", () => {
    const after = read(logOf("datasource", "datasource", "datasource"));
    const entries = (part: string) => after.records<DatasourceEntryRecord>(part);
    expect(entries("entries/61403")).toContainEqual(
      expect.objectContaining({ name: "footer.lamp", value: "The lamp is on, and so are we" }),
    );
    expect(entries("entries/61403/614030")).toContainEqual(
      expect.objectContaining({ name: "footer.lamp", dimension_value: "Die Lampe brennt" }),
    );
    expect(entries("entries/61405")).toEqual([
      { id: 61_405_000, name: "islands", value: "When the ferry goes", dimension_value: null },
    ]);
    expect(changedLines(after, "stories/published/default")).toEqual([]);
  });
});

describe("a log of edits", () => {
  test("without a kind the lessons follow in order and start again", () => {
    const kinds: (EditKind | undefined)[] = [];
    let log = emptyLog;
    for (let index = 0; index < editKinds.length + 2; index++) {
      const kind = nextKind(applyEdits(initialState(), log), log);
      kinds.push(kind);
      if (kind !== undefined) log = logOf(...(kinds as EditKind[]));
    }
    expect(kinds).toEqual([...editKinds, "publish", "rename"]);
  });

  test("never ends, although some kinds do", () => {
    let log = emptyLog;
    for (let index = 0; index < 40; index++) {
      const state = applyEdits(initialState(), log);
      const kind = nextKind(state, log);
      if (kind === undefined) throw new Error(`nothing is left after ${index} edits`);
      log = appendEdit(log, kind, nextStep(state, log, kind) ?? -1, cvOf(log) + 1);
    }
    const state = applyEdits(initialState(), log);
    expect(editKinds.filter((kind) => nextStep(state, log, kind) === undefined)).toEqual([
      "delete",
      "create",
      "translate",
      "datasource",
    ]);
  });

  test("does not count a story's reference to itself after it is unpublished", () => {
    const told = describeEdit(logOf("unpublish"), 0);
    const [, slug = ""] = /^Unpublished (\S+)\. /.exec(told) ?? [];
    expect(slug).not.toBe("");
    expect(told.slice(told.indexOf(". "))).not.toContain(slug);
  });

  test("is printed edit by edit, with the names at that time", () => {
    const log = logOf("publish", "rename", "delete", "create", "publish", "translate", "datasource");
    expect(log.edits.map((_, index) => describeEdit(log, index))).toEqual([
      'Published press/the-lamp-over-the-door with another headline: "The lamp over the door is on again".',
      "Renamed the folder press to newsroom: 8 stories below it moved, none was published anew.",
      "Deleted glossary/ligature. glossary/furniture still names it.",
      'Created newsroom/a-second-lamp: "A second lamp".',
      expect.stringMatching(/^Published books\/shore\/the-harbour-lights with another price: "\d+\.\d\d"\.$/),
      'Published help/which-font-is-this in one more language, de: "Welche Schrift ist das?".',
      'Set the entry footer.lamp of the datasource labels to "The lamp is on, and so are we".',
    ]);
  });

  test("keeps stories, folders and the listing consistent, with no time after the cv", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...editKinds), { minLength: 1, maxLength: 14 }), (kinds) => {
        const log = logOf(...kinds);
        const after = read(log);
        const latest = new Date(cvOf(log) * 1000).toISOString();
        const rows = new Map(after.links.map((link) => [link.uuid, link]));
        const folders = new Map(after.links.filter(({ is_folder }) => is_folder).map((link) => [link.id, link]));
        expect(after.links).toHaveLength(rows.size);
        expect(new Set(after.links.map(({ id }) => id)).size).toBe(rows.size);
        expect(rows.size - folders.size).toBe(after.stories.length);
        for (const story of after.stories) {
          expect(rows.get(story.uuid)).toMatchObject({ slug: story.full_slug, published_at: story.published_at });
          const folder = folders.get(story.parent_id ?? 0);
          if (folder !== undefined) expect(story.full_slug?.startsWith(`${folder.slug}/`)).toBe(true);
          expect((story.published_at ?? "") <= latest && (story.updated_at ?? "") <= latest).toBe(true);
        }
      }),
      { numRuns: 6 },
    );
  });

  test.each([
    ["a missing step", { kind: "delete", step: 99, target: "x" }],
    ["a wrong target for its step", { kind: "rename", step: 0, target: "00000000-0000-4000-8000-000000000000" }],
  ] as const)("with %s is refused with a code", (_, edit) => {
    const log: EditLog = { cv: space.cv, edits: [{ ...edit, cv: space.cv + 1 }] };
    expect(() => demoSpace(log)).toThrow(
      expect.objectContaining({ code: "DEMO_EDITS_INVALID", hint: expect.stringContaining("demo --reset") }),
    );
  });

  test("that deletes a story twice is refused with a code", () => {
    const once = logOf("delete");
    const twice = { ...once, edits: [...once.edits, ...once.edits.map((edit) => ({ ...edit, cv: edit.cv + 1 }))] };
    expect(() => demoSpace(twice)).toThrow(expect.objectContaining({ code: "DEMO_EDITS_INVALID" }));
  });
});
