import type { ModelAnswer, ModelRequest } from "./origin.js";
import type { Random } from "./random.js";

/** Wrong statements of an interface about its own lists. */
export interface Misreports {
  /** Share of the spells in which `Total` is wrong. */
  wrongTotals: number;
  /** Share of the spells in which a page of the index behind the first is empty. */
  emptyPages: number;
  /**
   * Share of the answers to a batch of a translation that are empty; then that language has right
   * answers for some time.
   */
  emptyTranslations: number;
  /** True if the next answer about such a language is sometimes empty, too. */
  emptyTwice: boolean;
  /** Share of the answers to a batch that come from an origin which lags behind, and says so by its own cv. */
  staleOrigins: number;
  /** Share of the answers about lists other than stories that are empty. */
  emptyLists?: number | undefined;
}

/** Memory of the misreports in a history. */
export interface Misreported {
  random: Random;
  /** Spell and address → total. */
  totals: Map<string, number>;
  /** By language: when a batch was answered with nothing last, and how many answers after it are empty, too. */
  emptied: Map<string, { ms: number; more: number }>;
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
  weather: Misreports,
  misreported: Misreported & { nowMs: number },
): ModelAnswer {
  const { wrongTotals, emptyPages, emptyLists = 0 } = weather;
  const { nowMs, random, totals } = misreported;
  if (answer.status !== 200) return answer;
  const language = query.get("language");
  if (language !== null && query.has("by_uuids") && isSilent(language, weather, misreported)) return emptied(answer);
  if (isEmptied({ pathname, query }, emptyLists, { nowMs, random, totals })) return emptied(answer);
  noteRows({ pathname, query }, answer, totals);
  const spell = Math.floor(nowMs / spellMs);
  const isIndex = pathname.endsWith("/links");
  const page = Number(query.get("page") ?? 1);
  const empty = random.stream(`empty ${spell}`);
  if (isIndex && empty.chance(emptyPages) && page === empty.int(2, 4)) return { ...answer, body: '{"links":{}}' };
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

const listNames = ["datasources", "datasource_entries", "tags", "experiments"];
/**
 * How long the same list is right after an empty answer: a client could not recognize two wrong
 * ones.
 */
const honestMs = 40_000;

function nameOf({ pathname, query }: ModelRequest): string {
  return `${pathname} ${query.get("version")} ${query.get("datasource")} ${query.get("dimension")}`;
}

/** True if a batch of a language has an empty answer. */
function isSilent(
  language: string,
  { emptyTranslations, emptyTwice }: Misreports,
  { nowMs, random, emptied }: Misreported & { nowMs: number },
): boolean {
  if (emptyTranslations === 0) return false;
  const last = emptied.get(language) ?? { ms: Number.NEGATIVE_INFINITY, more: 0 };
  const own = random.stream(`batch ${nowMs}`);
  if (last.more > 0) {
    emptied.set(language, { ms: nowMs, more: last.more - 1 });
    return true;
  }
  if (nowMs - last.ms < honestMs || !own.chance(emptyTranslations)) return false;
  emptied.set(language, { ms: nowMs, more: emptyTwice && own.chance(0.5) ? 1 : 0 });
  return true;
}

/** True if another list has an empty answer: once, and then not for some time. */
function isEmptied(
  request: ModelRequest,
  share: number,
  { nowMs, random, totals }: { nowMs: number; random: Random; totals: Map<string, number> },
): boolean {
  const list = nameOf(request);
  // A client could not recognize a wrong empty list if it was empty before.
  if (share === 0 || (totals.get(`rows ${list}`) ?? 0) === 0) return false;
  const before = totals.get(`emptied ${list}`) ?? Number.NEGATIVE_INFINITY;
  if (nowMs - before < honestMs || !random.stream(`${list} ${nowMs}`).chance(share)) return false;
  totals.set(`emptied ${list}`, nowMs);
  return true;
}

/** Remembers whether another list had rows. */
function noteRows(request: ModelRequest, { body }: ModelAnswer, totals: Map<string, number>): void {
  if (listNames.some((name) => request.pathname.endsWith(`/${name}`)))
    totals.set(`rows ${nameOf(request)}`, body.includes("[{") ? 1 : 0);
}

function emptied(answer: ModelAnswer): ModelAnswer {
  const body = answer.body.replace(/\[.*\]/s, "[]");
  const hasTotal = answer.headers.total !== undefined;
  return { ...answer, body, headers: hasTotal ? { ...answer.headers, total: "0" } : answer.headers };
}
