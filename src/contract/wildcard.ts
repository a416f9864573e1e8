/**
 * Whether a text matches a pattern in which `*` stands for any text, the empty one included (seed sections 4.1, 4.2).
 * Linear two-pointer matching: no pattern from outside ever becomes a regular expression.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let patternAt = 0;
  let textAt = 0;
  let star = -1;
  let retry = 0;
  while (textAt < text.length) {
    if (patternAt < pattern.length && pattern[patternAt] === "*") {
      star = patternAt++;
      retry = textAt;
    } else if (patternAt < pattern.length && pattern[patternAt] === text[textAt]) {
      patternAt++;
      textAt++;
    } else if (star >= 0) {
      patternAt = star + 1;
      textAt = ++retry;
    } else {
      return false;
    }
  }
  while (patternAt < pattern.length && pattern[patternAt] === "*") patternAt++;
  return patternAt === pattern.length;
}
