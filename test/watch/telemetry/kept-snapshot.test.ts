import { expect, test } from "vitest";
import { openOutput } from "../../../src/snapshot/open-output.js";
import { readKept } from "../../../src/watch/telemetry/kept-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

test("an output without a snapshot tells nothing, and nothing is created there", async () => {
  const dir = await temporaryFolder();
  expect(await readKept(openOutput({ dir: `${dir}/missing` }))).toBeUndefined();
});
