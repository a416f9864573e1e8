import { matchRequest } from "../../src/contract/request.js";
import { forward } from "./front-server.js";
import { type ScriptedServer, startScriptedServer } from "./scripted-server.js";

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
 * A server in front of one with the whole interface: answers 404 to everything that the seed does
 * not have.
 *
 * @param options.headers passes the paging headers on
 * @param options.strict answers 422 to a parameter that the seed does not name for the address
 */
export function startSeedPathsServer(
  upstreamUrl: string,
  options: { headers: boolean; strict?: boolean },
): Promise<ScriptedServer> {
  return startScriptedServer(async ({ path, target }) => {
    if (!seedPaths.some((pattern) => pattern.test(path)))
      return { status: 404, body: ["This record could not be found"] };
    const unknown = options.strict === true ? beyondSeed(target) : [];
    if (unknown.length > 0) return { status: 422, body: { error: `Parameter(s) ${unknown.join(", ")} not allowed` } };
    // An address that does not know `cv` does not redirect to it.
    const knowsCv = options.strict !== true || beyondSeed(`${path}?cv=1`).length === 0;
    const { headers = {}, ...answer } = await forward(`${upstreamUrl}${target}`, knowsCv ? "manual" : "follow");
    const paging = ["total", "per-page", "date"];
    const kept = Object.entries(headers).filter(([name]) => options.headers || !paging.includes(name));
    return { ...answer, headers: Object.fromEntries(kept) };
  });
}

/** Names of the parameters of an address that the seed does not have there. */
export function beyondSeed(target: string): string[] {
  const { pathname, searchParams, search } = new URL(target, "http://seed");
  const match = matchRequest(pathname, search);
  const names = [...new Set([...searchParams.keys()].map((name) => name.replace(/\[.*/s, "")))];
  const params: Readonly<Record<string, { origin: string }>> = match?.endpoint.params ?? {};
  return names.filter((name) => name !== "token" && params[name]?.origin !== "seed");
}
