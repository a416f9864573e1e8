import { expect, test } from "vitest";
import { openServedBucket } from "../support/s3-endpoint.js";
import { keyVariables, s3Machine } from "../support/s3-machine.js";
import { startTinySpace } from "../support/tiny-space.js";

const quiet = { more: "assets: { download: false }\ncontent: { formats: [] }\n", store: { singleWriter: true } };
const session = { accessKeyId: "AKIASESSION", secretAccessKey: "first-5ecret", sessionToken: "token-one" };

async function synced() {
  const space = await startTinySpace();
  const expiring: typeof session & { expiresAtMs?: number } = { ...session };
  const at = await openServedBucket({ credentials: [expiring] });
  const machine = await s3Machine(space.url, at, quiet);
  const open = () => machine.open({ env: { ...keyVariables(at), AWS_SESSION_TOKEN: session.sessionToken } });
  expect(await machine.sync({}, open())).toMatchObject({ outcome: "committed", generation: 1 });
  space.cv += 10;
  space.stories[1]!.headline = "First, edited";
  return { space, expiring, at, machine, open };
}

test("does not write to a bucket of another space", async () => {
  const { space, at, machine, open } = await synced();
  space.id = 10;
  const before = at.server.bucket(at.bucket).get("site/manifest.json")!.body;
  const other = await s3Machine(space.url, at, quiet);
  const env = { ...keyVariables(at), AWS_SESSION_TOKEN: session.sessionToken };
  await expect(other.sync({}, other.open({ env }))).rejects.toMatchObject({ code: "SPACE_MISMATCH" });
  expect(at.server.bucket(at.bucket).get("site/manifest.json")!.body).toEqual(before);
  space.id = 9;
  expect(await machine.sync({}, open())).toMatchObject({ outcome: "committed", generation: 2 });
});

test("a key that expires during a run ends it with a hint, and the next run commits", async () => {
  const { expiring, at, machine, open } = await synced();
  at.server.policy = ({ operation, key }) => {
    if (operation === "PutObject" && key.startsWith("site/snapshot/")) expiring.expiresAtMs = 1;
    return true;
  };
  const ended = machine.sync({}, open());
  await expect(ended).rejects.toMatchObject({ code: "STORE_CREDENTIALS", hint: expect.stringMatching(/expired/) });
  await expect(ended).rejects.not.toMatchObject({ message: expect.stringContaining("5ecret") });
  at.server.policy = () => true;
  delete expiring.expiresAtMs;
  at.server.clockOffsetMs += 70_000;
  expect(await machine.sync({}, open())).toMatchObject({ outcome: "committed", generation: 2 });
});

test("a bucket that refuses to store a generation keeps the previous one", async () => {
  const { at, machine, open } = await synced();
  at.server.policy = ({ operation, key }) => operation !== "PutObject" || !key.includes("/generations/");
  await expect(machine.sync({}, open())).rejects.toMatchObject({
    code: "STORE_REFUSED",
    hint: expect.stringContaining("s3:PutObject"),
  });
  at.server.policy = () => true;
  expect(await machine.sync({}, open())).toMatchObject({ outcome: "committed", generation: 2 });
});
