import { expect, test } from "vitest";
import { exitCodesByBadness, worstExitCode } from "../../src/cli/exit-cause.js";
import { errorCodes } from "../../src/lib/errors.js";

test("every exit code has one place in the order", () => {
  const exits = new Set(Object.values(errorCodes).map(({ exit }) => exit));
  expect([...exitCodesByBadness].sort((a, b) => a - b)).toEqual([...exits].sort((a, b) => a - b));
});

test.each([
  [[], 0],
  [[0, 0], 0],
  [[9, 9], 9],
  [[9, 0, 9], 0],
  [[9, 3, 0], 3],
  [[5, 4, 3], 4],
  [[12, 4], 4],
  [[6, 5, 11], 5],
  [[4, 7, 2], 2],
  [[2, 1], 1],
  [[1, 130, 4], 130],
  [[4, 99], 99],
])("the worst of %j is %i", (codes, worst) => {
  expect(worstExitCode(codes)).toBe(worst);
  expect(worstExitCode(codes.toReversed())).toBe(worst);
});
