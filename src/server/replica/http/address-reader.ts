import { matchRequest, type RequestMatch } from "../../../contract/request.js";
import { Lru } from "../../../lib/collections/lru.js";

/** The address of a request, read. */
export interface RequestAddress {
  pathname: string;
  /** The query with its question mark, or empty. */
  search: string;
  /** What the interface is asked for; undefined where the path is none of the interface. */
  match: RequestMatch | undefined;
  /** The address without its token: what decides the answer. */
  addressWithoutToken: string;
}

/** Number of addresses that are kept: builds ask for the same ones again and again. */
const keptAddresses = 1000;
/** Addresses of more characters are not kept. */
const longestKept = 2000;

/** Returns a function that reads addresses (path and query as they came; they begin with a slash). */
export function createAddressReader(): (target: string) => RequestAddress {
  const addresses = new Lru<string, RequestAddress>(keptAddresses);
  return (target) => {
    const known = addresses.get(target);
    if (known !== undefined) return known;
    const address = readAddress(target);
    if (target.length <= longestKept) addresses.set(target, address);
    return address;
  };
}

function readAddress(target: string): RequestAddress {
  const { pathname, search } = new URL(`http://localhost${target}`);
  const parameters = new URLSearchParams(search);
  parameters.delete("token");
  return { pathname, search, match: matchRequest(pathname, search), addressWithoutToken: `${pathname}?${parameters}` };
}
