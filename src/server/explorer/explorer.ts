import { isOffprintError } from "../../lib/errors.js";
import type { HttpRequest, WholeResponse } from "../replica/http/exchange.js";
import type { SnapshotSource } from "../replica/snapshot-source.js";
import type { ExploredSpace, ExplorerSpace } from "./data/explorer-space.js";
import { documentOf, problemPage, reportOf, stylesheet, tokenPage } from "./layout.js";
import { assetPage } from "./pages/asset-page.js";
import { assetsPage } from "./pages/assets-page.js";
import { comparePage } from "./pages/compare-page.js";
import { compareStoryPage } from "./pages/compare-story-page.js";
import { languageCountsPage } from "./pages/language-counts-page.js";
import { languagesPage } from "./pages/languages-page.js";
import { problemsPage } from "./pages/problems-page.js";
import { runsPage } from "./pages/runs-page.js";
import { searchPage } from "./pages/search-page.js";
import { statePage } from "./pages/state-page.js";
import { storiesPage } from "./pages/stories-page.js";
import { storyPage } from "./pages/story-page.js";
import { usagePage } from "./pages/usage-page.js";
import { type Format, type Page, type PageMaker, type PageRequest, prefix } from "./parts/page.js";
import { script } from "./script.js";
import { createSessions } from "./session.js";

export interface ExplorerOptions {
  spaces: readonly ExploredSpace[];
  ticket?: string;
  /** Default: the clock of this machine, in milliseconds since the epoch. */
  now?: () => number;
  onError?: (error: unknown) => void;
}

/** Pages under {@link prefix}, each with its data as `.json`. Answers only GET and HEAD, and writes nothing. */
export function createExplorer(options: ExplorerOptions) {
  const { now = Date.now, onError = () => {} } = options;
  return (sources: readonly SnapshotSource[]) => {
    const spaces = options.spaces.map((space, place): ExplorerSpace => ({ ...space, source: sources[place]! }));
    const sessionOf = createSessions(spaces, options.ticket);
    /** Never rejects. */
    return async (request: HttpRequest): Promise<WholeResponse> => {
      try {
        const file = fileOf(request.target);
        if (request.method !== "GET" && request.method !== "HEAD") {
          return textResponse(405, "text/plain", "Read only\n", { Allow: "GET, HEAD" });
        }
        if (file !== undefined) return file;
        const { pathname, searchParams: query } = new URL(request.target, "http://localhost");
        const session = sessionOf(request, query);
        const bare = withoutToken(pathname, query);
        if (session === undefined) return refused(pathname, query);
        if (session.cookie !== undefined) return redirectResponse(bare, { "Set-Cookie": session.cookie });
        if (withoutTokens(query).toString() !== query.toString()) return redirectResponse(bare);
        return await answer(session.space, pathname, query, now());
      } catch (error) {
        onError(error);
        return textResponse(500, "text/plain", "The page could not be made. The log of the server says why.\n");
      }
    };
  };
}

/** The style sheet and the script. They reveal nothing about a space. */
function fileOf(target: string): WholeResponse | undefined {
  const cached = { "Cache-Control": "private, max-age=60" };
  if (target === `${prefix}/style.css`) return textResponse(200, "text/css", stylesheet, cached);
  if (target === `${prefix}/script.js`) return textResponse(200, "text/javascript", script, cached);
  return undefined;
}

function withoutToken(pathname: string, query: URLSearchParams): string {
  const path = pathname.startsWith(`${prefix}/`) ? pathname : `${prefix}/`;
  return path + searchOf(withoutTokens(query));
}

function searchOf(query: URLSearchParams): string {
  return query.size === 0 ? "" : `?${query}`;
}

function withoutTokens(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete("token");
  rest.delete("key");
  // A request that a person pasted into the search.
  const sent = rest.get("parameters");
  if (sent !== null) rest.set("parameters", sent.replace(/(^|[?&\s])token=[^&\s]*/g, "$1"));
  return rest;
}

