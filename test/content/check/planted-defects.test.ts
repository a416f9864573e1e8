import { expect, test } from "vitest";
import { runCheck } from "../../../src/content/check/run-check.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample } from "../../support/sample-snapshot.js";
import { plantedSpace } from "./planted-space.js";

const count = process.env.OFFPRINT_CHECK === "all" ? 10_000 : 900;

test(`finds all 40 defects in ${count} stories, and nothing else`, async () => {
  const { published, german, planted, datasources, assets } = plantedSpace(count);
  const { store } = await commitSample({
    editions: { "published/default": published, "published/de": german },
    parts: { ...datasources.parts, assets },
    shardBytes: 256 * 1024,
  });
  expect(planted).toHaveLength(40);
  const result = await runCheck(store, { config: sampleConfig });
  const found = result!.findings.map(({ code, level, story }) => [code, level, story?.language, story?.uuid].join(" "));
  const levels: Record<string, string> = { ...warnings, ...notes };
  const expected = planted.map(({ code, uuid }) => [code, levels[code] ?? "error", "default", uuid].join(" "));
  expect(found.sort()).toEqual(expected.sort());
}, 60_000);

const warnings = {
  LINK_ADDRESS_DEAD: "warning",
  ALT_MISSING: "warning",
  OPTION_UNKNOWN: "warning",
  STORY_EMPTY: "warning",
};
const notes = { SEO_EMPTY: "info", RICH_TEXT_UNKNOWN: "info", FIELD_EMPTY: "info" };
