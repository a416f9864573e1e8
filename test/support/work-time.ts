import { expect } from "vitest";

/**
 * Milliseconds that this process worked while it ran something; work of other processes does not
 * count.
 */
export function workMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Four times as much takes about four times as long; quadratic work takes sixteen times as long.
 * Less than 60 ms is too short to measure.
 */
export function expectLinear(run: (size: number) => void, size: number): void {
  const once = Math.min(
    workMs(() => run(size)),
    workMs(() => run(size)),
  );
  const fourTimes = Math.min(
    workMs(() => run(4 * size)),
    workMs(() => run(4 * size)),
  );
  expect(fourTimes).toBeLessThan(9 * once + 60);
}
