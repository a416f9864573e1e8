import { expect, test } from "vitest";
import { createGate } from "../src/lib/concurrency/gate.js";

test("never exceeds the limit; others wait in line, and a failure frees its place", async () => {
  const gate = createGate(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const works = [0, 1, 2, 3, 4].map((number) =>
    gate(() => {
      started.push(number);
      return new Promise<number>((resolve, reject) => {
        ends[number] = () => (number === 1 ? reject(new Error("no")) : resolve(number));
      });
    }),
  );
  const settled = Promise.allSettled(works);
  expect(started).toEqual([0, 1]);
  ends[1]!();
  await expect(works[1]).rejects.toThrow("no");
  expect(started).toEqual([0, 1, 2]);
  ends[0]!();
  await works[0];
  ends[2]!();
  await works[2];
  expect(started).toEqual([0, 1, 2, 3, 4]);
  ends[3]!();
  ends[4]!();
  expect((await settled).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect(await gate(async () => "free")).toBe("free");
});
