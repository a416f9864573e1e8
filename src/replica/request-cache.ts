import { matchRequest, type RequestMatch } from "../contract/request.js";

/** A request's address, read. */
interface ReadRequest {
  /** undefined: no address of the interface. */
  match: RequestMatch | undefined;
  /** The address without its token: what decides the answer. */
  address: string;
}

/** Reads addresses; those that were asked for last are remembered, because builds ask for the same ones again and again. */
export type RequestCache = (pathname: string, search: string) => ReadRequest;

/** Addresses that are remembered, and how long one may be, in characters. */
const kept = 1000;
const longest = 2000;

export function createRequestCache(): RequestCache {
  const read = new Map<string, ReadRequest>();
  return (pathname, search) => {
    const key = pathname + search;
    const known = read.get(key) ?? readRequest(pathname, search);
    if (key.length > longest) return known;
    read.delete(key);
    read.set(key, known);
    if (read.size > kept) read.delete(read.keys().next().value!);
    return known;
  };
}

function readRequest(pathname: string, search: string): ReadRequest {
  const parameters = new URLSearchParams(search);
  parameters.delete("token");
  return { match: matchRequest(pathname, search), address: `${pathname}?${parameters}` };
}
