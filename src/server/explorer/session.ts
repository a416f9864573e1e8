import { createHmac, randomBytes } from "node:crypto";
import { acceptsAnyone } from "../replica/access.js";
import type { HttpRequest } from "../replica/http/exchange.js";
import type { ExplorerSpace } from "./data/explorer-space.js";
import { prefix } from "./parts/page.js";

/** Browsers send a cookie to every port of a host, so its name contains the port. */
function cookieName(host: string): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return port === undefined ? "offprint_explorer" : `offprint_explorer_${port}`;
}

/**
 * Pages show drafts, so they need a preview token, unless the server accepts any (only on this machine).
 * @param ticket accepted once as `key`, because a command argument must not contain a token
 */
export function createSessions(spaces: readonly ExplorerSpace[], ticket?: string) {
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
  /** The space of a request, and the cookie that replaces a token given in its address. */
  return ({ header, method }: HttpRequest, query: URLSearchParams) => {
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
