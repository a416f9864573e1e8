import type { ServerResponse } from "node:http";
import type { RequestFaults, Wait } from "./faults.js";
import type { Answer } from "./s3-error.js";

/** An answer as a fault deforms it. */
export function deformed(answer: Answer, faults: RequestFaults): Answer {
  const headers = { ...answer.headers };
  const etag = faults.get("etag");
  if (etag !== undefined && headers.etag !== undefined) {
    const digits = headers.etag.slice(1, -1);
    const forms = { unquoted: digits, weak: `W/"${digits}"`, foreign: `"${digits.replace(/./g, "0")}"`, missing: "" };
    headers.etag = forms[etag.form];
    if (etag.form === "missing") delete headers.etag;
  }
  let body = answer.body;
  const replaced = faults.get("body");
  if (replaced !== undefined) body = Buffer.from(replaced.body);
  const flipped = faults.get("flipped-bit");
  if (flipped !== undefined && body.length > 0) {
    body = Buffer.from(body);
    const at = (flipped.at < 0 ? body.length + flipped.at : flipped.at) % body.length;
    body[at] = (body[at] ?? 0) ^ 1;
  }
  const short = faults.get("short-body");
  if (short !== undefined) body = body.subarray(0, short.length);
  return { ...answer, headers, body };
}

/**
 * Sends an answer, as the faults of its request have it.
 *
 * @returns how many bytes of the body were sent
 */
export async function deliver(
  answer: Answer,
  response: ServerResponse,
  { isHead, faults }: { isHead: boolean; faults: RequestFaults },
): Promise<number> {
  const { status, headers, body } = answer;
  await passed(faults.get("slow-headers")?.wait);
  const hasBody = status !== 204 && status !== 304;
  const length = body.length + (faults.get("wrong-length")?.by ?? 0);
  response.writeHead(status, { ...headers, ...(hasBody ? { "content-length": String(Math.max(0, length)) } : {}) });
  if (isHead || !hasBody) {
    response.end();
    return 0;
  }
  const cut = faults.get("cut-body");
  if (cut !== undefined) {
    const part = body.subarray(0, cut.after);
    response.write(part);
    // Send the bytes first, before the reset overtakes them.
    response.write("", () => setImmediate(() => response.socket?.resetAndDestroy()));
    return part.length;
  }
  const slow = faults.get("slow-body");
  if (slow === undefined) response.write(body);
  else {
    response.flushHeaders();
    const half = Math.floor(body.length / 2);
    response.write(body.subarray(0, half));
    await passed(slow.wait);
    response.write(body.subarray(half));
  }
  response.end();
  // The wrong number of bytes was sent: a client could not separate a later answer on this
  // connection.
  if (length !== body.length) response.socket?.end();
  return body.length;
}

async function passed(wait: Wait | undefined): Promise<void> {
  if (typeof wait === "number") await new Promise((done) => setTimeout(done, wait));
  else await wait;
}
