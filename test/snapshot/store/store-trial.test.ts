// @module-tag long
import { describe, expect, test } from "vitest";
import { trialFolder, trialNoteFile, trialResultFile } from "../../../src/snapshot/layout.js";
import { assureBucket } from "../../../src/snapshot/store/assure-bucket.js";
import { openBucket } from "../../../src/snapshot/store/s3/open-bucket.js";
import { tryBucket } from "../../../src/snapshot/store/store-trial.js";
import { openServedBucket, openTestBucket, realEndpoint } from "../../support/s3-endpoint.js";
import { aws } from "../../support/s3-server/dialect.js";
import type { S3ServerOptions } from "../../support/s3-server/start-s3-server.js";

type At = Awaited<ReturnType<typeof openTestBucket>>;

function bucketAt({ endpoint, region, bucket, accessKeyId, secretAccessKey }: At, now?: () => number) {
  const setting = { bucket, prefix: "news", endpoint, region, singleWriter: false, leaseMs: 60_000, cacheBytes: 1e9 };
  const env = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, HOME: "/nowhere" };
  return openBucket(setting, { env, now, sleep: async () => {} });
}

async function openServed(options: S3ServerOptions = {}) {
  const at = await openServedBucket(options);
  return { at, server: at.server, bucket: bucketAt(at), keys: () => at.server.bucket(at.bucket).keys() };
}

/** A note in memory, and how often it was written. */
function note(text?: string) {
  const held = { text, writes: 0 };
  const files = {
    get: async () => (held.text === undefined ? undefined : Buffer.from(held.text)),
    replace: async (_name: string, written: Uint8Array) => {
      held.text = Buffer.from(written).toString();
      held.writes++;
    },
  };
  return { held, remembered: { files, name: trialNoteFile } };
}

const outcomes = ({ steps }: Awaited<ReturnType<typeof tryBucket>>) =>
  Object.fromEntries(steps.map(({ step, outcome }) => [step, outcome]));

