import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { askRegion } from "../../src/cli/source-choice.js";

const never = new AbortController().signal;

describe("the question for the region", () => {
  test.each([
    ["eu\n", "eu"],
    [" US \r\n", "us"],
    ["mars\nap\n", "ap"],
    ["\n", undefined],
  ])("accepts %j", async (typed, region) => {
    const input = new PassThrough();
    const output = new PassThrough();
    const answer = askRegion(input, output, never);
    input.write(typed);
    expect(await answer).toBe(region);
    expect(String(output.read())).toContain("eu, us, ca, ap, cn");
  });

  test("ends at the end of the input", async () => {
    const input = new PassThrough();
    const answer = askRegion(input, new PassThrough(), never);
    input.end("mars");
    await expect(answer).rejects.toMatchObject({ code: "INTERRUPTED" });
  });

  test("is aborted by a signal, with the signal's reason", async () => {
    const stop = new AbortController();
    const answer = askRegion(new PassThrough(), new PassThrough(), stop.signal);
    const reason = new Error("stopped");
    stop.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });
});
