import { expect, test } from "vitest";
import { assertNothingIsEvicted, readSafety } from "../../../src/watch/fleet/queue-safety.js";

type Client = Parameters<typeof readSafety>[0];

/** What a Redis answers; where CONFIG is forbidden, as at many hosts, INFO has to do. */
function client(info: string, policy?: string): Client {
  return {
    info: async () => info,
    config: async () => {
      if (policy === undefined) throw new Error("NOPERM this user has no permissions to run the 'config|get' command");
      return ["maxmemory-policy", policy];
    },
  } as unknown as Client;
}

test("refuses a policy that drops keys, even if only INFO reports it", async () => {
  const refused = { code: "WORKER_QUEUE_UNSAFE", message: expect.stringContaining("maxmemory-policy allkeys-lru") };
  await expect(assertNothingIsEvicted(client("", "allkeys-lru"), "redis://cache")).rejects.toMatchObject(refused);
  const info = "# Memory\r\nmaxmemory_policy:allkeys-lru\r\n";
  await expect(assertNothingIsEvicted(client(info), "redis://cache")).rejects.toMatchObject(refused);
});

test("accepts a Redis that keeps its data, and one that does not say", async () => {
  await assertNothingIsEvicted(client("maxmemory_policy:allkeys-lru\r\n", "noeviction"), "redis://cache");
  await assertNothingIsEvicted(client(""), "redis://cache");
  const info = "redis_version:7.0.15\r\naof_enabled:0\r\n";
  expect(await readSafety(client(info, "noeviction"))).toEqual({
    version: "7.0.15",
    evictionPolicy: "noeviction",
    hasLog: false,
  });
});
