import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { forgetSecrets, redact } from "../../../../src/lib/redact/redact.js";
import { containerKeys } from "../../../../src/snapshot/store/s3/key-source.js";
import { openBucket } from "../../../../src/snapshot/store/s3/open-bucket.js";
import { openServedBucket, realEndpoint } from "../../../support/s3-endpoint.js";
import { entityBomb } from "../../../support/s3-server/faults.js";
import type { S3Credentials } from "../../../support/s3-server/signature-v4.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

afterEach(forgetSecrets);

const hour = 3_600_000;
const startMs = Date.parse("2026-11-27T12:00:00Z");
const jwt = "eyJhbGciOi.JSUzI1NiIs.webIdentityOfAPod";

interface Asked {
  method: string | undefined;
  authorization: string | undefined;
  form: URLSearchParams;
}
type Answer = { status?: number; body: string };

/** Gives keys that the bucket knows, each for an hour; or answers what `answer` says. */
async function startIssuer(shape: (key: S3Credentials) => string, known: S3Credentials[], now: () => number) {
  const asked: Asked[] = [];
  const issuer = { asked, url: "", answer: undefined as (() => Answer) | undefined };
  const serve = (body: string, request: IncomingMessage, response: ServerResponse) => {
    const { authorization } = request.headers;
    asked.push({ method: request.method, authorization, form: new URLSearchParams(body) });
    const key = {
      accessKeyId: `ASIA${asked.length}`,
      secretAccessKey: `role-5ecret-${asked.length}`,
      sessionToken: `session+token/${asked.length}==`,
      expiresAtMs: now() + hour,
    };
    const answer = issuer.answer?.() ?? { body: shape(key) };
    if (issuer.answer === undefined) known.push(key);
    response.writeHead(answer.status ?? 200).end(answer.body);
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => serve(body, request, response));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close().closeAllConnections());
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return issuer;
}

