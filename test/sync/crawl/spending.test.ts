import { describe, expect, test } from "vitest";
import type { PlanItem } from "../../../src/sync/crawl/parts/part-reading.js";
import { storiesPerPage, waysToSpend } from "../../../src/sync/crawl/spending.js";
import { sampleConfig } from "../../support/sample-config.js";

const at = (url: string, queue: object = {}) => {
  const { rateLimit: _, ...rest } = sampleConfig.queue;
  return { ...sampleConfig, source: { ...sampleConfig.source, url }, queue: { ...rest, ...queue } };
};
const bill = (size: number): PlanItem[] => [
  { what: "opening probe", requests: 1 },
  { what: "links published", requests: 10, perPage: 1_000 },
  { what: "stories published (1 language)", requests: Math.ceil(10_000 / size), perPage: size },
];
const ways = (config: typeof sampleConfig) =>
  waysToSpend(config, bill).map(({ prefer, storiesPerRequest, requests, leastMs }) => [
    prefer,
    storiesPerRequest,
    requests,
    leastMs,
  ]);

describe("the two ways to spend", () => {
  test("under the published tiers are 100 a request, or 25 in less than half the time", () => {
    expect(ways(at("https://api.example.com"))).toEqual([
      ["requests", 100, 111, 18_353],
      ["speed", 25, 411, 9_687],
    ]);
  });

  test("are the same under a limit that counts every request alike, and without a limit", () => {
    expect(ways(at("https://api.example.com", { rateLimit: 10 }))).toEqual([
      ["requests", 100, 111, 11_100],
      ["speed", 100, 111, 11_100],
    ]);
    for (const config of [
      at("https://api.example.com", { rateLimit: false }),
      at("http://127.0.0.1:80"),
      at("demo:"),
    ]) {
      expect(ways(config).map((way) => way.slice(1))).toEqual([
        [100, 111, null],
        [100, 111, null],
      ]);
    }
  });

  test("are chosen by queue.prefer", () => {
    expect(storiesPerPage(at("https://api.example.com", { prefer: "speed" }))).toBe(25);
    expect(storiesPerPage(at("https://api.example.com", { prefer: "requests" }))).toBe(100);
    expect(storiesPerPage(at("http://localhost:3000", { prefer: "speed", rateLimit: "published" }))).toBe(25);
  });
});
