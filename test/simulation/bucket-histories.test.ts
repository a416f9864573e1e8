import { afterAll, beforeAll, expect, test } from "vitest";
import { sync } from "../../src/sync/sync.js";
import { type ModelServer, startModelServer } from "../support/model-space/serve-model-upstream.js";
import { type BucketServer, openBucketServer } from "./bucket-server.js";
import { bucketStorage } from "./bucket-storage.js";
import { runHistory } from "./history.js";
import { PropertyViolation } from "./properties.js";
import { storageBugs } from "./storage-bugs.js";

let server: ModelServer;
let storage: BucketServer;

beforeAll(async () => {
  server = await startModelServer();
  storage = await openBucketServer();
});
afterAll(async () => {
  await storage.close();
  await server.close();
});

/** `npm run simulate -- --store s3` runs more histories, and with `--mutants` plants every bug. */
test("with the snapshot in a bucket, every reader sees one whole generation, and every writer has the lease", {
  timeout: 60_000,
}, async () => {
  const { syncs, committed } = await runHistory("0", server, sync, "plain", bucketStorage(storage));
  expect(syncs).toBeGreaterThan(committed);
  expect(committed).toBeGreaterThan(1);
});

test("a copy in the cache that is trusted without its hash breaks it", { timeout: 60_000 }, async () => {
  const bug = storageBugs.find(({ name }) => name.startsWith("a copy in the cache"));
  expect(bug).toBeDefined();
  const lived = runHistory(String(bug?.seed), server, sync, "plain", bucketStorage(storage, bug));
  await expect(lived).rejects.toThrow(PropertyViolation);
});
