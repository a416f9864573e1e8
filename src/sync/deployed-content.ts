import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type ExpectedContent, shownContent } from "../content/tree/content-index.js";
import { OffprintError } from "../lib/errors.js";
import { createTransport } from "../lib/http/transport.js";
import { isLoopbackHost } from "../lib/loopback.js";
import { errnoOf } from "../snapshot/store/file-error.js";

const timeoutMs = 30_000;
const mostBytes = 16 * 1024 * 1024;

export interface DeployedContent {
  /** Undefined if unknown, see `why`. */
  shown: ExpectedContent | undefined;
  /** Why it is unknown, to continue a sentence that starts with the place: `answers 404`. */
  why: string;
}

export interface DeployedOptions {
  cwd: string;
  /** For proxies. */
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

/**
 * A file, or an https address (http only for this machine); a missing or foreign file is no error. Sends no token,
 * follows no redirect. @throws OffprintError `USAGE`, or for a host that does not answer
 */
export async function readDeployedContent(place: string, options: DeployedOptions): Promise<DeployedContent> {
  const { bytes, why } = /^[a-z][a-z0-9+.-]+:\/\//i.test(place)
    ? await download(place, options)
    : await readCopy(place, options);
  if (bytes === undefined) return { shown: undefined, why };
  return { shown: shownContent(bytes), why: "is no index.json of a content tree" };
}

interface Copy {
  bytes?: Uint8Array;
  why: string;
}

async function readCopy(place: string, { cwd }: DeployedOptions): Promise<Copy> {
  try {
    return { bytes: await readFile(resolve(cwd, place)), why: "" };
  } catch (cause) {
    const code = errnoOf(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return { why: "is not there" };
    throw new OffprintError("USAGE", `${place} cannot be read: ${String(code)}.`, {
      hint: "Pass a generation, or the file or address of a deployed index.json.",
      cause,
    });
  }
}

async function download(place: string, { env, signal }: DeployedOptions): Promise<Copy> {
  const url = URL.canParse(place) ? new URL(place) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
  if (url === undefined || !isSafe) {
    throw new OffprintError("USAGE", `${place} is not a supported address.`, {
      hint: "Use https://; http:// is only allowed for this machine.",
    });
  }
  const transport = createTransport({ connections: 1, env });
  try {
    const limits = { timeoutMs, idleMs: timeoutMs, maxBytes: mostBytes };
    const { status, body } = await transport.request(url, { ...limits, ...(signal === undefined ? {} : { signal }) });
    return status === 200 ? { bytes: body, why: "" } : { why: `answers ${status}` };
  } finally {
    await transport.close();
  }
}
