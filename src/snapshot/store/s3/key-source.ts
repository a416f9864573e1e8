import { readFile } from "node:fs/promises";
import { OffprintError } from "../../../lib/errors.js";
import { isLoopbackHost } from "../../../lib/loopback.js";
import { parseAs } from "../../../lib/parse-as.js";
import { nullish, object, optional, text } from "../../../lib/shape.js";
import { errnoOf } from "../file-error.js";
import type { Credentials, Env } from "./credentials.js";
import { readFailure, roleKeyTexts } from "./read-xml.js";

/** One way to a key: what to send, and how to read the answer. */
export interface KeySource {
  /** Completes "… answered with". */
  issuer: string;
  /** What to check if it refuses. */
  hint: string;
  request(): Promise<KeyRequest>;
  read(body: Uint8Array): Credentials | undefined;
  /** Code and message of a refusal; "" if the body has none. */
  readRefusal(body: Uint8Array): string;
}

export interface KeyRequest {
  url: URL;
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** What it sends as a proof, for the redaction. */
  secret: string | undefined;
}

/** Kubernetes (IRSA) and CI runners: a token that STS exchanges for a key. Undefined unless the variables name a role. */
export function webIdentity(env: Env, stsOrigin: () => string): KeySource | undefined {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_SESSION_NAME: session } = env;
  if (!role || !file) return undefined;
  return {
    issuer: "STS",
    hint: "Check AWS_ROLE_ARN, that the role trusts the issuer of the token in AWS_WEB_IDENTITY_TOKEN_FILE, and that the token is current.",
    async request() {
      const token = await readTokenFile("AWS_WEB_IDENTITY_TOKEN_FILE", file);
      const form = new URLSearchParams({
        Action: "AssumeRoleWithWebIdentity",
        Version: "2011-06-15",
        RoleArn: role,
        RoleSessionName: session || "offprint",
        WebIdentityToken: token,
      });
      return {
        url: new URL(`${stsOrigin()}/`),
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
        body: Buffer.from(form.toString()),
        secret: token,
      };
    },
    read(body) {
      const text = roleKeyTexts(body);
      return temporaryKey(text("AccessKeyId"), text("SecretAccessKey"), text("SessionToken"), text("Expiration"));
    },
    readRefusal(body) {
      const { code, message } = readFailure(body);
      return [code, message].filter((part) => part !== "").join(": ");
    },
  };
}

/** Of ECS and EKS; AWS's SDKs send the token without TLS to these and to this machine only. */
const ecsHost = "169.254.170.2";
const plainHosts = new Set([ecsHost, "169.254.170.23", "[fd00:ec2::23]"]);

/** ECS tasks and EKS pods: an address beside the container has the key. Undefined unless the variables name one. */
export function containerKeys(env: Env): KeySource | undefined {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = env;
  if (!relative && !full) return undefined;
  return {
    issuer: "the container's credentials endpoint",
    hint: "Check that this task or pod has a role, and the AWS_CONTAINER_… variables that its platform sets.",
    async request() {
      const url = relative ? relativeUrl(relative) : fullUrl(full!);
      const token = await authorization(env);
      return { url, method: "GET", ...(token && { headers: { authorization: token } }), secret: token };
    },
    read(body) {
      const key = parseAs(body, keyShape);
      return key && temporaryKey(key.AccessKeyId, key.SecretAccessKey, key.Token, key.Expiration ?? "");
    },
    readRefusal(body) {
      const { code, message } = parseAs(body, refusalShape) ?? { code: "", message: "" };
      return [code, message].filter(Boolean).join(": ");
    },
  };
}

const keyShape = object({ AccessKeyId: text, SecretAccessKey: text, Token: text, Expiration: nullish(text) });
const refusalShape = object({ code: optional(text), message: optional(text) });

function relativeUrl(path: string): URL {
  const name = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
  const url = path.startsWith("/") && URL.canParse(`http://${ecsHost}${path}`) && new URL(`http://${ecsHost}${path}`);
  if (url && url.host === ecsHost) return url;
  throw refused(`${name} is not a path.`, `Set ${name} to a path such as /v2/credentials/1.`);
}

function fullUrl(address: string): URL {
  const name = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.protocol === "http:" && (isLoopbackHost(url.hostname) || plainHosts.has(url.hostname));
  if (url !== undefined && (isPlain || url.protocol === "https:") && url.username === "") return url;
  const hint = "Use https, or an address of this machine, ECS or EKS: elsewhere the token and the key could be read.";
  throw refused(`${name} names a host that must not be asked without TLS.`, hint);
}

/** The file wins: EKS replaces it. */
async function authorization(env: Env): Promise<string | undefined> {
  const name = "AWS_CONTAINER_AUTHORIZATION_TOKEN";
  const { [name]: token, [`${name}_FILE`]: file } = env;
  if (file) return readTokenFile(`${name}_FILE`, file);
  if (!token) return undefined;
  return checkedToken(token, () => refused(`${name} is not one line.`, `Set ${name} without a line break.`));
}

function refused(message: string, hint: string): OffprintError {
  return new OffprintError("STORE_CREDENTIALS", message, { hint });
}

/** Undefined if a text is missing or cannot be a header, or if `ends` is no time. @param ends ISO 8601; "": never */
function temporaryKey(id: string, secret: string, token: string, ends: string): Credentials | undefined {
  const untilMs = ends === "" ? Number.POSITIVE_INFINITY : Date.parse(ends);
  const isSound = [id, secret, token].every((text) => /^[\x21-\x7e]{1,16384}$/.test(text));
  if (!isSound || Number.isNaN(untilMs)) return undefined;
  return { accessKeyId: id, secretAccessKey: secret, sessionToken: token, untilMs };
}

/** The token in the file that a variable names; it is read each time, because it is replaced. */
async function readTokenFile(variable: string, path: string): Promise<string> {
  const failed = (why: string) =>
    new OffprintError("STORE_CREDENTIALS", `The file of ${variable} ${why}.`, {
      hint: `Check ${variable}, and that this user may read the file. Who started this process should have written a token there.`,
    });
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw failed(`cannot be read (${errnoOf(error) ?? "unknown"})`);
  });
  return checkedToken(text.trim(), () => failed("has no token: it should be one line"));
}

/** @throws what `refuse` returns, unless the token may be sent as a header */
function checkedToken(token: string, refuse: () => OffprintError): string {
  if (!/^[\x20-\x7e]{1,20000}$/.test(token)) throw refuse();
  return token;
}