function refused(pathname: string, query: URLSearchParams): WholeResponse {
  if (pathname.endsWith(".json")) {
    return textResponse(401, "application/json", '{"error":"A token that may read drafts is required"}');
  }
  return textResponse(401, "text/html", tokenPage(withoutToken(pathname, new URLSearchParams()), withoutTokens(query)));
}

const extensions: Readonly<Record<string, Format>> = { ".json": "json", ".md": "markdown", ".html": "report" };

async function answer(
  space: ExplorerSpace,
  pathname: string,
  query: URLSearchParams,
  nowMs: number,
): Promise<WholeResponse> {
  if (pathname === prefix) return redirectResponse(`${prefix}/`);
  const [, extension = ""] = /(\.json|\.md|\.html)$/.exec(pathname) ?? [];
  const format = extensions[extension] ?? "page";
  // `/_explorer/../v2` normalizes to an address outside the explorer.
  const isOurs = pathname.startsWith(`${prefix}/`);
  const bare = pathname.slice(0, pathname.length - extension.length);
  const path = isOurs ? segmentsOf(bare.slice(prefix.length + 1)) : undefined;
  const page = await pageOf(space, path && { path, query, format, nowMs });
  const { manifest } = space.source.view().reader;
  const jsonAddress = `${bare.replace(/\/$/, "/index")}.json${searchOf(query)}`;
  const around = { manifest, nowMs, address: pathname + searchOf(query), jsonAddress };
  const status = page.status ?? 200;
  if (format === "json") return textResponse(status, "application/json", JSON.stringify(page.data, undefined, 1));
  if (format === "markdown" && page.markdown) {
    return textResponse(status, "text/markdown", page.markdown(), attachment("comparison.md"));
  }
  if (format === "report" && page.isReport) {
    return textResponse(status, "text/html", reportOf(page, around), attachment("comparison.html"));
  }
  const shown = format === "page" || page.status !== undefined ? page : nothingThere();
  return textResponse(shown.status ?? 200, "text/html", documentOf(shown, around));
}

function attachment(name: string): Record<string, string> {
  return { "Content-Disposition": `attachment; filename="${name}"` };
}

function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function nothingThere(): Page {
  return problemPage(404, "Not found", "There is no page at this address.");
}

async function pageOf(space: ExplorerSpace, request: PageRequest | undefined): Promise<Page> {
  try {
    return (request && (await makerOf(request.path)?.make(space, request))) ?? nothingThere();
  } catch (error) {
    // For example a pruned generation, an unknown language or a damaged file.
    if (!isOffprintError(error)) throw error;
    const statuses: Record<string, number> = { SNAPSHOT_MISSING: 404, USAGE: 404 };
    return problemPage(statuses[error.code] ?? 500, "Cannot be shown", error.message, error.hint);
  }
}

/** A page loads only from this server, and no text of a page can run as script. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of every response. Without CORS headers, no other site can read it. */
const common = {
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "private, no-store",
};

function textResponse(status: number, type: string, text: string, headers: Record<string, string> = {}): WholeResponse {
  const body = Buffer.from(text.toWellFormed());
  const described = { "Content-Type": `${type}; charset=utf-8`, "Content-Length": String(body.byteLength) };
  return { status, headers: { ...common, ...described, ...headers }, body };
}

function redirectResponse(location: string, headers: Record<string, string> = {}): WholeResponse {
  return textResponse(302, "text/plain", "", { Location: location, ...headers });
}

const pages: readonly PageMaker[] = [
  ...[statePage, storiesPage, searchPage, storyPage, languagesPage, languageCountsPage, comparePage, compareStoryPage],
  ...[assetsPage, assetPage, usagePage, problemsPage, runsPage],
];

export function makerOf(path: readonly string[]): PageMaker | undefined {
  const pattern = path.map((segment, place) => (place === 1 ? "*" : segment)).join("/");
  return pages.find((page) => page.path === (pattern === "index" ? "" : pattern));
}
