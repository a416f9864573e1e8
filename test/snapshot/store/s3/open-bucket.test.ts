import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { StoreSetting } from "../../../../src/config/config.js";
import { openBucket } from "../../../../src/snapshot/store/s3/open-bucket.js";
import { openServedBucket, openTestBucket, realEndpoint, type TestBucket } from "../../../support/s3-endpoint.js";
import { aws, radosgw } from "../../../support/s3-server/dialect.js";
import { entityBomb } from "../../../support/s3-server/faults.js";
import type { S3ServerOptions } from "../../../support/s3-server/start-s3-server.js";
import { startTlsServer } from "../../../support/tls-server.js";
import { bucketSuite } from "../bucket-suite.js";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const created = { condition: { absent: true } } as const;

function settingOf({ endpoint, region, bucket }: TestBucket): StoreSetting {
  return { bucket, prefix: "sites/news", endpoint, region, singleWriter: false, leaseMs: 60_000, cacheBytes: 1e9 };
}

function keyOf({ accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string }) {
  return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, HOME: "/nowhere" };
}

const noWait = { sleep: async () => {} };

async function openServed(options: S3ServerOptions = {}, more: Partial<StoreSetting> = {}) {
  const served = await openServedBucket(options);
  const bucket = openBucket({ ...settingOf(served), ...more }, { env: keyOf(served), ...noWait });
  return { ...served, bucket, stored: served.server.bucket(served.bucket) };
}

bucketSuite("S3", async () => {
  const at = await openTestBucket();
  return openBucket(settingOf(at), { env: keyOf(at) });
});

if (realEndpoint === undefined) {
  bucketSuite("S3 as Ceph's gateway speaks it", async () => (await openServed({ dialect: radosgw })).bucket);
}

