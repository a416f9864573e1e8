// @module-tag long
import { afterAll, beforeAll, expect, test } from "vitest";
import { crawlRules } from "../../src/sync/crawl/rules.js";
import { sync } from "../../src/sync/sync.js";
import { type ModelServer, startModelServer } from "../support/model-space/serve-model-upstream.js";
import { sampleConfig } from "../support/sample-config.js";
import { runHistory } from "./history.js";
import { mutants, mutated } from "./mutants.js";
import { PropertyViolation } from "./properties.js";

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  "a planted bug breaks a property that holds without it: %s",
  { timeout: 120_000 },
  async (_, mutant) => {
    const { seed, regime, tries = 1 } = mutant;
    const live = () => runHistory(String(seed), server, mutated(mutant, sync), regime).catch((error) => error);
    let ended: unknown;
    for (let tried = 0; tried < tries && !(ended instanceof PropertyViolation); tried++) ended = await live();
    expect(ended).toBeInstanceOf(PropertyViolation);
    await runHistory(String(seed), server, sync, regime);
  },
);

test("every rule has a planted bug", () => {
  const nothing = { config: sampleConfig };
  const replaced = mutants.flatMap(({ plant }) => Object.keys(plant()(nothing).rules ?? {}));
  expect(Object.keys(crawlRules).filter((rule) => !replaced.includes(rule))).toEqual([]);
});
