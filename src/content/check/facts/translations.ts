import { inMap } from "../../../lib/collections/in-map.js";
import type { CheckedEdition, CheckedSpace, CheckedStory } from "./checked-space.js";
import { eachText } from "./shard-facts.js";

/** How much of a story's text is the same as in the default language. */
export interface Translation {
  story: CheckedStory;
  /** 0 to 1, by letters. */
  sameShare: number;
  letters: number;
}

/** A field needs this many translated texts before it can count as the same in every language. */
const leastOfField = 20;

/** Fields that are the same in nearly every translated story (codes, product names) do not count. */
export function translations(space: CheckedSpace): readonly Translation[] {
  return inMap(compared, space, () => compare(space));
}

const compared = new WeakMap<CheckedSpace, readonly Translation[]>();

function compare({ editions }: CheckedSpace): Translation[] {
  const base = editions.find(({ entry }) => entry.language === "default");
  if (base === undefined || editions.length < 2) return [];
  const textsOf = new Map<number, Set<number>>();
  for (const { start, facts } of base.shards) {
    eachText(facts, (story, text) => inMap(textsOf, start + story, () => new Set<number>()).add(text));
  }
  return editions.filter((edition) => edition !== base).flatMap((edition) => translationsOf(edition, base, textsOf));
}

interface Compared {
  field: number;
  weight: number;
  isSame: boolean;
}

function translationsOf(
  edition: CheckedEdition,
  base: CheckedEdition,
  textsOf: ReadonlyMap<number, ReadonlySet<number>>,
): Translation[] {
  const stories = new Map<number, Compared[]>();
  for (const { start, facts } of edition.shards) {
    const counterparts = Array.from(facts.uuidHashes, (hash) => base.find(hash));
    eachText(facts, (story, text, field, weight) => {
      const counterpart = counterparts[story];
      if (counterpart === undefined) return;
      const isSame = textsOf.get(counterpart)?.has(text) === true;
      inMap(stories, start + story, () => []).push({ field, weight, isSame });
    });
  }
  const constant = constantFields(stories.values());
  return [...stories].flatMap(([at, texts]): Translation[] => {
    const counted = texts.filter(({ field }) => !constant.has(field));
    const letters = weightOf(counted);
    if (letters === 0) return [];
    const sameShare = weightOf(counted.filter(({ isSame }) => isSame)) / letters;
    return [{ story: { edition, at }, sameShare, letters: letters * 4 }];
  });
}

/** Fields that are the same in 49 of 50 stories of which most of the other texts differ. */
function constantFields(stories: Iterable<readonly Compared[]>): Set<number> {
  const counts = new Map<number, { all: number; same: number }>();
  for (const texts of stories) {
    for (const { field, isSame } of texts) {
      const others = texts.filter((other) => other.field !== field);
      const differing = weightOf(others.filter((other) => !other.isSame));
      if (others.length === 0 || differing * 2 < weightOf(others)) continue;
      const { all, same } = counts.get(field) ?? { all: 0, same: 0 };
      counts.set(field, { all: all + 1, same: same + (isSame ? 1 : 0) });
    }
  }
  return new Set(
    [...counts].filter(([, { all, same }]) => all >= leastOfField && same >= all * 0.98).map(([field]) => field),
  );
}

function weightOf(texts: readonly Compared[]): number {
  return texts.reduce((sum, { weight }) => sum + weight, 0);
}

/** Shorter texts may be equal to their translation by chance. */
const leastLetters = 12;
const sample = 2_000;
/** A word that begins in lower case and is longer than particles of names (`van`, `und`). */
const lowerWord = /^\p{Ll}[\p{L}\p{M}'’-]{3,}$/u;
const word = /^[\p{Ps}\p{Pi}"'¿¡]*\p{L}[\p{L}\p{M}'’-]*[\p{P}]*$/u;
/** Letters of scripts without upper and lower case, many of which write no spaces between words. */
const caseless = /\p{Lo}/gu;

/** Counts the letters that a translation would change: 0 for names, numbers, addresses, codes and class lists. */
export function proseLetters(text: string): number {
  if (text.length < 6) return 0;
  const looked = text.length > sample ? text.slice(0, sample) : text;
  const others = looked.match(caseless)?.length ?? 0;
  if (others >= leastLetters / 2) return Math.max(leastLetters, others * 2);
  if (text.length < leastLetters) return 0;
  const tokens = looked.split(/\s+/).filter((token) => token !== "");
  if (tokens.length < 2) return 0;
  const words = tokens.filter((token) => word.test(token));
  if (words.length < tokens.length * 0.6) return 0;
  const letters = words.reduce((sum, one) => sum + one.length, 0);
  const isSentence = words.some((one) => lowerWord.test(one.replace(/\p{P}+$/u, "")));
  // Lists of CSS classes: most of the words have a hyphen in them.
  const isCode = words.filter((one) => /\p{L}-\p{L}/u.test(one)).length > words.length / 2;
  return isSentence && !isCode && letters >= leastLetters ? letters : 0;
}
