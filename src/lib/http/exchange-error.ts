import { isOutOfFiles, tooManyOpenFiles } from "../errors.js";
import { redact } from "../redact/redact.js";
import { timeoutError } from "./deadline.js";
import { notPublicCode } from "./public-address.js";
import { truncated } from "./read-response-body.js";
import { shownUrl, UpstreamError } from "./upstream-error.js";

/** The reason of an aborted signal, or an `UpstreamError`, redacted. @param status null without an answer yet */
export function exchangeError(
  error: unknown,
  { url, status, signal }: { url: URL; status: number | null; signal: AbortSignal },
): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof UpstreamError) return error;
  const { code, message } = describe(error);
  const shown = shownUrl(url);
  const cause = Object.assign(new Error(message), { code });
  if (code === notPublicCode) {
    return new UpstreamError("ASSET_NOT_ALLOWED", `${shown} was not fetched: ${message}.`, { cause });
  }
  if (status !== null) return code === "" ? error : truncated(url, status, message, cause);
  if (code === "UND_ERR_CONNECT_TIMEOUT") return timeoutError(`${shown}: no connection (${message}).`, cause);
  if (code.startsWith(parserCode)) {
    return new UpstreamError("UPSTREAM_BAD_ANSWER", `${shown} did not answer with HTTP (${message}).`, {
      retriable: true,
      hint: "Check the scheme, host and port of source.url.",
      cause,
    });
  }
  if (isOutOfFiles(cause)) {
    const { hint } = tooManyOpenFiles("", cause);
    const message = `${shown} could not be connected to: too many files are open.`;
    return new UpstreamError("TOO_MANY_OPEN_FILES", message, { retriable: true, hint, cause });
  }
  const { retriable, hint } = networkAdvice(code, message);
  return new UpstreamError("UPSTREAM_UNREACHABLE", `${shown} could not be reached: ${message}.`, {
    retriable,
    hint,
    cause,
  });
}

const parserCode = "HPE";

function describe(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: "", message: redact(String(error)) };
  const given = "code" in error && typeof error.code === "string" ? error.code : "";
  // undici's parser does not give every error its code.
  const code = given === "" && error.name === "HTTPParserError" ? parserCode : given;
  const inner = error.message === "" && error instanceof AggregateError ? error.errors[0] : error;
  const message = inner instanceof Error && inner.message !== "" ? inner.message : code;
  return { code, message: redact(message).replace(/\.$/, "") };
}

/** Retrying does not help against an unknown host name or an untrusted certificate. */
function networkAdvice(code: string, message: string): { retriable: boolean; hint: string } {
  const proxyStatus = /Proxy response \((\d{3})\)/.exec(message)?.[1];
  if (proxyStatus === "407") {
    return {
      retriable: false,
      hint: "The proxy needs a user and a password. Put them before the host in HTTPS_PROXY.",
    };
  }
  if (proxyStatus === "403") return { retriable: false, hint: "The proxy blocks requests to this host." };
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return { retriable: false, hint: "Check this machine's clock, then the server's certificate." };
  }
  if (code === "ENOTFOUND") return { retriable: false, hint: "Check the host name of source.url, or source.region." };
  if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL/.test(code)) {
    return { retriable: false, hint: "The certificate is not trusted. Behind a TLS proxy, set NODE_EXTRA_CA_CERTS." };
  }
  return { retriable: true, hint: "Check source.url and the network; behind a proxy, set HTTPS_PROXY." };
}
