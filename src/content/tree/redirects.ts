import { list, object, optional, text } from "../../lib/shape.js";
import type { ContentChanges } from "./content-changes.js";
import type { EditionPlan } from "./plan-edition.js";
import { parseJson } from "./tree-record.js";

/** One line of `redirects.json`: an old address of a story, and its current one. */
export interface Redirect {
  edition: string;
  uuid: string;
  /** The full slug that it had. */
  full_slug: string;
  /** The real path that it had; absent if it had none. */
  path?: string;
  /** The site's URL of that address. */
  from: string;
  /** The site's URL of the story now. */
  to: string;
}

/**
 * The redirects of all stories that are known to have moved: those of the earlier file, and those of the changes.
 * Each leads to the current address of its story. A redirect is left out when its story is gone, or when another
 * story has the old address now.
 *
 * @param earlier bytes of the earlier `redirects.json`
 */
export function collectRedirects(
  earlier: Uint8Array | undefined,
  changes: ContentChanges | undefined,
  editions: readonly EditionPlan[],
): Redirect[] {
  const moved = (changes?.moved ?? []).map(({ edition, uuid, from, fromPath }): Move => {
    return { edition, uuid, full_slug: from, ...(fromPath === undefined ? {} : { path: fromPath }) };
  });
  const found = new Map<string, Redirect>();
  const moves = [...earlierMoves(earlier), ...moved];
  if (moves.length === 0) return [];
  for (const { entry, stories, url } of editions) {
    const taken = new Set([...stories.values()].map((story) => story.url));
    for (const { edition, uuid, full_slug, path } of moves) {
      const story = stories.get(uuid);
      if (edition !== entry.name || story === undefined) continue;
      const from = url({ full_slug, path });
      const before = { edition, uuid, full_slug, ...(path === undefined ? {} : { path }) };
      if (!taken.has(from)) found.set(`${edition}\n${from}`, { ...before, from, to: story.url });
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, redirect]) => redirect);
}

type Move = Omit<Redirect, "from" | "to">;

const move = { edition: text, uuid: text, full_slug: text, path: optional(text) };
const moveShape = object<Move>(move);
/** What `redirects.json` holds. */
export const redirectsShape = list(object<Redirect>({ ...move, from: text, to: text }));

/** The file `_redirects` of some hosts: `from to 301` a line. Editions with the same address share a rule. */
export function redirectRules(redirects: readonly Redirect[]): string {
  const rules = new Map(redirects.map(({ from, to }) => [pathOf(from), to]));
  return [...rules].map(([from, to]) => `${ruleText(from)} ${ruleText(to)} 301\n`).join("");
}

function earlierMoves(bytes: Uint8Array | undefined): Move[] {
  const lines = bytes === undefined ? undefined : parseJson(bytes);
  return Array.isArray(lines) ? lines.filter((line) => moveShape.is(line)) : [];
}

/** The path of a URL: hosts match paths, without the origin. */
function pathOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "") || "/";
}

/** A URL in a rule. There `*` and `:name` match any text, and a space ends the address: they are encoded. */
function ruleText(url: string): string {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(url)?.[0] ?? "";
  return (
    origin +
    url.slice(origin.length).replace(/[*:\s]/g, (character) => encodeURIComponent(character).replace("*", "%2A"))
  );
}
