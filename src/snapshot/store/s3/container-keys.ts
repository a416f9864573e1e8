import { OffprintError } from "../../../lib/errors.js";
import { isLoopbackHost } from "../../../lib/loopback.js";
import { parseAs } from "../../../lib/parse-as.js";
import { nullish, object, optional, text } from "../../../lib/shape.js";
import type { Env } from "./credentials.js";
import { checkedToken, type KeySource, readTokenFile } from "./key-source.js";

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
      const { AccessKeyId, SecretAccessKey, Token, Expiration } = parseAs(body, keyShape) ?? {};
      if (AccessKeyId === undefined || SecretAccessKey === undefined || Token === undefined) return undefined;
      return { AccessKeyId, SecretAccessKey, SessionToken: Token, Expiration: Expiration ?? "" };
    },
    readRefusal(body) {
      const { code, message } = parseAs(body, refusalShape) ?? {};
      return [code, message].filter(Boolean).join(": ");
    },
  };
}

interface ContainerKey {
  AccessKeyId: string;
  SecretAccessKey: string;
  Token: string;
  Expiration?: string | null | undefined;
}
const keyShape = object<ContainerKey>({
  AccessKeyId: text,
  SecretAccessKey: text,
  Token: text,
  Expiration: nullish(text),
});
const refusalShape = object<{ code?: string | undefined; message?: string | undefined }>({
  code: optional(text),
  message: optional(text),
});

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