const expiration = ({ expiresAtMs }: S3Credentials) => new Date(expiresAtMs!).toISOString();
const stsAnswer = (key: S3Credentials) =>
  `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><SubjectFromWebIdentityToken>pod</SubjectFromWebIdentityToken><Credentials><AccessKeyId>${key.accessKeyId}</AccessKeyId><SecretAccessKey>${key.secretAccessKey}</SecretAccessKey><SessionToken>${key.sessionToken}</SessionToken><Expiration>${expiration(key)}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
const containerAnswer = (key: S3Credentials) =>
  JSON.stringify({
    RoleArn: "arn:aws:iam::1:role/sync",
    AccessKeyId: key.accessKeyId,
    SecretAccessKey: key.secretAccessKey,
    Token: key.sessionToken,
    Expiration: expiration(key),
  });

/** A bucket that knows no key but those that the issuer gives. */
async function withRole(kind: "web identity" | "container", more: Record<string, string> = {}) {
  const clock = { ms: startMs };
  const known: S3Credentials[] = [];
  const served = await openServedBucket({ credentials: known, now: () => clock.ms });
  const issuer = await startIssuer(kind === "container" ? containerAnswer : stsAnswer, known, () => clock.ms);
  const tokenFile = join(await temporaryFolder(), "token");
  await writeFile(tokenFile, `${jwt}\n`);
  const env: Record<string, string> =
    kind === "container"
      ? {
          AWS_CONTAINER_CREDENTIALS_FULL_URI: `${issuer.url}/v1/credentials`,
          AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
        }
      : {
          AWS_ROLE_ARN: "arn:aws:iam::1:role/sync",
          AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
          AWS_ENDPOINT_URL_STS: issuer.url,
        };
  const { bucket, endpoint, region } = served;
  const setting = { bucket, prefix: "news", endpoint, region, singleWriter: false, leaseMs: 60_000, cacheBytes: 1e9 };
  const options = { env: { HOME: "/nowhere", ...env, ...more }, now: () => clock.ms, sleep: async () => {} };
  return {
    bucket: openBucket(setting, options),
    setting,
    options,
    server: served.server,
    known,
    issuer,
    tokenFile,
    clock,
  };
}

const written = { written: true };
const put = (bucket: ReturnType<typeof openBucket>, name: string) => bucket.put(name, Buffer.from("x"));

describe.skipIf(realEndpoint !== undefined).each(["web identity", "container"] as const)("a key of a %s", (kind) => {
  test("is asked for once, with the token in the file, and signs all requests", async () => {
    const { bucket, issuer } = await withRole(kind);
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, at) => put(bucket, `a${at}`)));
    expect(outcomes).toEqual(Array.from({ length: 8 }, () => expect.objectContaining(written)));
    expect(issuer.asked).toHaveLength(1);
    const [{ method, authorization, form } = {} as Asked] = issuer.asked;
    expect({ method, authorization, ...Object.fromEntries(form) }).toEqual(
      kind === "container"
        ? { method: "GET", authorization: jwt }
        : {
            method: "POST",
            authorization: undefined,
            Action: "AssumeRoleWithWebIdentity",
            Version: "2011-06-15",
            RoleArn: "arn:aws:iam::1:role/sync",
            RoleSessionName: "offprint",
            WebIdentityToken: jwt,
          },
    );
  });

  test("is renewed five minutes before it ends, with the file's new token, and no request is refused", async () => {
    const { bucket, issuer, tokenFile, clock, server } = await withRole(kind);
    await put(bucket, "a");
    await writeFile(tokenFile, `${jwt}-two`);
    for (let minute = 1; minute <= 240; minute++) {
      clock.ms += 60_000;
      expect(await put(bucket, "a")).toMatchObject(written);
    }
    expect(server.requests.filter(({ status }) => status !== 200)).toEqual([]);
    expect(issuer.asked).toHaveLength(5);
    expect(issuer.asked[1]!.authorization ?? issuer.asked[1]!.form.get("WebIdentityToken")).toBe(`${jwt}-two`);
  });

  test("keeps signing until it ends if the issuer fails, and a later request gets a new one", async () => {
    const { bucket, issuer, clock } = await withRole(kind);
    await put(bucket, "a");
    issuer.answer = () => ({ status: 503, body: "" });
    clock.ms += hour - 120_000;
    expect(await put(bucket, "b")).toMatchObject(written);
    clock.ms += 121_000;
    await expect(put(bucket, "c")).rejects.toMatchObject({
      code: "STORE_UNREACHABLE",
      message: expect.stringContaining("HTTP 503"),
    });
    issuer.answer = undefined;
    expect(await put(bucket, "c")).toMatchObject(written);
  });

  test("that the storage no longer accepts is replaced", async () => {
    const { bucket, known, issuer } = await withRole(kind);
    await put(bucket, "a");
    known[0]!.expiresAtMs = startMs;
    expect(await put(bucket, "b")).toMatchObject(written);
    expect(issuer.asked).toHaveLength(2);
  });

  test("comes after keys in the environment", async () => {
    const { bucket, known, issuer } = await withRole(kind, {
      AWS_ACCESS_KEY_ID: "AKIAOWN",
      AWS_SECRET_ACCESS_KEY: "own-5ecret",
    });
    known.push({ accessKeyId: "AKIAOWN", secretAccessKey: "own-5ecret" });
    expect(await put(bucket, "a")).toMatchObject(written);
    expect(issuer.asked).toEqual([]);
  });

  test("that is refused is an error with the issuer's reason, and without the token", async () => {
    const { bucket, issuer } = await withRole(kind);
    const said = `the token ${jwt} is not for you`;
    const body =
      kind === "container"
        ? JSON.stringify({ code: "AccessDenied", message: said })
        : `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>${said}</Message></Error></ErrorResponse>`;
    issuer.answer = () => ({ status: 403, body });
    const failed = await put(bucket, "a").catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: "STORE_CREDENTIALS",
      message: expect.stringContaining("AccessDenied: the token [redacted] is not for you"),
      hint: expect.stringContaining(kind === "container" ? "AWS_CONTAINER_" : "AWS_ROLE_ARN"),
    });
    expect(issuer.asked).toHaveLength(1);
  });

  const bomb = entityBomb.replaceAll("ListBucketResult", "AssumeRoleWithWebIdentityResponse");
  test.each([
    ["an XML bomb", bomb],
    ["nested elements", "<AssumeRoleWithWebIdentityResponse>".repeat(1800)],
    ["nested arrays", "[".repeat(60_000)],
    ["ten megabytes", "x".repeat(10_000_000)],
    ["no key", "{}"],
    ["a page", "<html><body>Sign in</body></html>"],
    ["nothing", ""],
  ])("that is %s is refused", async (_, body) => {
    const { bucket, issuer } = await withRole(kind);
    issuer.answer = () => ({ body });
    await expect(put(bucket, "a")).rejects.toMatchObject({
      code: "STORE_BAD_ANSWER",
      hint: expect.stringContaining("AWS_"),
    });
  });

  test("with a line break or without a time is refused", async () => {
    const { bucket, issuer } = await withRole(kind);
    const shape = kind === "container" ? containerAnswer : stsAnswer;
    const key = { accessKeyId: "ASIA", secretAccessKey: "5ecret", sessionToken: "one", expiresAtMs: startMs };
    for (const body of [
      shape({ ...key, sessionToken: "one\r\nx-amz-acl: public" }),
      shape(key).replace(/2026-[^"<]*/, "tomorrow"),
    ]) {
      issuer.answer = () => ({ body });
      await expect(put(bucket, "a")).rejects.toMatchObject({ code: "STORE_BAD_ANSWER" });
    }
  });

  test("whose token cannot be read is reported by the variable's name", async () => {
    const variable = kind === "container" ? "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE" : "AWS_WEB_IDENTITY_TOKEN_FILE";
    const { bucket, issuer, tokenFile } = await withRole(kind);
    await writeFile(tokenFile, "two\nlines");
    const code = "STORE_CREDENTIALS";
    await expect(put(bucket, "a")).rejects.toMatchObject({ code, message: expect.stringContaining("has no token") });
    const { bucket: missing } = await withRole(kind, { [variable]: "/nowhere/token" });
    await expect(put(missing, "a")).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`${variable} cannot be read (ENOENT)`),
    });
    expect(issuer.asked).toEqual([]);
  });

  test("is redacted while it signs; a key of four hours ago is forgotten", async () => {
    const { bucket, clock } = await withRole(kind);
    await put(bucket, "a");
    expect(redact(`role-5ecret-1 session+token/1== ${jwt}`)).toBe("[redacted] [redacted] [redacted]");
    for (let hours = 0; hours < 6; hours++) {
      clock.ms += hour;
      await put(bucket, "a");
    }
    expect(redact("role-5ecret-7 role-5ecret-1")).toBe("[redacted] role-5ecret-1");
  });
});

describe("the address of a container's key", () => {
  const url = async (env: Record<string, string>) => (await containerKeys(env)?.request())?.url.href;
  const full = (address: string) => url({ AWS_CONTAINER_CREDENTIALS_FULL_URI: address });

  test.each([
    "http://127.0.0.1/role",
    "http://127.9.8.7:99/role?a=b",
    "http://localhost/role",
    "http://[::1]:1/role",
    "http://169.254.170.2/role",
    "http://169.254.170.23/v1/credentials",
    "http://[fd00:ec2::23]/v1/credentials",
    "https://keys.example.com/role",
  ])("may be %s", async (address) => {
    expect(await full(address)).toBe(address);
  });

  test.each([
    "http://keys.example.com/role",
    "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
    "http://169.254.170.2.example.com/",
    "http://127.0.0.1.example.com/",
    "http://127.0.0.1@example.com/",
    "https://user:pass@example.com/",
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "role",
  ])("may not be %s, and the token is not sent there", async (address) => {
    await expect(full(address)).rejects.toMatchObject({ code: "STORE_CREDENTIALS" });
  });

  test.each(["@example.com/", ".example.com/", ":99/", "role", "//"])(
    "is never built from the path %j",
    async (path) => {
      const found = await url({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path }).catch((error: unknown) => error);
      if (typeof found === "string") expect(new URL(found).host).toBe("169.254.170.2");
      else expect(found).toMatchObject({ code: "STORE_CREDENTIALS" });
    },
  );

  test("of ECS wins over a whole address", async () => {
    const env = {
      AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/credentials/1?x=y",
      AWS_CONTAINER_CREDENTIALS_FULL_URI: "https://keys.example.com",
    };
    expect(await url(env)).toBe("http://169.254.170.2/v2/credentials/1?x=y");
  });

  test("takes no token with a line break", async () => {
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://localhost/",
      AWS_CONTAINER_AUTHORIZATION_TOKEN: "one\r\nhost: evil",
    };
    await expect(url(env)).rejects.toMatchObject({ code: "STORE_CREDENTIALS" });
  });
});
