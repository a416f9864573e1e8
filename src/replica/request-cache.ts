import { matchRequest, type RequestMatch } from "../contract/request.js";

/** A request's address, read. */
interface ReadRequest {
  pathname: string;
  /** The query with its question mark, or empty. */
  search: string;
  /** undefined: no address of the interface. */
  match: RequestMatch | undefined;
  /** The address without its token: what decides the answer. */
  address: string;
}

/**
 * Reads addresses (path and query as they came); those that were asked for last are remembered, because builds ask for the
 * same ones again and again.
 */
export type RequestCache = (target: string) => ReadRequest;

/** Addresses that are remembered, and how long one may be, in characters. */
const kept = 1000;
const longest = 2000;

export function createRequestCache(): RequestCache {
  const known = new Map<string, ReadRequest>();
  return (target) => {
    const request = known.get(target) ?? readRequest(target);
    if (target.length > longest) return request;
    known.delete(target);
    known.set(target, request);
    if (known.size > kept) known.delete(known.keys().next().value!);
    return request;
  };
}

function readRequest(target: string): ReadRequest {
  const { pathname, search } = new URL(`http://localhost${target}`);
  const parameters = new URLSearchParams(search);
  parameters.delete("token");
  return { pathname, search, match: matchRequest(pathname, search), address: `${pathname}?${parameters}` };
}
