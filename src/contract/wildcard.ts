/**
 * Tests texts against a pattern; `*` matches any text, even an empty one (seed sections 4.1, 4.2). Outside patterns
 * never become regular expressions: finds the pieces from left to right, without backtracking.
 */
export function wildcardTest(pattern: string): (text: string) => boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return (text) => text === pattern;
  const middle = others.filter((piece) => piece !== "");
  const shortest = first.length + last.length;
  return (text) => {
    if (text.length < shortest || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}
