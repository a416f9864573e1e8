import { describe, expect, test } from "vitest";
import { createPin, mature, type Pacing } from "../../../../src/sync/crawl/run/pin.js";
import { matureProbe } from "../../../../src/sync/crawl/run/probes.js";
import type { Answer } from "../../../../src/sync/upstream/answer.js";
import type { Upstream } from "../../../../src/sync/upstream/upstream.js";

/** Time that passes only by waiting. */
function virtualTime(startMs = 1_000_000): Pacing & { nowMs: number; waits: number[] } {
  const time = {
    nowMs: startMs,
    waits: [] as number[],
    now: () => time.nowMs,
    async sleep(ms: number) {
      time.waits.push(ms);
      time.nowMs += ms;
    },
  };
  return time;
}

const served = (cv: number | null): Answer<string> => ({ kind: "served", body: "body", cv, dateMs: 1_000_000 });
const moved = (cv: number, dateMs = 1_000_000): Answer<string> => ({ kind: "moved", cv, dateMs });
const answers = (...list: Answer<string>[]) => {
  const asked: (number | undefined)[] = [];
  return {
    asked,
    call: async (cv: number | undefined) => {
      asked.push(cv);
      const answer = list.length > 1 ? list.shift() : list[0];
      if (answer === undefined) throw new Error("nothing left to answer");
      return answer;
    },
  };
};

describe("a pinned read", () => {
  test("carries the pin, and is clean when it is served at it", async () => {
    const pin = createPin(900, virtualTime());
    const { asked, call } = answers(served(900));
    expect((await pin.read(call)).body).toBe("body");
    expect([asked, pin.reasons, pin.used]).toEqual([[900], [], true]);
  });

  test("that is served at another cv taints the round", async () => {
    const pin = createPin(900, virtualTime());
    await pin.read(answers(served(901)).call);
    expect(pin.reasons).toEqual([expect.stringContaining("901")]);
  });

  test("that is redirected continues at the new cv once that is two seconds old, and taints the round", async () => {
    const time = virtualTime();
    const pin = createPin(900, time);
    const { asked, call } = answers(moved(999, 999_500), served(999));
    await pin.read(call);
    expect(asked).toEqual([900, 999]);
    expect(time.waits).toEqual([1_500]);
    expect([pin.cv, pin.reasons.length]).toEqual([999, 1]);
  });

  test("that is redirected together with others waits once", async () => {
    const time = virtualTime();
    const pin = createPin(900, time);
    const reads = [1, 2, 3].map(() => pin.read(answers(moved(999, 999_500), served(999)).call));
    await Promise.all(reads);
    expect(time.waits).toEqual([1_500]);
  });

  test("that is redirected to an older cv waits for the edge, and never moves the pin back", async () => {
    const time = virtualTime();
    const pin = createPin(900, time);
    const { asked, call } = answers(moved(800), served(900));
    await pin.read(call);
    expect([asked, pin.cv, time.waits]).toEqual([[900, 900], 900, [2_000]]);
  });

  test("that is redirected for ever fails", async () => {
    const pin = createPin(900, virtualTime());
    await expect(pin.read(answers(moved(900)).call)).rejects.toMatchObject({ code: "UPSTREAM_INCONSISTENT" });
  });

  test("of a draft that is redirected is a broken answer", async () => {
    const pin = createPin(900, virtualTime());
    await expect(pin.readUnpinned(async () => moved(901))).rejects.toMatchObject({ code: "UPSTREAM_BAD_ANSWER" });
    expect(pin.used).toBe(false);
  });
});

describe("a young cv", () => {
  const upstream = (...probes: { cv: number; dateMs: number }[]) =>
    ({ probe: async () => ({ total: 1, ...(probes.shift() ?? { cv: 0, dateMs: 0 }) }) }) as unknown as Upstream;

  test("is waited for and probed again until it is two seconds old by the server's clock", async () => {
    const time = virtualTime();
    const first = { cv: 1_000, dateMs: 1_000_400, total: 1 };
    const result = await matureProbe(
      upstream({ cv: 1_001, dateMs: 1_002_100 }, { cv: 1_001, dateMs: 1_003_050 }),
      first,
      time,
    );
    expect(result).toMatchObject({ probe: { cv: 1_001 }, immature: false });
    expect(time.waits).toEqual([1_600, 900]);
  });

  test("that is in the server's future is waited for half a minute, and not trusted", async () => {
    const time = virtualTime();
    expect(await mature(2_000, 1_000_000, time)).toBe(true);
    expect(time.waits).toEqual([30_000]);
  });

  test("is ignored if the server sends no time or no cv", async () => {
    const time = virtualTime();
    expect([await mature(null, 1, time), await mature(1, null, time)]).toEqual([false, false]);
    expect(time.waits).toEqual([]);
  });
});
