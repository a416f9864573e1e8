import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/**
 * Answers GET for the files of a folder as storage does, out of memory: `object-server <dir> <milliseconds>` serves them below
 * `/bench/site/`, each answer after a time, as from a data centre. Looks at no signature. Tells its port.
 */
const [dir = "", latencyMs = "0"] = process.argv.slice(2);
const objects = new Map<string, { body: Buffer; etag: string }>();
for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  const body = await readFile(path);
  const key = path.slice(dir.length + 1).replaceAll("\\", "/");
  objects.set(`/bench/site/${key}`, { body, etag: `"${createHash("md5").update(body).digest("hex")}"` });
}
const server = createServer((request, response) => {
  const answer = () => {
    const found = objects.get(decodeURIComponent((request.url ?? "").replace(/\?.*$/, "")));
    if (found === undefined) return response.writeHead(404).end();
    const headers = { etag: found.etag, "content-length": found.body.length };
    if (request.headers["if-none-match"] === found.etag) return response.writeHead(304, { etag: found.etag }).end();
    return response.writeHead(200, headers).end(found.body);
  };
  if (latencyMs === "0") answer();
  else setTimeout(answer, Number(latencyMs));
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());
