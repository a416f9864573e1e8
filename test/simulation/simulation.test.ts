import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sync } from "../../src/sync/sync.js";
import { type ModelServer, startModelServer } from "../support/model-space/serve-model-upstream.js";
import { type HistoryResult, runHistory } from "./history.js";
import { PropertyViolation } from "./properties.js";
import { type Regime, regimeNamed, regimes } from "./regimes.js";

/**
 * Histories of the suite; `npm run simulate -- --seeds 10000` runs more, `-- --seed 17 --log`
 * prints one.
 */
const histories = 160;
const groups = 8;

describe("any history of a space that is edited, cached, and answers badly", () => {
  let server: ModelServer;
  const results: HistoryResult[] = [];

  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  const size = histories / groups;
  describe.each(Array.from({ length: groups }, (_, group) => group * size))("from seed %i", (from) => {
    test(`the next ${size}: exact equals a state of its cv, no live story is removed, every run ends, and quiet heals all`, {
      timeout: 120_000,
      tags: from === 0 ? [] : ["long"],
    }, async () => {
      for (let seed = from; seed < from + size; seed++) results.push(await lived(seed));
    });
  });

  const share = 3;
  test.each(Object.keys(regimes).filter((name) => name !== "plain"))(
    `${share} histories of the regime %s`,
    { timeout: 120_000, tags: ["long"] },
    async (name) => {
      for (let seed = 0; seed < share; seed++) await lived(seed, regimeNamed(name));
    },
  );

  test("cover enough: most readings were exact, and some failed, crashed, or were kept", { tags: ["long"] }, () => {
    const sum = (key: "exact" | "committed" | "failed" | "crashed") =>
      results.reduce((total, result) => total + result[key], 0);
    expect(results).toHaveLength(histories);
    expect(sum("exact")).toBeGreaterThan(histories);
    expect(sum("committed")).toBeGreaterThan(histories);
    expect(sum("failed")).toBeGreaterThan(10);
    expect(sum("crashed")).toBeGreaterThan(5);
    expect(results.filter(({ poisoned }) => poisoned).length).toBeLessThan(histories / 20);
  });

  async function lived(seed: number, regime: Regime = "plain"): Promise<HistoryResult> {
    try {
      return await runHistory(String(seed), server, sync, regime);
    } catch (error) {
      if (error instanceof PropertyViolation) error.message += `\n${error.log.slice(-60).join("\n")}`;
      throw error;
    }
  }
});
