/** `[text](address)`, also of an image: the text on one line, the address without spaces. Reads the text once. */
export function hasInlineLink(text: string): boolean {
  const endOfAddress = nextMatch(text, /[)\s]/g);
  let opening = -1;
  for (const { index, 0: character } of text.matchAll(/[[\]\n]/g)) {
    if (character === "[") {
      if (opening === -1) opening = index;
      continue;
    }
    if (character === "]" && opening !== -1 && index > opening + 1 && text.charAt(index + 1) === "(") {
      const end = endOfAddress(index + 2)?.index;
      if (end !== undefined && end > index + 2 && text.charAt(end) === ")") return true;
    }
    opening = -1;
  }
  return false;
}

/** `[text](/page)`, `[name]: /page`, `<a href="/page">`. */
export function addressesIn(text: string): string[] {
  const inMarkdown = addressPatterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, found = ""]) => found),
  );
  return [...new Set([...inMarkdown, ...hrefsIn(text)])];
}

/** Links and definitions. None of them may look at a part of the text for each bracket before it. */
const addressPatterns = [/\]\(\s*<?([^)\s>]+)/g, /^[ >]*\[(?:[^\][\\]|\\[\s\S])+\]:\s*<?([^\s>]+)/gm];

/** Also in code. */
export function hrefsIn(text: string): string[] {
  const closing = nextMatch(text, />/g);
  const href = nextMatch(text, /\bhref\s*=\s*["']?([^"'\s>]+)/gi);
  const found: string[] = [];
  const element = /<a\s/gi;
  for (let match = element.exec(text); match !== null; match = element.exec(text)) {
    const attribute = href(element.lastIndex);
    if (attribute === undefined) break;
    if (attribute.index >= (closing(element.lastIndex)?.index ?? text.length)) continue;
    found.push(attribute[1] ?? "");
    element.lastIndex = attribute.index + attribute[0].length;
  }
  return found;
}

/** Finds the first match from a position on. Positions never go back: the text is read once. @param pattern with `g` */
function nextMatch(text: string, pattern: RegExp): (from: number) => RegExpExecArray | undefined {
  let match: RegExpExecArray | null | undefined;
  return (from) => {
    if (match === undefined || (match !== null && match.index < from)) {
      pattern.lastIndex = from;
      match = pattern.exec(text);
    }
    return match ?? undefined;
  };
}