describe.skipIf(realEndpoint !== undefined)("a bucket whose storage fails", () => {
  test.each([
    "reset-before",
    "slow-down",
    "internal-error",
    "conflict",
    "reset-after",
    "slow-down-after",
    "internal-error-after",
  ] as const)("creates an object once, even if answers are lost: %s", async (kind) => {
    const { bucket, server } = await openServed();
    const fault = server.fail({ kind }, { when: ({ operation }) => operation === "PutObject", times: 2 });
    expect(await bucket.put("a", bytes("mine"), created)).toMatchObject({ written: true });
    expect(fault.hits).toBe(kind.endsWith("after") ? 2 : 2);
    expect(await bucket.put("a", bytes("mine"), created)).toEqual({ written: false });
    const tag = (await bucket.get("a")) as { tag: string };
    server.fail({ kind }, { when: ({ operation }) => operation === "PutObject", times: 2 });
    expect(await bucket.put("a", bytes("again"), { condition: tag })).toMatchObject({ written: true });
    expect(await bucket.get("a")).toMatchObject({ bytes: Buffer.from("again") });
  });

  test("does not mistake another writer's object for its own after a lost answer", async () => {
    const { bucket, server } = await openServed();
    await bucket.put("a", bytes("theirs"));
    server.fail({ kind: "reset-before" }, { times: 1 });
    expect(await bucket.put("a", bytes("ours"), created)).toEqual({ written: false });
  });

  test("gives up after six tries, and says so without a signature", async () => {
    const { bucket, server, ...served } = await openServed();
    const { secretAccessKey } = served;
    server.fail({ kind: "slow-down" });
    const failed = await bucket.put("a", bytes("x"), { untilMs: Date.now() + 60_000 }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "STORE_UNREACHABLE", message: expect.stringContaining("503 SlowDown") });
    expect(server.requests).toHaveLength(6);
    expect(`${(failed as Error).stack}${String((failed as Error).cause)}`).not.toMatch(
      new RegExp(`${secretAccessKey}|Signature|Credential`, "i"),
    );
    const impatient = openBucket(settingOf({ ...served, bucket: "test-bucket" }), {
      env: { ...keyOf(served), AWS_MAX_ATTEMPTS: "2" },
      ...noWait,
    });
    await expect(impatient.get("a")).rejects.toMatchObject({ message: expect.stringContaining("failed 2 times") });
    await server.refuseConnections();
    await expect(bucket.get("a")).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  });

  test.each(["unquoted", "quoted", "either"] as const)(
    "writes tags in the form that the storage understands: %s",
    async (etagForm) => {
      const { bucket, server } = await openServed({ dialect: { ...aws, etagForm } });
      for (let round = 0; round < 3; round++) {
        const found = await bucket.get("a");
        const condition = found === undefined || found === "same" ? created.condition : { tag: found.tag };
        expect(await bucket.put("a", bytes(`round ${round}`), { condition })).toMatchObject({ written: true });
        expect(await bucket.put("a", bytes("stale"), { condition })).toEqual({ written: false });
      }
      expect(server.requests.filter(({ status }) => status === undefined || status >= 500)).toEqual([]);
    },
  );

  test.each([-3_600_000, 3_600_000])(
    "whose clock is wrong by %i ms gets requests signed by its own clock",
    async (offset) => {
      const { bucket, server } = await openServed();
      server.clockOffsetMs = offset;
      expect(await bucket.put("a", bytes("x"), created)).toMatchObject({ written: true });
      expect(Math.abs(bucket.skewMs - offset)).toBeLessThan(1500);
      const untilMs = Date.now() + bucket.skewMs + 30_000;
      expect(await bucket.put("b", bytes("x"), { untilMs })).toMatchObject({ written: true });
      expect(server.requests.map(({ status }) => status)).toEqual([403, 200, 200]);
    },
  );

  test("the storage refuses a request that was signed in time and arrives late", async () => {
    let lateMs = 0;
    const served = await openServedBucket({ now: () => Date.now() + lateMs });
    const bucket = openBucket(settingOf(served), { env: keyOf(served), ...noWait });
    await bucket.get("a");
    lateMs = 20_000;
    const untilMs = Date.now() + 10_000;
    await expect(bucket.put("a", bytes("late"), { untilMs })).rejects.toMatchObject({ code: "LOCKED" });
    expect(served.server.requests.map(({ status }) => status)).toEqual([404, 403]);
  });

  test("says what helps against its certificate or a proxy, and asks once", async () => {
    const at = (endpoint: string, env = {}) =>
      openBucket(
        { bucket: "abc", prefix: "", endpoint, singleWriter: false, leaseMs: 1, cacheBytes: 1 },
        { env: { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", ...env }, ...noWait },
      );
    await expect(at(await startTlsServer("private")).get("a")).rejects.toMatchObject({
      code: "STORE_UNREACHABLE",
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
    const proxy = createServer().on("connect", (_, socket) =>
      socket.end("HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n"),
    );
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
    onTestFinished(() => void proxy.close());
    const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await expect(at("https://storage.example", { HTTPS_PROXY }).get("a")).rejects.toMatchObject({
      code: "STORE_UNREACHABLE",
      message: expect.stringContaining("failed 1 times"),
      hint: expect.stringContaining("The proxy needs a user and a password"),
    });
    await expect(at("https://nothing.invalid").get("a")).rejects.toMatchObject({
      hint: expect.stringContaining("output.s3.endpoint"),
    });
  });

  test("moves on to the region that it names", async () => {
    const { bucket, server } = await openServed({ region: "eu-west-9" }, { region: "us-east-1" });
    expect(await bucket.put("a", bytes("x"))).toMatchObject({ written: true });
    expect(await bucket.get("a")).toMatchObject({ bytes: Buffer.from("x") });
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });

  test("that keeps redirecting to another region is reported with that region", async () => {
    const { bucket, server } = await openServed();
    server.fail({ kind: "redirect", status: 301, region: "ap-south-7" });
    await expect(bucket.get("a")).rejects.toMatchObject({
      code: "STORE_MISSING",
      hint: expect.stringContaining("Set output.s3.region: ap-south-7"),
    });
    expect(server.requests).toHaveLength(2);
  });

  test("waits longer, and randomly, before it repeats a conflicting write", async () => {
    const served = await openServedBucket();
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    const bucket = openBucket(settingOf(served), { env: keyOf(served), sleep, random: () => 0.5 });
    served.server.fail({ kind: "conflict" }, { times: 4 });
    expect(await bucket.put("a", bytes("x"), created)).toMatchObject({ written: true });
    expect(waits).toEqual([200, 400, 800, 800]);
  });

  test("with a 404 that does not report a missing object is an error", async () => {
    const { bucket, server } = await openServed();
    server.fail({ kind: "body", body: "<html><h1>404 Not Found</h1></html>" });
    for (const ask of [
      () => bucket.get("a"),
      () => bucket.read("a"),
      () => bucket.put("a", bytes("x"), { condition: { tag: "gone" } }),
    ]) {
      await expect(ask()).rejects.toMatchObject({
        code: "STORE_BAD_ANSWER",
        message: expect.stringContaining("not an S3 error document"),
      });
    }
  });

  test("resumes a truncated object", async () => {
    const { bucket, server } = await openServed();
    await bucket.put("a", Buffer.alloc(20 * 1024 * 1024, "0123456789"));
    server.fail({ kind: "cut-body", after: 1_000_000 }, { times: 2 });
    const read = await bucket.read("a");
    let size = 0;
    for await (const piece of read?.pieces ?? []) size += piece.byteLength;
    expect(size).toBe(20 * 1024 * 1024);
    server.fail({ kind: "cut-body", after: 1_000_000 }, { times: 1 });
    const whole = await bucket.get("a");
    expect(whole !== "same" && whole?.bytes.byteLength).toBe(size);
  });

  test("reads a list of many pages, and refuses one that is endless, foreign or invalid", async () => {
    const { bucket, server } = await openServed();
    await Promise.all(Array.from({ length: 40 }, (_, at) => bucket.put(`a/${at}`, bytes("x"))));
    const rule = { when: ({ operation }: { operation: string }) => operation === "ListObjectsV2", times: 1 };
    expect(await bucket.list("a/")).toHaveLength(40);
    const problem = async () => bucket.list("a/").catch((error: unknown) => (error as { code: string }).code);
    server.fail({ kind: "foreign-keys", keys: ["elsewhere/b"] }, rule);
    expect(await problem()).toBe("STORE_BAD_ANSWER");
    server.fail({ kind: "body", body: entityBomb }, rule);
    expect(await problem()).toBe("STORE_BAD_ANSWER");
    server.fail({ kind: "body", body: "<html>Welcome</html>" }, rule);
    expect(await problem()).toBe("STORE_BAD_ANSWER");
    server.fail({ kind: "endless-list" });
    expect(await problem()).toBe("STORE_BAD_ANSWER");
  });

  test("reports what it denies, and what to allow", async () => {
    const { bucket, server } = await openServed({ policy: ({ operation }) => operation === "GetObject" });
    await expect(bucket.get("a")).rejects.toMatchObject({
      code: "STORE_REFUSED",
      hint: expect.stringContaining(
        "s3:ListBucket on the bucket: without s3:ListBucket, AWS answers 403 for missing objects",
      ),
    });
    await expect(bucket.put("a", bytes("x"))).rejects.toMatchObject({
      code: "STORE_REFUSED",
      hint: expect.stringContaining("s3:PutObject"),
    });
    await expect(bucket.list("")).rejects.toMatchObject({
      code: "STORE_REFUSED",
      message: expect.stringContaining("s3:ListBucket"),
    });
    await expect(bucket.remove("a")).rejects.toMatchObject({ code: "STORE_REFUSED" });
    expect(server.requests).toHaveLength(4);
  });

  test("that does not exist, or does not know the key, is reported as such", async () => {
    const { server, bucket: _, ...served } = await openServed();
    const missing = openBucket(
      { ...settingOf({ ...served, bucket: "another-bucket" }) },
      { env: keyOf(served), ...noWait },
    );
    for (const ask of [
      () => missing.get("a"),
      () => missing.list(""),
      () => missing.put("a", bytes("x")),
      () => missing.read("a"),
      () => missing.remove("a"),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: "STORE_MISSING" });
    }
    const wrongKeys = { accessKeyId: served.accessKeyId, secretAccessKey: "another-5ecret" };
    const setting = settingOf({ ...served, bucket: "test-bucket" });
    await expect(openBucket(setting, { env: keyOf(wrongKeys), ...noWait }).get("a")).rejects.toMatchObject({
      code: "STORE_REFUSED",
      message: expect.stringContaining("SignatureDoesNotMatch"),
    });
    await expect(openBucket(setting, { env: { HOME: "/nowhere" } }).get("a")).rejects.toMatchObject({
      code: "STORE_CREDENTIALS",
    });
    expect(server.requests.every(({ status }) => status === 404 || status === 403)).toBe(true);
  });
});

describe.skipIf(realEndpoint !== undefined)("the key of a bucket", () => {
  const home = async (files: Record<string, string>) => {
    const folder = await mkdtemp(join(tmpdir(), "offprint-keys-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return { AWS_CONFIG_FILE: join(folder, "config"), AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials") };
  };

  test("comes from a profile, with its endpoint", async () => {
    const served = await openServedBucket();
    const env = await home({
      config: `[default]\nregion = nowhere-1\n[profile team.one]\nregion=${served.region}\nservices = mine\n[services mine]\ns3 =\n  endpoint_url = ${served.endpoint}\n`,
      credentials: `[team.one]\naws_access_key_id=${served.accessKeyId}\naws_secret_access_key = ${served.secretAccessKey}\n`,
    });
    const { endpoint: _e, region: _r, ...setting } = settingOf(served);
    const bucket = openBucket({ ...setting, profile: "team.one" }, { env, ...noWait });
    expect(await bucket.put("a", bytes("x"))).toMatchObject({ written: true });
  });

  test("is read again once after it has expired", async () => {
    const expired = {
      accessKeyId: "AKIAEXPIRED",
      secretAccessKey: "first-5ecret",
      sessionToken: "token-one",
      expiresAtMs: 1,
    };
    const fresh = { accessKeyId: "AKIAFRESH", secretAccessKey: "second-5ecret" };
    const served = await openServedBucket({ credentials: [fresh, expired] });
    const profile = (key: typeof fresh & { sessionToken?: string }) =>
      `[default]\naws_access_key_id=${key.accessKeyId}\naws_secret_access_key=${key.secretAccessKey}\n${key.sessionToken ? `aws_session_token=${key.sessionToken}\n` : ""}`;
    const env = await home({ credentials: profile(expired) });
    const bucket = openBucket(settingOf(served), { env, ...noWait });
    await expect(bucket.get("a")).rejects.toMatchObject({
      code: "STORE_CREDENTIALS",
      hint: expect.stringMatching(/expired/),
    });
    await writeFile(env.AWS_SHARED_CREDENTIALS_FILE, profile(fresh));
    expect(await bucket.put("a", bytes("x"))).toMatchObject({ written: true });
  });

  test("from an unsupported source is reported", async () => {
    const env = await home({ config: "[profile a]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = b\n" });
    const bucket = openBucket(
      { bucket: "abc", prefix: "", profile: "a", singleWriter: false, leaseMs: 1, cacheBytes: 1 },
      { env },
    );
    await expect(bucket.get("a")).rejects.toMatchObject({
      code: "STORE_CREDENTIALS",
      message: expect.stringContaining("a role to assume (role_arn)"),
      hint: expect.stringContaining("export-credentials --profile a"),
    });
  });
});
