import { describe, expect, test } from "vitest";
import type { Config } from "../../../../src/config/config.js";
import type { Manifest } from "../../../../src/snapshot/manifest.js";
import { emptyState, type State } from "../../../../src/snapshot/state.js";
import { dueWork } from "../../../../src/sync/crawl/due.js";
import { editionSpecs, languagesOf } from "../../../../src/sync/crawl/run/editions.js";
import { isSameSpace } from "../../../../src/sync/space-identity.js";

const include = {
  startsWith: [],
  excludeSlugs: [],
  contentTypes: [],
  datasources: "all",
  experiments: true,
  tags: true,
  space: true,
};
const config = (source: object): Config =>
  ({
    source: { versions: ["published"], languages: "all", releases: [], include, recheckMs: 3_600_000, ...source },
  }) as unknown as Config;

describe("editions", () => {
  test("are every version in every language, then every release as a draft", () => {
    const specs = editionSpecs(config({ versions: ["published", "draft"], releases: ["2001"] }), [
      { code: "default" },
      { code: "de" },
    ]);
    expect(specs.map(({ name }) => name)).toEqual([
      "published/default",
      "published/de",
      "draft/default",
      "draft/de",
      "draft@2001/default",
      "draft@2001/de",
    ]);
  });

  test("a fallback language is sent with underscores, and is part of the settings", () => {
    const languages = [{ code: "de-at", fallback: "de-de" }];
    const [spec] = editionSpecs(config({}), languages);
    expect(spec?.fallbackLang).toBe("de_de");
    expect(spec?.settings).not.toBe(editionSpecs(config({}), [{ code: "de-at" }])[0]?.settings);
  });

  test("treats another order of filters as the same setting", () => {
    const settings = (startsWith: string[]) =>
      editionSpecs(config({ include: { ...include, startsWith } }), [{ code: "default" }])[0]?.settings;
    expect(settings(["a/", "b/"])).toBe(settings(["b/", "a/"]));
    expect(settings(["a/"])).not.toBe(settings(["b/"]));
  });

  test("refuses a language code that could leave its folder", () => {
    expect(languagesOf(config({}), ["de", "../x", "default", "de"])).toEqual({
      languages: [{ code: "default" }, { code: "de" }],
      refused: ["../x"],
    });
  });
});

describe("what is due", () => {
  const stateOf = (known: Partial<State>): State => ({ ...emptyState(), ...known });
  const specs = editionSpecs(config({}), [{ code: "default" }]);
  const previous = { editions: specs, space: { id: 1, source: "https://a" } } as unknown as Manifest;
  const due = (change: object) =>
    dueWork({
      config: config({}),
      specs,
      previous,
      state: stateOf({ cv: 5, checkedMs: { parts: 1_000 } }),
      probe: { cv: 5, dateMs: 2_000, total: 1 },
      full: false,
      nowMs: 2_000,
      ...change,
    });

  test.each([
    ["nothing, at the confirmed cv", {}, [], false],
    ["everything, at a moved cv", { probe: { cv: 6, dateMs: 2_000, total: 1 } }, [/cv moved from 5 to 6/], false],
    [
      "everything, at a cv that went back",
      { probe: { cv: 4, dateMs: 2_000, total: 1 } },
      [/cv moved from 5 to 4/],
      false,
    ],
    ["everything, for the first sync", { previous: undefined }, [/first sync/], false],
    ["everything, with --full, past the edges", { full: true }, [/--full/], true],
    [
      "everything, with --full at a moved cv",
      { full: true, probe: { cv: 6, dateMs: 2_000, total: 1 } },
      [/--full/, /cv moved/],
      false,
    ],
    ["what cv may not cover, where it is asked for", { asked: "webhook asset.created" }, [/webhook asset/], true],
    [
      "what cv may not cover, where the last look lies ahead",
      { probe: { cv: 5, dateMs: 500, total: 1 } },
      [/recheck/],
      true,
    ],
    [
      "what cv may not cover, if the upstream sends no time",
      { probe: { cv: 5, dateMs: null, total: 1 }, nowMs: 3_601_000 },
      [/recheck/],
      true,
    ],
    [
      "what cv may not cover, if the last look is unknown",
      { state: stateOf({}), previous: { ...previous, cv: 5 } },
      [/cv moved from unknown/],
      true,
    ],
    [
      "the parts other than stories, under other settings",
      { state: stateOf({ cv: 5, checkedMs: { parts: 1_000 }, partSettings: "[]" }) },
      [/settings of parts other than stories changed/],
      false,
    ],
    ["everything, if the upstream sends no cv", { probe: { cv: null, dateMs: null, total: 1 } }, [/no cv/], false],
    ["what cv may not cover, after an hour", { probe: { cv: 5, dateMs: 3_601_000, total: 1 } }, [/recheck/], true],
    [
      "the new language",
      { specs: editionSpecs(config({}), [{ code: "default" }, { code: "de" }]) },
      [/published\/de is new/],
      false,
    ],
  ])("%s", (_, change, reasons, recheck) => {
    const work = due(change);
    expect(work.recheck).toBe(recheck);
    expect(work.published).toHaveLength(reasons.length);
    for (const [at, reason] of reasons.entries()) expect(work.published[at]).toMatch(reason);
  });
});

describe("the space that a snapshot belongs to", () => {
  const snapshot = (id: number | null, source: string) =>
    ({ space: { id, name: null, source } }) as unknown as Manifest;
  const upstream = (id: number) => ({ me: { id, name: "" } });

  test.each([
    ["no snapshot yet", undefined, "https://a", upstream(1), true],
    ["the same id at another address", snapshot(1, "https://a"), "http://127.0.0.1:1", upstream(1), true],
    ["no id, the same address", snapshot(null, "https://a"), "https://a", undefined, true],
    ["the demo, replaced", snapshot(1, "demo:"), "https://a", upstream(1), false],
    ["the demo again", snapshot(1, "demo:"), "demo:", upstream(1), true],
  ])("%s", (_, previous, source, record, same) => {
    expect(isSameSpace(previous, source, record, false)).toBe(same);
  });

  test("refuses another space without --replace", () => {
    expect(() => isSameSpace(snapshot(1, "https://a"), "https://a", upstream(2), false)).toThrow("space 2");
    expect(isSameSpace(snapshot(1, "https://a"), "https://a", upstream(2), true)).toBe(false);
  });

  test("never replaces another space with the demo", () => {
    expect(() => isSameSpace(snapshot(1, "https://a"), "demo:", upstream(1), true)).toThrow("demo");
  });
});
