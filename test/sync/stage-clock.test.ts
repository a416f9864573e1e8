import { expect, test } from "vitest";
import type { Progress } from "../../src/sync/crawl/run/progress.js";
import { startStageClock } from "../../src/sync/sync-context.js";

test("times a stage until the next one begins, and totals repeated stages", () => {
  let now = 0;
  const heard: Progress[] = [];
  const clock = startStageClock(
    (progress) => void heard.push(progress),
    () => now,
  );
  const begin = (stage: "probe" | "index" | "stories", atMs: number) => {
    now = atMs;
    clock.onProgress({ kind: "stage", stage });
  };
  begin("probe", 10);
  begin("index", 30);
  begin("stories", 100);
  begin("index", 150);
  clock.onProgress({ kind: "note", message: "something" });
  now = 170;
  expect(clock.stagesMs()).toEqual({ probe: 20, index: 90, stories: 50 });
  now = 200;
  expect(clock.stagesMs()).toEqual({ probe: 20, index: 120, stories: 50 });
  expect(heard).toHaveLength(5);
});

test("excludes pauses from the stages and the total", () => {
  let now = 100;
  const clock = startStageClock(
    () => {},
    () => now,
  );
  clock.onProgress({ kind: "stage", stage: "probe" });
  now = 130;
  const resume = clock.pause();
  now = 930;
  resume();
  now = 950;
  clock.onProgress({ kind: "stage", stage: "index" });
  now = 960;
  expect(clock.stagesMs()).toEqual({ probe: 50, index: 10 });
  expect(clock.elapsedMs()).toBe(60);
});
