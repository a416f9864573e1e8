import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { matchRequest } from "../../src/contract/request.js";

/** The paths of seed sections 4.1 to 4.9, and nothing else. */
const seedPaths = [
  /^\/v2\/cdn\/stories$/,
  /^\/v2\/cdn\/stories\/.+$/,
  /^\/v2\/cdn\/links\/[^/]+$/,
  /^\/v2\/cdn\/experiments$/,
  /^\/v2\/cdn\/datasources$/,
  /^\/v2\/cdn\/datasources\/\d+$/,
  /^\/v1\/space_info$/,
  /^\/oauth\/space_info$/,
  /^\/v1\/spaces\/\d+\/webhook_endpoints\/\d+$/,
];

/**
 * Stands in front of a server of the whole interface and answers 404 to everything that the seed does not have.
 *
 * @param options.headers Whether it hands on the paging headers.
 * @param options.strict Whether a parameter that the seed does not name for the address is answered with 422.
 */
export async function startSeedPathsServer(
  upstreamUrl: string,
  options: { headers: boolean; strict?: boolean },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      const path = new URL(request.url ?? "/", upstreamUrl).pathname;
      if (!seedPaths.some((pattern) => pattern.test(path))) {
        response.writeHead(404, { "content-type": "application/json" }).end('["This record could not be found"]');
        return;
      }
      const unknown = options.strict === true ? beyondSeed(request.url ?? "/") : [];
      if (unknown.length > 0) {
        const body = JSON.stringify({ error: `Parameter(s) ${unknown.join(", ")} not allowed` });
        response.writeHead(422, { "content-type": "application/json" }).end(body);
        return;
      }
      // Who does not know `cv` at an address does not redirect to it.
      const knowsCv = options.strict !== true || beyondSeed(`${path}?cv=1`).length === 0;
      const answer = await fetch(`${upstreamUrl}${request.url}`, { redirect: knowsCv ? "manual" : "follow" });
      const headers: Record<string, string> = { "content-type": "application/json" };
      const location = answer.headers.get("location");
      if (location !== null)
        headers.location = new URL(location, upstreamUrl).pathname + new URL(location, upstreamUrl).search;
      if (options.headers) {
        for (const name of ["total", "per-page"]) {
          const value = answer.headers.get(name);
          if (value !== null) headers[name] = value;
        }
      }
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Names of the parameters of an address that the seed does not have there. */
export function beyondSeed(target: string): string[] {
  const { pathname, searchParams, search } = new URL(target, "http://seed");
  const match = matchRequest(pathname, search);
  const names = [...new Set([...searchParams.keys()].map((name) => name.replace(/\[.*/s, "")))];
  const params: Readonly<Record<string, { origin: string }>> = match?.endpoint.params ?? {};
  return names.filter((name) => name !== "token" && params[name]?.origin !== "seed");
}
