import { createHmac, randomBytes } from "node:crypto";
import { acceptsAnyone } from "../replica/access.js";
import type { HttpRequest } from "../replica/http/exchange.js";
import type { ExplorerSpace } from "./data/explorer-space.js";
import { prefix } from "./parts/page.js";

/** What the token or the cookie of a request says. */
export interface Session {
  /** The space that it may read. */
  space: ExplorerSpace;
  /** Where the token came in the address: the cookie that stands for it from now on. */
  cookie?: string;
}

/** @returns undefined where the request may read nothing */
export type FindSession = (request: HttpRequest, query: URLSearchParams) => Session | undefined;

/** Browsers send a cookie to every port of a host: the port in its name tells two explorers on this machine apart. */
function cookieName(host: string): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? "offprint_explorer" : `offprint_explorer_${port}`;
}

/**
 * Who may look at which space. Pages show drafts and everything else, so a token that may read drafts is needed; where any
 * token is accepted, which is so on this machine alone, none is. A token in the address is answered with a cookie that
 * stands for it and does not contain it; it ends with the browser's session, or with this process.
 *
 * @param ticket what may come once as `key` in place of a token, for the browser that this process opens: an argument of a
 *   command must not be a token
 */
export function createSessions(spaces: readonly ExplorerSpace[], ticket?: string): FindSession {
  let isTicketValid = ticket !== undefined;
  const key = randomBytes(32);
  const idOf = (token: string) => createHmac("sha256", key).update(token).digest("base64url");
  const byId = new Map(
    spaces.flatMap((space) => space.source.tokens.preview.map((token) => [idOf(token), space] as const)),
  );
  const open = spaces.find(({ source }) => acceptsAnyone(source.tokens));
  const ticketId = idOf(`ticket ${ticket}`);
  const [first] = spaces;
  if (first !== undefined && ticket !== undefined) byId.set(ticketId, first);
  const setCookie = (name: string, id: string) => `${name}=${id}; HttpOnly; SameSite=Strict; Path=${prefix}`;
  return ({ header, method }, query) => {
    const name = cookieName(header("host") ?? "");
    if (isTicketValid && first !== undefined && query.get("key") === ticket && method === "GET") {
      isTicketValid = false;
      return { space: first, cookie: setCookie(name, ticketId) };
    }
    const token = query.get("token");
    const id = token === null ? undefined : idOf(token.trim());
    const named = id === undefined ? undefined : byId.get(id);
    if (named !== undefined && id !== undefined) return { space: named, cookie: setCookie(name, id) };
    if (token !== null && open === undefined) return undefined;
    const given = /^(?:bearer +)?(\S+)\s*$/i.exec(header("authorization") ?? "")?.[1];
    const space = (given && byId.get(idOf(given))) || byId.get(cookieIn(header("cookie") ?? "", name)) || open;
    return space === undefined ? undefined : { space };
  };
}

function cookieIn(header: string, wanted: string): string {
  for (const pair of header.split(";")) {
    const [name, value = ""] = pair.trim().split("=", 2);
    if (name === wanted) return value;
  }
  return "";
}
