import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openServedBucket } from "../s3-endpoint.js";
import { radosgw } from "./dialect.js";
import { entityBomb, type Fault } from "./faults.js";

const codeOf = async (answer: Response) => /<Code>(.*?)<\/Code>/.exec(await answer.text())?.[1];
const create = { method: "PUT", key: "a", body: "hello", headers: { "if-none-match": "*" } };
const list = { method: "GET", query: "list-type=2" };

test("every request is recorded, with its conditions, its status and its bytes", async () => {
  const { server, send } = await openServedBucket();
  await send(create);
  await send({ ...create, expiresS: 60 });
  await (await send({ method: "GET", key: "a" })).text();
  await (await send({ ...list, query: "list-type=2&prefix=a" })).text();
  const told = server.requests.map(({ operation, status, code, bytesIn, expiresS }) => [
    operation,
    status,
    code,
    bytesIn,
    expiresS,
  ]);
  expect(told).toEqual([
    ["PutObject", 200, undefined, 5, undefined],
    ["PutObject", 412, "PreconditionFailed", 5, 60],
    ["GetObject", 200, undefined, 0, undefined],
    ["ListObjectsV2", 200, undefined, 0, undefined],
  ]);
  expect(server.requests[0]?.conditions).toEqual({ "if-none-match": "*" });
  expect(server.requests[2]?.bytesOut).toBe(5);
  expect(server.requests[3]?.query).toEqual({ "list-type": "2", prefix: "a" });
});

test("answers an error as XML with its code and its request, for a key with any characters", async () => {
  const { send } = await openServedBucket();
  const answer = await send({ method: "GET", key: "<&>\u0001" });
  const text = await answer.text();
  expect(text).toContain("<Error><Code>NoSuchKey</Code>");
  expect(text).toContain("<Key>&lt;&amp;&gt;&#x1;</Key>");
  expect(text).toContain(`<RequestId>${answer.headers.get("x-amz-request-id")}</RequestId>`);
});

test("a bucket is made, found, not made twice, and removed when it is empty", async () => {
  const { server, send, bucket } = await openServedBucket();
  expect(await codeOf(await send({ method: "PUT" }))).toBe("BucketAlreadyOwnedByYou");
  server.bucket(bucket).put("a", Buffer.from("x"), 0);
  expect(await codeOf(await send({ method: "DELETE" }))).toBe("BucketNotEmpty");
  await send({ method: "DELETE", key: "a" });
  expect((await send({ method: "DELETE" })).status).toBe(204);
  expect(await codeOf(await send(list))).toBe("NoSuchBucket");
  expect((await send({ method: "PUT" })).status).toBe(200);
  expect((await send({ method: "HEAD" })).headers.get("x-amz-bucket-region")).toBe("eu-central-1");
});

test("a body that is not the one of its checksum is not stored, and one without a length is not taken", async () => {
  const { send, endpoint, bucket } = await openServedBucket();
  const put = (headers: Record<string, string>) => send({ method: "PUT", key: "a", body: "123456789", headers });
  // The check value of a CRC is that of these nine digits; the catalogue of parametrised CRC algorithms has them.
  expect((await put({ "x-amz-checksum-crc32": "y/Q5Jg==", "x-amz-checksum-crc32c": "4waSgw==" })).status).toBe(200);
  expect(await codeOf(await put({ "x-amz-checksum-crc32c": "y/Q5Jg==" }))).toBe("BadDigest");
  expect(await codeOf(await put({ "content-md5": createHash("md5").update("x").digest("base64") }))).toBe("BadDigest");
  expect(await codeOf(await put({ "content-md5": "x" }))).toBe("InvalidDigest");
  const stream = new Blob(["x"]).stream();
  const chunked = await fetch(`${endpoint}/${bucket}/b`, {
    method: "PUT",
    body: stream,
    duplex: "half",
  } as RequestInit);
  expect(await codeOf(chunked)).toBe("MissingContentLength");
});

test("denies requests by policy, and does not reveal missing keys to a client that may not list", async () => {
  const { server, send } = await openServedBucket();
  server.policy = ({ operation, key, prefix }) => operation === "GetObject" || (key + prefix).startsWith("open/");
  expect(await codeOf(await send(create))).toBe("AccessDenied");
  expect((await send({ ...create, key: "open/a" })).status).toBe(200);
  expect(await codeOf(await send(list))).toBe("AccessDenied");
  expect((await send({ method: "GET", query: "list-type=2&prefix=open/" })).status).toBe(200);
  expect(await codeOf(await send({ method: "GET", key: "b" }))).toBe("AccessDenied");
  expect(await codeOf(await send({ method: "GET", key: "open/b" }))).toBe("NoSuchKey");
});

test("If-Match is taken with and without quotes, or as the dialect has it", async () => {
  const statuses = async (options: Parameters<typeof openServedBucket>[0]) => {
    const { send } = await openServedBucket(options);
    const etag = (await send({ method: "PUT", key: "a", body: "x" })).headers.get("etag") ?? "";
    const replace = (key: string, ifMatch: string) =>
      send({ method: "PUT", key, body: "x", headers: { "if-match": ifMatch } });
    const answers = [await replace("a", etag), await replace("a", etag.replaceAll('"', "")), await replace("b", etag)];
    const removal = await send({ method: "DELETE", key: "a", headers: { "if-match": "0" } });
    return [...answers, removal].map(({ status }) => status);
  };
  expect(await statuses({})).toEqual([200, 200, 404, 412]);
  expect(await statuses({ dialect: radosgw })).toEqual([412, 200, 412, 204]);
});

