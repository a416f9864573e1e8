import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Admit, createSpaceQueue, runSpaces } from "../../src/sync/run-spaces.js";

/** What a space does, one step after the other; each step ends in a later turn of the event loop. */
interface SpacePlan {
  probeTurns: number;
  /** undefined: there is nothing to do. */
  workTurns: number | undefined;
  /** Asks for its turn twice. */
  asksAgain: boolean;
  fails: boolean;
}

const plan: fc.Arbitrary<SpacePlan> = fc.record({
  probeTurns: fc.nat(4),
  workTurns: fc.option(fc.nat(4), { nil: undefined }),
  asksAgain: fc.boolean(),
  fails: fc.boolean(),
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((done) => setImmediate(done));
}

test("never probes more than 16 spaces, nor works on more than allowed, and keeps the outcomes in order", async () => {
  const property = fc.asyncProperty(
    fc.array(plan, { maxLength: 60 }),
    fc.integer({ min: 1, max: 5 }),
    async (plans, most) => {
      let [probing, working, mostProbing, mostWorking] = [0, 0, 0, 0];
      const outcomes = await runSpaces(plans, { concurrency: most }, async (space, admit) => {
        probing++;
        mostProbing = Math.max(mostProbing, probing);
        await turns(space.probeTurns);
        probing--;
        if (space.workTurns !== undefined) {
          await admit();
          if (space.asksAgain) await admit();
          working++;
          mostWorking = Math.max(mostWorking, working);
          await turns(space.workTurns);
          working--;
        }
        if (space.fails) throw new Error("failed");
        return "done";
      });
      expect(mostProbing).toBe(Math.min(16, plans.length));
      expect(mostWorking).toBeLessThanOrEqual(most);
      expect(outcomes.map(({ space }) => space)).toEqual(plans);
      expect(outcomes.map((outcome) => "value" in outcome)).toEqual(plans.map(({ fails }) => !fails));
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test("does not delay spaces without work behind those that wait for their turn", async () => {
  let end = () => {};
  const long = new Promise<void>((done) => {
    end = done;
  });
  const ended: number[] = [];
  const spaces = Array.from({ length: 40 }, (_, number) => number);
  const all = runSpaces(spaces, { concurrency: 1 }, async (space, admit) => {
    if (space < 20) {
      await admit();
      await long;
    }
    ended.push(space);
    if (space === 39) end();
  });
  await all;
  expect(ended.slice(0, 20)).toEqual(spaces.slice(20));
});

describe("a signal", () => {
  test("begins no further space, and lets the others end", async () => {
    const controller = new AbortController();
    const begun: number[] = [];
    const spaces = Array.from({ length: 20 }, (_, number) => number);
    const outcomes = await runSpaces(spaces, { concurrency: 1, signal: controller.signal }, async (space) => {
      begun.push(space);
      if (space === 3) controller.abort(new Error("enough"));
      await turns(1);
      return space;
    });
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(outcomes.map((outcome) => ("value" in outcome ? outcome.value : String(outcome.error)))).toEqual(
      spaces.map((space) => (space <= 3 ? space : "Error: enough")),
    );
  });
});

test("passes the turn of work that fails while it waits to the next one", async () => {
  const queue = createSpaceQueue({ concurrency: 1 });
  let end = () => {};
  const first = queue.run(async (admit) => {
    await admit();
    await new Promise<void>((done) => {
      end = done;
    });
  });
  const impatient = async (admit: Admit) => {
    void admit();
    throw new Error("no patience");
  };
  const second = expect(queue.run(impatient)).rejects.toThrow("no patience");
  const third = queue.run(async (admit) => {
    await admit();
    return "had its turn";
  });
  await turns(2);
  end();
  await Promise.all([first, second]);
  expect(await third).toBe("had its turn");
});
