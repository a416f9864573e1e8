import { createHash } from "node:crypto";
import type { DemoAsset } from "./assets/pictures.js";

/**
 * The answer to a request for a file of the asset library; undefined for a path outside `/f/`. A suffix of the image
 * service (`/m/…`) is ignored: the file comes as it is.
 */
export function answerAsset(request: Request, library: ReadonlyMap<string, DemoAsset>): Response | undefined {
  const path = new URL(request.url).pathname;
  if (!path.startsWith("/f/")) return undefined;
  const file = library.get(path.replace(/\/m(?:\/.*)?$/, ""));
  if (file === undefined)
    return new Response("AccessDenied", { status: 403, headers: { "content-type": "text/plain" } });
  const bytes = file.bytes();
  const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
  const headers = {
    "content-type": file.type,
    etag,
    "last-modified": lastModified,
    "cache-control": "public, max-age=31536000",
  };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers: { ...headers, "content-length": String(bytes.byteLength) } });
}

const lastModified = "Mon, 13 Jan 2025 09:00:00 GMT";