test("storage that honours conditions is safe, and the trial leaves nothing behind", async () => {
  const at = await openTestBucket();
  const bucket = bucketAt(at);
  const trial = await tryBucket(bucket, { folder: trialFolder });
  expect(trial.steps.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  expect(trial).toMatchObject({ verdict: "safe", address: `s3://${at.bucket}/news`, origin: at.endpoint });
  expect(trial.steps.map(({ step }) => step)).toEqual([
    "create-existing",
    "replace-current",
    "replace-stale",
    "replace-missing",
    "create-race",
    "replace-race",
    "fresh",
    "in-time",
    "late",
  ]);
  expect(await bucket.list("")).toEqual([]);
});

describe.skipIf(realEndpoint !== undefined)("storage that does not", () => {
  test("ignores conditions: overwrites what is there", async () => {
    const { bucket, server, keys } = await openServed();
    server.fail({ kind: "ignore-conditions" });
    const trial = await tryBucket(bucket, { folder: trialFolder });
    expect(trial.verdict).toBe("unsafe");
    expect(outcomes(trial)).toMatchObject({
      "create-existing": "failed",
      "replace-stale": "failed",
      "replace-missing": "failed",
    });
    expect(keys()).toEqual([]);
  });

  test("checks conditions before it writes: several writers win", async () => {
    const { bucket, server } = await openServed();
    server.fail({ kind: "race", contenders: 32 });
    const trial = await tryBucket(bucket, { folder: trialFolder, rounds: 1 });
    expect(outcomes(trial)).toMatchObject({ "create-existing": "ok", "create-race": "failed" });
    expect(trial.steps.find(({ step }) => step === "create-race")?.seen).toMatch(/^\d+ of 32 concurrent writers/);
  });

  test("lists late", async () => {
    const { bucket, server } = await openServed();
    server.fail({ kind: "stale-list", ms: 60_000 });
    expect(outcomes(await tryBucket(bucket, { folder: trialFolder, rounds: 1 })).fresh).toBe("failed");
  });

  test.each(["quoted", "unquoted"] as const)("accepts only %s tags, and is safe", async (etagForm) => {
    const { bucket } = await openServed({ dialect: { ...aws, etagForm } });
    const trial = await tryBucket(bucket, { folder: trialFolder, rounds: 1 });
    expect(trial.verdict).toBe("safe");
    expect(trial.steps.find(({ step }) => step === "replace-current")?.seen).toContain(`(${etagForm})`);
    expect(outcomes(trial)["replace-race"]).toBe("ok");
  });

  test("is tried by a machine whose clock is an hour off", async () => {
    const { bucket, server } = await openServed();
    server.clockOffsetMs = 3_600_000;
    const trial = await tryBucket(bucket, { folder: trialFolder, rounds: 1 });
    expect(trial.steps.filter(({ outcome }) => outcome !== "ok")).toEqual([]);
  });

  test("fails sometimes: a round without a result is repeated", async () => {
    const { bucket, server } = await openServed();
    const isRace = ({ operation, key }: { operation: string; key: string }) =>
      operation === "PutObject" && key.includes("create-race");
    const fault = server.fail({ kind: "slow-down" }, { when: isRace, times: 40 });
    expect((await tryBucket(bucket, { folder: trialFolder, rounds: 1 })).verdict).toBe("safe");
    expect(fault.hits).toBe(40);
  });

  test("denies writing: there is no verdict", async () => {
    const { bucket, server } = await openServed();
    server.policy = ({ operation }) => operation !== "PutObject";
    await expect(tryBucket(bucket, { folder: trialFolder })).rejects.toMatchObject({ code: "STORE_REFUSED" });
  });
});

const trial = { folder: trialFolder, rounds: 1 };
const noteFile = trialResultFile;

describe.skipIf(realEndpoint !== undefined)("a bucket is assured", () => {
  test("once: this machine asks nothing again, another one reads the result", async () => {
    const { at, bucket, server, keys } = await openServed();
    const first = note();
    await assureBucket(bucket, { singleWriter: false, noteFile, trial, ...first });
    expect(first.held.writes).toBe(1);
    expect(keys()).toEqual(["news/.offprint-trial/result.json"]);
    const sent = server.requests.length;
    await assureBucket(bucket, { singleWriter: false, noteFile, trial, ...first });
    expect(server.requests.length).toBe(sent);
    const other = note();
    await assureBucket(bucketAt(at), { singleWriter: false, noteFile, trial, ...other });
    expect(server.requests.slice(sent).map(({ operation }) => operation)).toEqual(["GetObject"]);
    expect(other.held.text).toBe(first.held.text);
  });

  test.each([
    ["after 30 days", (text: string) => text, 31],
    ["where the note is of other storage", (text: string) => text.replace("127.0.0.1", "127.0.0.2"), 0],
    ["where the note is damaged", () => "{", 0],
  ])("again %s", async (_, change, days) => {
    const { at, bucket, server } = await openServed();
    const first = note();
    await assureBucket(bucket, { singleWriter: false, noteFile, trial, ...first });
    const changed = change(first.held.text ?? "");
    server.bucket(at.bucket).put("news/.offprint-trial/result.json", Buffer.from(changed), Date.now());
    const sent = server.requests.length;
    const later = () => Date.now() + days * 86_400_000;
    await assureBucket(bucket, { singleWriter: false, noteFile, trial, now: later, ...note(changed) });
    expect(server.requests.length - sent).toBeGreaterThan(50);
  });

  test("as unsafe with the findings, and tried again the next time", async () => {
    const { bucket, server } = await openServed();
    const fault = server.fail({ kind: "ignore-conditions" });
    const { held, remembered } = note();
    await expect(assureBucket(bucket, { singleWriter: false, noteFile, trial, remembered })).rejects.toMatchObject({
      code: "STORE_UNSAFE",
      message: expect.stringContaining("[create-existing]"),
      hint: expect.stringContaining("output.s3.singleWriter: true"),
    });
    expect(held.writes).toBe(0);
    fault.clear();
    await assureBucket(bucket, { singleWriter: false, noteFile, trial, remembered });
  });

  test("without a trial for a single writer", async () => {
    const { bucket, server } = await openServed();
    server.fail({ kind: "ignore-conditions" });
    await assureBucket(bucket, { singleWriter: true, noteFile, trial, ...note() });
    expect(server.requests).toEqual([]);
  });
});
