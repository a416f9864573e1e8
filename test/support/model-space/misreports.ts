import type { ModelAnswer, ModelRequest } from "./origin.js";
import type { Random } from "./random.js";

/** What an interface says wrongly of its own lists. */
export interface Misreports {
  /** Share of the spells in which `Total` is wrong. */
  wrongTotals: number;
  /** Share of the spells in which a page of the index behind the first is empty. */
  emptyPages: number;
  /** Share of the answers to a batch of a translation that are empty; never two in a row for one language. */
  emptyTranslations: number;
  /** Share of the answers to a batch that come from an origin which lags behind, and says so by its own cv. */
  staleOrigins: number;
}

/** What is remembered of misreports in a history. */
export interface Misreported {
  random: Random;
  /** Spell and address → total. */
  totals: Map<string, number>;
  /** Languages whose last batch was answered with nothing. */
  emptied: Set<string>;
}

/** A wrong figure comes from a copy, so that all pages of some seconds repeat it. */
const spellMs = 7_000;

/**
 * The answer as it is reported: `Total` one more, one fewer, or that of the last spell; or a page of the links listing
 * without a row; or a batch of a translation without a story.
 */
export function misreport(
  answer: ModelAnswer,
  { pathname, query }: ModelRequest,
  { wrongTotals, emptyPages, emptyTranslations }: Misreports,
  { nowMs, random, totals, emptied: lately }: Misreported & { nowMs: number },
): ModelAnswer {
  if (answer.status !== 200) return answer;
  const language = query.get("language");
  if (language !== null && query.has("by_uuids") && emptyTranslations > 0) {
    const isEmptied = !lately.delete(language) && random.stream(`batch ${nowMs}`).chance(emptyTranslations);
    if (isEmptied) {
      lately.add(language);
      const body = answer.body.replace(/\[.*\],"cv"/s, '[],"cv"');
      return { ...answer, headers: { ...answer.headers, total: "0" }, body };
    }
  }
  const spell = Math.floor(nowMs / spellMs);
  const isIndex = pathname.endsWith("/links");
  const page = Number(query.get("page") ?? 1);
  const emptied = random.stream(`empty ${spell}`);
  if (isIndex && emptied.chance(emptyPages) && page === emptied.int(2, 4)) return { ...answer, body: '{"links":{}}' };
  if (answer.headers.total === undefined) return answer;
  const total = Number(answer.headers.total);
  const list = `${pathname} ${query.get("version")} ${query.get("language")} ${query.get("by_uuids")}`;
  totals.set(`${spell} ${list}`, total);
  const wrong = random.stream(`total ${spell} ${pathname}`);
  if (!wrong.chance(wrongTotals)) return answer;
  const before = totals.get(`${spell - 1} ${list}`) ?? total;
  const shown = wrong.pick([total + 1, Math.max(0, total - 1), Math.max(0, total - 1), before]);
  return { ...answer, headers: { ...answer.headers, total: String(shown) } };
}
