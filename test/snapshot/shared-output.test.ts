import { describe, expect, test } from "vitest";
import { loggedBucket, sharedMachine, wholeSnapshot } from "../support/shared-project.js";
import { startTinySpace } from "../support/tiny-space.js";

test("debug", async () => {
  const space = await startTinySpace();
  const memory = loggedBucket();
  const one = await sharedMachine(space.url, memory);
  expect(await one.sync()).toMatchObject({ outcome: "committed" });
  console.log(memory.taken());
  expect(await one.sync()).toMatchObject({ outcome: "unchanged" });
  console.log(memory.taken());
  space.stories[0]!.headline = "edited";
  space.cv += 10;
  console.log((await one.sync()).outcome);
  console.log(memory.taken());
  const two = await sharedMachine(space.url, memory);
  console.log((await two.sync()).outcome, space.requests);
  console.log(memory.taken());
  console.log((await two.sync()).outcome, space.requests);
  console.log(memory.taken());
  console.log((await one.sync()).outcome, space.requests);
  console.log(memory.taken());
  await wholeSnapshot(memory, one.dir);
});
