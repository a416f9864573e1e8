import { isLocalOrigin } from "../../../lib/http-server/host-check.js";
import type { ReplicaAnswer, StreamedAnswer } from "../answers/answer.js";
import { ignoredHeader } from "../answers/answer-stories.js";
import { editionHeader } from "../answers/choose-edition.js";
import { approximatedHeader } from "../answers/choose-fallback.js";
import { createBodyBuffers } from "./body-buffers.js";
import type { HttpRequest, HttpResponse } from "./exchange.js";

/** Makes the response of an answer: the headers that every response has, and one body of all pieces. */
export type Completion = (request: HttpRequest, answer: ReplicaAnswer | StreamedAnswer) => HttpResponse;

/** What scripts of other origins may read: the platform's list, and what else answers carry. */
const exposedHeaders = [
  ...["Api-Version", "Token", "Total", "Per-Page", "ETag", "Link", "Allow", "Accept-Ranges", "Content-Range"],
  ...[editionHeader, ignoredHeader, approximatedHeader],
];
const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders.join(", "),
};

/**
 * @param acceptsAnyToken Whether any token may read. Then pages of other sites get no CORS headers, since no token
 *   keeps them out.
 */
export function createCompletion({ acceptsAnyToken }: { acceptsAnyToken: boolean }): Completion {
  const buffers = createBodyBuffers();
  return (request, { status, headers: own, body }) => {
    const cors = acceptsAnyToken && !isLocalOrigin(request.header("origin")) ? undefined : corsHeaders;
    const headers: Record<string, string> = { ...own, Vary: "Accept-Encoding,Origin", ...cors };
    if ("pieces" in body) return { status, headers: { ...headers, "Content-Length": String(body.size) }, body };
    const joined = buffers.join(body);
    if (status !== 204 && status !== 304) headers["Content-Length"] = String(joined.byteLength);
    return { status, headers, body: joined, release: () => buffers.release(joined) };
  };
}

/** The answer to OPTIONS, which browsers send before a request that has headers of its own. */
export function preflight(request: HttpRequest, methods: string): ReplicaAnswer {
  const headers = {
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": request.header("access-control-request-headers") ?? "Authorization",
    "Access-Control-Max-Age": "600",
  };
  return { status: 204, headers, body: [] };
}
