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
    const { seed, regime } = mutant;
    await expect(runHistory(String(seed), server, mutated(mutant, sync), regime)).rejects.toThrow(PropertyViolation);
    await runHistory(String(seed), server, sync, regime);
  },
);

test("every rule has a planted bug", () => {
  const nothing = { config: sampleConfig };
  const replaced = mutants.flatMap(({ plant }) => Object.keys(plant()(nothing).rules ?? {}));
  expect(Object.keys(crawlRules).filter((rule) => !replaced.includes(rule))).toEqual([]);
});
