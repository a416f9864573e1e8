import { describe, expect, onTestFinished, test } from "vitest";
import { createFaults, type FaultRule, parseFault, parseLatency } from "../../../../src/server/replica/http/faults.js";
import { startReplica } from "../../../../src/server/replica/http/server.js";
import { sampleSnapshot, story } from "../../../support/sample-snapshot.js";

// Rows: [7 429]

async function startWith(more: {
  faults?: FaultRule[];
  latency?: { minMs: number; maxMs: number };
  random?: () => number;
}) {
  const { reader } = await sampleSnapshot({ editions: { "published/default": [story(1)] } });
  const replica = await startReplica({ reader: () => reader, redirect: false, ...more });
  onTestFinished(() => replica.close());
  return {
    ...replica,
    ask: () => fetch(`${replica.url}/v2/cdn/stories?token=x`, { signal: AbortSignal.timeout(5000) }),
  };
}

describe("--fault", () => {
  test.each([
    ["429=10%", { kind: "429", share: 0.1 }],
    ["503=100%", { kind: "503", share: 1 }],
    ["reset=0.5%", { kind: "reset", share: 0.005 }],
    [" stall=1/20 ", { kind: "stall", every: 20 }],
  ])("%s is read", (text, rule) => {
    expect(parseFault(text)).toEqual(rule);
  });

  test.each(["", "429", "429=", "418=10%", "429=101%", "429=1/0", "429=2/3", "429=-1%", "429=10", "__proto__=1%"])(
    "%j is not",
    (text) => {
      expect(parseFault(text)).toBeUndefined();
    },
  );

  test("1/n hits exactly every n-th request, and a share hits by chance", () => {
    const every = createFaults([{ kind: "500", every: 3 }], () => 0);
    expect(Array.from({ length: 6 }, every)).toEqual([undefined, undefined, "500", undefined, undefined, "500"]);
    const chances = [0.05, 0.1, 0.99];
    const share = createFaults([{ kind: "429", share: 0.1 }], () => chances.shift()!);
    expect([share(), share(), share()]).toEqual(["429", undefined, undefined]);
  });

  test("429 answers 429 without Retry-After, and the next request as usual", async () => {
    const { ask } = await startWith({ faults: [{ kind: "429", every: 2 }] });
    expect((await ask()).status).toBe(200);
    const limited = await ask();
    expect([limited.status, await limited.json()]).toEqual([
      429,
      { error: "Rate limit of 50 request per second has been reached" },
    ]);
    expect(limited.headers.get("retry-after")).toBeNull();
    expect((await ask()).status).toBe(200);
  });

  test.each(["500", "502", "503", "504"] as const)("answers %s", async (kind) => {
    const { ask } = await startWith({ faults: [{ kind, every: 1 }] });
    expect((await ask()).status).toBe(Number(kind));
  });

  test("resets the connection", async () => {
    const { ask } = await startWith({ faults: [{ kind: "reset", every: 1 }] });
    await expect(ask()).rejects.toThrow("fetch failed");
  });

  test("ends in the middle of a body whose length was announced", async () => {
    const { ask } = await startWith({ faults: [{ kind: "truncate", every: 1 }] });
    const response = await ask();
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(100);
    await expect(response.text()).rejects.toThrow();
  });

  test("never answers, but can be closed", async () => {
    const replica = await startWith({ faults: [{ kind: "stall", every: 1 }] });
    const asked = fetch(`${replica.url}/v2/cdn/stories?token=x`, { signal: AbortSignal.timeout(300) });
    await expect(asked).rejects.toThrow(/timeout/i);
  });
});

describe("--latency", () => {
  test.each([
    ["200ms", { minMs: 200, maxMs: 200 }],
    ["1.5s", { minMs: 1500, maxMs: 1500 }],
    ["100ms-2s", { minMs: 100, maxMs: 2000 }],
  ])("%s is read", (text, latency) => {
    expect(parseLatency(text)).toEqual(latency);
  });

  test.each(["", "200", "fast", "2s-1s", "1s-2s-3s", "-1s", "99999s"])("%j is not", (text) => {
    expect(parseLatency(text)).toBeUndefined();
  });

  test("delays every answer", async () => {
    const { ask } = await startWith({ latency: { minMs: 50, maxMs: 150 }, random: () => 0.5 });
    const startedMs = performance.now();
    expect((await ask()).status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(95);
  });
});
