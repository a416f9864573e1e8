import { OffprintError } from "../../../lib/errors.js";
import { createTransport, type Transport, type TransportResponse } from "../../../lib/http/transport.js";
import { isUpstreamError } from "../../../lib/http/upstream-error.js";
import { RenewedSecrets, redact } from "../../../lib/redact/redact.js";
import type { Credentials, Env, RoleKeys } from "./credentials.js";
import { containerKeys, type KeyRequest, type KeySource, webIdentity } from "./key-source.js";
import { causeOf, connectionHint } from "./s3-failure.js";

export interface RoleAsking {
  /** For messages: `s3://bucket/prefix`. */
  address: string;
  env: Env;
  stsOrigin(): string;
  /** Goes through the proxy of the environment, if any. */
  transport: Transport;
  mostTries: number;
  /** Waits before a retry. */
  pause(tries: number): Promise<void>;
}

/** A sound answer has some 2 KB. */
const mostBytes = 64 * 1024;
const answerMs = 10_000;
const longestRefusal = 200;

/** Asks the issuer that the environment names. */
export function roleKeys(asking: RoleAsking): RoleKeys {
  const secrets = new RenewedSecrets();
  const { env, stsOrigin, transport } = asking;
  return {
    webIdentity: () => {
      const source = webIdentity(env, stsOrigin);
      return source && askFor(source, asking, transport, secrets);
    },
    container: () => {
      const source = containerKeys(env);
      if (source === undefined) return undefined;
      // The address is beside the container: no proxy knows it.
      const direct = createTransport({ connections: 1, env: {} });
      return askFor(source, asking, direct, secrets).finally(() => direct.close());
    },
  };
}

async function askFor(
  source: KeySource,
  { address, mostTries, pause }: RoleAsking,
  transport: Transport,
  secrets: RenewedSecrets,
): Promise<Credentials> {
  const { secret, ...request } = await source.request();
  secrets.register([secret]);
  for (let tries = 1; ; tries++) {
    const answer = await send(transport, request, `${address}: ${source.issuer}`);
    if ("failed" in answer || answer.status >= 500 || answer.status === 429) {
      const reason = "failed" in answer ? answer.failed : `HTTP ${answer.status}`;
      if (tries >= mostTries) throw unreachable(`${address}: ${source.issuer} gave no key: ${reason}.`);
      await pause(tries);
      continue;
    }
    const key = answer.status === 200 ? source.read(answer.body) : undefined;
    if (key === undefined) throw noKey(source, address, answer);
    secrets.register([key.accessKeyId, key.secretAccessKey, key.sessionToken]);
    return key;
  }
}

async function send(
  transport: Transport,
  { url, ...request }: Omit<KeyRequest, "secret">,
  issuer: string,
): Promise<TransportResponse | { failed: string }> {
  try {
    const limits = { timeoutMs: answerMs, idleMs: answerMs, maxBytes: mostBytes, isParsed: false };
    return await transport.request(url, { ...request, ...limits });
  } catch (error) {
    if (!isUpstreamError(error)) throw error;
    if (error.retriable) return { failed: causeOf(error) };
    if (error.code === "UPSTREAM_BAD_ANSWER") throw badAnswer(`${issuer} sent more than a key, or damaged data.`);
    throw unreachable(`${issuer} gave no key: ${causeOf(error)}.`, connectionHint(error));
  }
}

function noKey({ issuer, hint, readRefusal }: KeySource, address: string, { status, body }: TransportResponse) {
  if (status === 200) return badAnswer(`${address}: ${issuer} answered without a usable key.`);
  const said = redact(readRefusal(body) || `HTTP ${status}`).slice(0, longestRefusal);
  const message = `${address}: ${issuer} refused a key: ${said}${/[.!?]$/.test(said) ? "" : "."}`;
  return new OffprintError("STORE_CREDENTIALS", message, { hint });
}

function badAnswer(message: string): OffprintError {
  return new OffprintError("STORE_BAD_ANSWER", redact(message), {
    hint: "Check AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL or AWS_CONTAINER_CREDENTIALS_FULL_URI: something else answers there.",
  });
}

const networkHint = "Check that this machine reaches the address that gives keys, and run the same command again.";

function unreachable(message: string, hint = networkHint): OffprintError {
  return new OffprintError("STORE_UNREACHABLE", redact(message), { hint });
}
