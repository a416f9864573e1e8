import { type PlainAnswer, type ScriptedAnswer, type ScriptedServer, startScriptedServer } from "./scripted-server.js";

/** A request that reached the front. */
export interface FrontRequest {
  /** From 0. */
  index: number;
  path: string;
  query: URLSearchParams;
}

/**
 * A server in front of another one: answers as `refuse` says, and forwards everything else.
 * Redirects of the server behind stay, with a relative address.
 */
export function startFrontServer(
  target: string,
  refuse: (request: FrontRequest) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>,
): Promise<ScriptedServer> {
  return startScriptedServer(
    async ({ path, query, target: asked }, index) =>
      (await refuse({ index, path, query })) ?? forward(`${target}${asked}`),
  );
}

/** The answer of the server behind. */
export async function forward(url: string, redirect: "manual" | "follow" = "manual"): Promise<PlainAnswer> {
  const answer = await fetch(url, { redirect });
  const headers: Record<string, string> = {};
  for (const name of ["content-type", "total", "per-page", "date"]) {
    const value = answer.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const location = answer.headers.get("location");
  if (location !== null) {
    const { pathname, search } = new URL(location, url);
    headers.location = `${pathname}${search}`;
  }
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) };
}
