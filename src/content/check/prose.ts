/** Letters that a text needs to be told from its translation. */
const leastLetters = 12;
/** Characters that are looked at. */
const sample = 2_000;
/** A word that begins in lower case and is longer than particles of names (`van`, `und`). */
const lowerWord = /^\p{Ll}[\p{L}\p{M}'’-]{3,}$/u;
const word = /^[\p{Ps}\p{Pi}"'¿¡]*\p{L}[\p{L}\p{M}'’-]*[\p{P}]*$/u;
/** Letters of scripts without upper and lower case, many of which write no spaces between words. */
const caseless = /\p{Lo}/gu;

/**
 * How many letters a text has that would read differently in another language: 0 for names, numbers, addresses, codes and
 * lists of classes, which are the same in every language.
 */
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
