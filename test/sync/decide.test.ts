import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { withChecksum } from "../../src/snapshot/manifest-text.js";
import { emptyState, type State } from "../../src/snapshot/state.js";
import type { Base } from "../../src/sync/base.js";
import { editionSpecs } from "../../src/sync/crawl/run/editions.js";
import { assetState, decide, dueOf, nextStep } from "../../src/sync/decide.js";
import { sampleConfig } from "../support/sample-config.js";
import { sampleDraft, sampleEdition } from "../support/sample-draft.js";

const hour = 3_600_000;
const noon = Date.UTC(2026, 0, 1, 12);
const draft = sampleDraft();
const generation: Manifest = withChecksum({
  ...draft,
  format: 1,
  generation: 1,
  previous: null,
  level: "exact",
  committedAt: "2026-01-01T00:00:10.000Z",
});

describe("the decision about a reading", () => {
  const config = { safety: { ...sampleConfig.safety, maxStaleMs: 6 * hour } };
  const clean = { outcome: "clean" as const, draft, reasons: [] };
  const unclean = { outcome: "unclean" as const, draft, reasons: ["the space moved from cv 1 to 2"] };
  const interval = { outcome: "interval" as const, draft, reasons: ["the space moved from cv 1 to 2"] };
  const planned = { outcome: "planned" as const, draft: undefined, reasons: [] };
  const since = (uncleanSinceMs: number | null): State => ({ ...emptyState(), uncleanSinceMs });

  test.each([
    ["a clean reading is committed", clean, generation, since(null), "commit"],
    ["a clean first reading is committed", clean, undefined, since(null), "commit"],
    ["a clean reading is committed after unclean ones", clean, generation, since(noon - 7 * hour), "commit"],
    ["a reading of an interval is committed", interval, generation, since(null), "commit"],
    ["a first reading of an interval is committed", interval, undefined, since(null), "commit"],
    ["the first unclean reading keeps what is there", unclean, generation, since(null), "keep"],
    ["so does one that is unclean for 5 h 59 min", unclean, generation, since(noon - 6 * hour + 60_000), "keep"],
    ["one that is unclean for 6 h adds and changes", unclean, generation, since(noon - 6 * hour), "add"],
    ["a time ahead of the server's counts from now", unclean, generation, since(noon + 9 * hour), "keep"],
    ["an unclean reading with nothing to keep stops", unclean, undefined, since(noon - 7 * hour), "stop"],
    ["a reading without a draft stops", planned, generation, since(null), "stop"],
  ])("%s", (_, reading, usable, state, kind) => {
    expect(decide(reading, { usable, state }, config, noon).kind).toBe(kind);
  });

  test("never adds an unclean reading if only an exact one counts", () => {
    const exact = { safety: { ...config.safety, consistency: "exact" as const } };
    const base = { usable: generation, state: since(noon - 7 * hour) };
    expect(decide(unclean, base, exact, noon).kind).toBe("keep");
  });

  test("adds an unclean reading to the existing generation", () => {
    const decision = decide(unclean, { usable: generation, state: since(noon - 6 * hour) }, config, noon);
    expect(decision).toMatchObject({ draft, previous: generation });
  });

  test("always has a reason to keep or to stop", () => {
    const decision = decide(unclean, { usable: generation, state: since(null) }, config, noon);
    expect(decision).toMatchObject({
      error: {
        code: "UPSTREAM_INCONSISTENT",
        message: "No clean reading of the space: the space moved from cv 1 to 2.",
      },
    });
  });
});

describe("the next step of a sync", () => {
  const whole = { damaged: [], contentIsCurrent: true, isPointed: true };
  test.each([
    ["nothing where all is current", whole, false, "nothing"],
    ["read what is due", whole, true, "read"],
    ["read what is damaged", { ...whole, damaged: ["links/published"] }, false, "read"],
    ["read before it renders", { ...whole, contentIsCurrent: false }, true, "read"],
    ["render where the content is not current", { ...whole, contentIsCurrent: false }, false, "render"],
    [
      "render under the lock, which puts the pointer right",
      { ...whole, contentIsCurrent: false, isPointed: false },
      false,
      "render",
    ],
    ["recover where only the pointer is wrong", { ...whole, isPointed: false }, false, "recover"],
  ])("%s", (_, base, due, step) => {
    expect(nextStep(base, due)).toBe(step);
  });
});

describe("what is due", () => {
  const source = { ...sampleConfig.source, languages: [{ code: "default" }], recheckMs: hour };
  const config: Config = { ...sampleConfig, source };
  const [spec] = editionSpecs(config, [{ code: "default" }]);
  const manifest = { ...generation, editions: [sampleEdition({ settings: spec?.settings ?? "" })] };
  const cv = 1_700_000_000;
  const confirmed: State = {
    ...emptyState(),
    generation: 1,
    cv,
    checkedMs: { parts: noon },
    assets: assetState(config, 0),
  };
  const base: Base = {
    head: 1,
    headAtLock: 1,
    previous: manifest,
    usable: manifest,
    damaged: [],
    repairs: [],
    isPointed: true,
    state: confirmed,
    contentIsCurrent: true,
  };
  const fresh: Base = { ...base, head: null, previous: undefined, usable: undefined, state: emptyState() };
  const quiet = { config, base, probe: { cv, dateMs: noon, total: null }, full: false };
  const drafts: Config = { ...config, source: { ...source, versions: ["draft"] } };
  const biggerAssets: Config = { ...config, assets: { ...config.assets, maxBytes: 2 } };

  test.each<[string, typeof quiet, boolean]>([
    ["does nothing while the cv does not move and the last look is fresh", quiet, false],
    ["a first sync", { ...quiet, base: fresh }, true],
    ["a cv that moved", { ...quiet, probe: { cv: cv + 10, dateMs: noon, total: null } }, true],
    ["what no cv covers, after its time", { ...quiet, probe: { cv, dateMs: noon + hour, total: null } }, true],
    ["everything with --full", { ...quiet, full: true }, true],
    ["drafts, always", { ...quiet, config: drafts }, true],
    ["what is damaged", { ...quiet, base: { ...base, damaged: ["links/published"] } }, true],
    ["assets that are wanted otherwise", { ...quiet, config: biggerAssets }, true],
    [
      "assets that are missing",
      { ...quiet, base: { ...base, state: { ...confirmed, assets: assetState(config, 1) } } },
      true,
    ],
  ])("%s", (_, { config, full, base, probe }, due) => {
    expect(dueOf({ config, options: { config, full } }, { base, probe }).isAny).toBe(due);
  });
});