describe("a fault", () => {
  test("hits whom its rule names, as often as it says", async () => {
    const { server, send } = await openServedBucket();
    const fault = server.fail({ kind: "slow-down" }, { when: ({ key }) => key === "b", times: 2 });
    const keys = ["a", "b", "b", "b"];
    const answers = [];
    for (const key of keys) answers.push(await send({ method: "PUT", key, body: "x" }));
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 503, 200]);
    expect(fault.hits).toBe(2);
    expect(server.requests.map(({ faults }) => faults.length)).toEqual([0, 1, 1, 0]);
  });

  test.each<[Fault, number, string, boolean]>([
    [{ kind: "slow-down" }, 503, "SlowDown", false],
    [{ kind: "slow-down-after" }, 503, "SlowDown", true],
    [{ kind: "internal-error" }, 500, "InternalError", false],
    [{ kind: "internal-error-after" }, 500, "InternalError", true],
    [{ kind: "conflict" }, 409, "ConditionalRequestConflict", false],
    [{ kind: "redirect", status: 301, region: "eu-west-1" }, 301, "PermanentRedirect", false],
  ])("%j refuses, and has written or not", async (fault, status, code, isWritten) => {
    const { server, send } = await openServedBucket();
    server.fail(fault, { times: 1 });
    const answer = await send(create);
    expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
    expect((await send(create)).status).toBe(isWritten ? 412 : 200);
  });

  test.each([
    ["reset-before", 200],
    ["reset-after", 412],
  ] as const)("%s gives no answer; the same create is answered with %i after it", async (kind, status) => {
    const { server, send } = await openServedBucket();
    server.fail({ kind }, { times: 1 });
    await expect(send(create)).rejects.toThrow();
    expect(server.requests[0]?.status).toBe(0);
    expect((await send(create)).status).toBe(status);
  });

  test("race and ignored conditions let several creates win; then the last one is there", async () => {
    const { server, send } = await openServedBucket();
    const creates = () => Promise.all(["1", "2", "3", "4"].map((body) => send({ ...create, body })));
    const fault = server.fail({ kind: "race", contenders: 3 });
    const won = (await creates()).filter(({ status }) => status === 200);
    expect(won).toHaveLength(3);
    fault.clear();
    server.fail({ kind: "ignore-conditions" });
    expect((await creates()).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test("a body arrives cut, short, of another length, or changed", async () => {
    const { server, send, bucket } = await openServedBucket();
    server.bucket(bucket).put("a", Buffer.from("hello"), 0);
    const read = async (fault: Fault) => {
      server.fail(fault, { times: 1 });
      const answer = await send({ method: "GET", key: "a" });
      return answer.text().catch(() => "broken off");
    };
    expect(await read({ kind: "cut-body", after: 2 })).toBe("broken off");
    expect(await read({ kind: "wrong-length", by: 3 })).toBe("broken off");
    expect(await read({ kind: "wrong-length", by: -2 })).toBe("hel");
    expect(await read({ kind: "short-body", length: 2 })).toBe("he");
    expect(await read({ kind: "flipped-bit", at: -1 })).toBe("helln");
    expect(await read({ kind: "body", body: entityBomb })).toContain("<!ENTITY a9");
    let release = () => {};
    const wait = new Promise<void>((done) => {
      release = done;
    });
    const slow = read({ kind: "slow-body", wait });
    expect(await Promise.race([slow, new Promise((done) => setImmediate(done, "nothing yet"))])).toBe("nothing yet");
    release();
    expect(await slow).toBe("hello");
  });

  test("a header is missing or of another form", async () => {
    const { server, send } = await openServedBucket();
    const etags = [];
    for (const form of ["unquoted", "weak", "foreign", "missing"] as const) {
      server.fail({ kind: "etag", form }, { times: 1 });
      etags.push((await send({ method: "PUT", key: "a", body: "hello" })).headers.get("etag"));
    }
    const digits = "5d41402abc4b2a76b9719d911017c592";
    expect(etags).toEqual([digits, `W/"${digits}"`, `"${"0".repeat(32)}"`, null]);
    server.fail({ kind: "no-date" }, { times: 1 });
    expect((await send(list)).headers.has("date")).toBe(false);
    server.fail({ kind: "redirect", status: 307, region: "eu-west-1", location: "http://elsewhere" }, { times: 1 });
    const moved = await send(list);
    expect(moved.headers.get("location")).toMatch(/^http:\/\/elsewhere\/test-bucket\?list-type=2$/);
    expect(moved.headers.get("x-amz-bucket-region")).toBe("eu-west-1");
  });

  test("makes a list lag by server time, never end, or contain foreign keys", async () => {
    let nowMs = Date.now();
    const { server, send, bucket } = await openServedBucket({ now: () => nowMs });
    const objects = server.bucket(bucket);
    objects.put("old", Buffer.from("x"), nowMs);
    nowMs += 5000;
    objects.put("new", Buffer.from("x"), nowMs);
    objects.delete("old", nowMs);
    const listed = async () => [...(await (await send(list)).text()).matchAll(/<Key>(.*?)</g)].map(([, key]) => key);
    const lag = server.fail({ kind: "stale-list", ms: 2000 });
    expect(await listed()).toEqual(["old"]);
    nowMs += 2000;
    expect(await listed()).toEqual(["new"]);
    lag.clear();
    server.fail({ kind: "foreign-keys", keys: ["../x"] }, { times: 1 });
    expect(await listed()).toEqual(["new", "../x"]);
    server.fail({ kind: "endless-list" });
    const query = "list-type=2&continuation-token=1b2xk";
    expect(await (await send({ ...list, query })).text()).toContain(
      "<NextContinuationToken>1b2xk</NextContinuationToken>",
    );
  });

  test("connections are refused until they are taken again", async () => {
    const { server, send } = await openServedBucket();
    const accept = await server.refuseConnections();
    await expect(send(create)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
    await accept();
    expect((await send(create)).status).toBe(200);
  });
});
