import { expect, test } from "vitest";
import { openReadable } from "../../src/snapshot/open-readable.js";
import { loggedBucket, sharedMachine } from "../support/shared-project.js";
import { startTinySpace } from "../support/tiny-space.js";

test("a bucket that was emptied and filled again has its new generations, not those seen before", async () => {
  const space = await startTinySpace();
  const memory = loggedBucket();
  const writer = await sharedMachine(space.url, memory);
  const { config } = await sharedMachine(space.url, memory);
  const open = () => openReadable(config.output, { bucket: memory.client() });
  const commit = async () => {
    space.cv += 10;
    space.stories[0] = { slug: "home", headline: `Home at ${space.cv}` };
    return (await writer.sync()).generation;
  };
  for (const generation of [1, 2, 3]) {
    expect(await commit()).toBe(generation);
    expect((await open().current())?.generation).toBe(generation);
  }
  for (const name of [...memory.objects.keys()]) memory.set(name, undefined);
  expect(await commit()).toBe(1);
  expect((await open().current())?.generation).toBe(1);
  expect(await commit()).toBe(2);
  expect((await open().generation(2))?.cv).toBe(space.cv);
  expect(await open().generation(3)).toBeUndefined();
});
