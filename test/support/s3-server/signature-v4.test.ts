import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { openServedBucket } from "../s3-endpoint.js";
import { presignedUrl, signedHeaders } from "../s3-signer.js";
import { radosgw } from "./dialect.js";

/**
 * The examples of "Signature Calculations for the Authorization Header" and of "Authenticating Requests: Using Query
 * Parameters" in the reference of Amazon S3. All of them are of one key, one host and one moment.
 */
const key = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
};
const origin = "https://examplebucket.s3.amazonaws.com";
const atMs = Date.UTC(2013, 4, 24);
const examples = [
  {
    name: "GET Object",
    method: "GET",
    target: "/test.txt",
    headers: { range: "bytes=0-9" },
    body: "",
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    status: 404,
  },
  {
    name: "PUT Object",
    method: "PUT",
    target: "/test$file.text",
    headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
    body: "Welcome to Amazon S3.",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    status: 200,
  },
  {
    name: "GET Bucket Lifecycle",
    method: "GET",
    target: "/?lifecycle",
    headers: {},
    body: "",
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    status: 501,
  },
  {
    name: "GET Bucket (List Objects)",
    method: "GET",
    target: "/?max-keys=2&prefix=J",
    headers: {},
    body: "",
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    status: 501,
  },
];
const presigned =
  "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
  "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
  "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";

describe.each(examples)("the published example $name", ({ method, target, headers, body, signature, status }) => {
  const signed = signedHeaders({ method, url: origin + target, headers, body, atMs }, key);

  test("is what the signer of the tests makes", () => {
    expect(signed.authorization).toContain(`Signature=${signature}`);
  });

  test("is taken by the server, and no other signature", async () => {
    const { server } = await exampleServer();
    const authorization = signed.authorization ?? "";
    expect((await send(server.port, method, target, signed, body)).status).toBe(status);
    const changed = { ...signed, authorization: authorization.replace(/.$/, (last) => (last === "0" ? "1" : "0")) };
    const refused = await send(server.port, method, target, changed, body);
    expect([refused.status, refused.code]).toEqual([403, "SignatureDoesNotMatch"]);
  });
});

test("the published example of a signature in the query is made by the signer and taken by the server, for a day", async () => {
  expect(presignedUrl({ method: "GET", url: `${origin}/test.txt`, atMs }, key, 86_400)).toBe(origin + presigned);
  const { server } = await exampleServer();
  server.bucket("examplebucket").put("test.txt", Buffer.from("text"), atMs);
  expect((await send(server.port, "GET", presigned, {})).status).toBe(200);
  expect((await send(server.port, "PUT", presigned, {})).code).toBe("SignatureDoesNotMatch");
  expect((await send(server.port, "GET", presigned.replace("86400", "86401"), {})).code).toBe("SignatureDoesNotMatch");
  server.clockOffsetMs = 86_401_000;
  const late = await send(server.port, "GET", presigned, {});
  expect([late.status, late.code]).toEqual([403, "AccessDenied"]);
  expect(late.text).toContain("<Message>Request has expired</Message><X-Amz-Expires>86400</X-Amz-Expires>");
});

describe("a server refuses", () => {
  test.each([
    ["an unknown key", { accessKeyId: "AKIDUNKNOWN" }, 403, "InvalidAccessKeyId"],
    ["another secret", { secretAccessKey: "other" }, 403, "SignatureDoesNotMatch"],
    ["another region", { region: "eu-west-9" }, 400, "AuthorizationHeaderMalformed"],
    ["a token that was never given", { sessionToken: "other" }, 400, "InvalidToken"],
  ])("%s", async (_, change, status, code) => {
    const { server } = await exampleServer();
    const url = `${origin}/a`;
    const answer = await send(
      server.port,
      "GET",
      "/a",
      signedHeaders({ method: "GET", url, atMs }, { ...key, ...change }),
    );
    expect([answer.status, answer.code]).toEqual([status, code]);
  });

  test("a temporary key without its token, and with it once it has expired", async () => {
    const temporary = { ...key, sessionToken: "to+ken/==" };
    const { server } = await exampleServer({ ...temporary, expiresAtMs: atMs + 60_000 });
    const url = `${origin}/a`;
    const get = (credentials: typeof key) =>
      send(server.port, "GET", "/a", signedHeaders({ method: "GET", url, atMs }, credentials));
    expect((await get(key)).code).toBe("InvalidToken");
    expect((await get(temporary)).code).toBe("NoSuchKey");
    const inQuery = presignedUrl({ method: "GET", url, atMs }, temporary, 600).slice(origin.length);
    expect((await send(server.port, "GET", inQuery, {})).code).toBe("NoSuchKey");
    server.clockOffsetMs = 60_000;
    expect((await get(temporary)).code).toBe("ExpiredToken");
  });

  test("a header of Amazon's that is not signed, a request without a signature, and one that is valid too long", async () => {
    const { server } = await exampleServer();
    const url = `${origin}/a`;
    const signed = signedHeaders({ method: "GET", url, atMs }, key);
    const extended = await send(server.port, "GET", "/a", { ...signed, "x-amz-meta-a": "b" });
    expect(extended.text).toContain("<HeadersNotSigned>x-amz-meta-a</HeadersNotSigned>");
    expect((await send(server.port, "GET", "/a", {})).code).toBe("AccessDenied");
    const week = presignedUrl({ method: "GET", url, atMs }, key, 604_801).slice(origin.length);
    expect((await send(server.port, "GET", week, {})).code).toBe("AuthorizationQueryParametersError");
  });

  test("what is signed in the query for a later time, unless it is like Ceph's gateway", async () => {
    for (const [dialect, status] of [
      [undefined, 403],
      [radosgw, 404],
    ] as const) {
      const bucket = await openServedBucket(dialect && { dialect });
      const answer = await bucket.send({ method: "GET", key: "a", expiresS: 60, atMs: Date.now() + 3_600_000 });
      expect(answer.status).toBe(status);
    }
  });
});

/** A server at the moment and with the key and the bucket of the examples. */
function exampleServer(credentials = key as typeof key & { sessionToken?: string; expiresAtMs?: number }) {
  return openServedBucket({ region: key.region, credentials: [credentials], now: () => atMs }).then((bucket) => {
    bucket.server.bucket("examplebucket");
    return bucket;
  });
}

/** Sends a request as it is, to the port of the server and with the host of the examples. */
function send(port: number, method: string, path: string, headers: Record<string, string>, body = "") {
  return new Promise<{ status: number | undefined; code: string | undefined; text: string }>((done, fail) => {
    const all = { ...headers, host: new URL(origin).host, "content-length": String(Buffer.byteLength(body)) };
    const sent = request({ host: "127.0.0.1", port, method, path, headers: all }, async (answer) => {
      let text = "";
      for await (const chunk of answer) text += chunk;
      done({ status: answer.statusCode, code: /<Code>(.*?)<\/Code>/.exec(text)?.[1], text });
    });
    sent.on("error", fail);
    sent.end(body);
  });
}
