const quote = 34;
const backslash = 92;
const comma = 44;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;

/**
 * The text under a top-level field of a record (a copy, which keeps no line in memory), without parsing the record: keys stand early in a record, so that this
 * looks at a few hundred characters where `JSON.parse` reads them all.
 * @param line Canonical JSON of an object, without spaces between its tokens.
 * @returns undefined when the field is absent or holds no text.
 */
export function recordKey(line: string, field: string): string | undefined {
  let at = 1;
  while (line.charCodeAt(at) === quote) {
    const nameEnd = endOfText(line, at);
    const valueEnd = endOfValue(line, nameEnd + 1);
    if (nameEnd - at === field.length + 2 && line.startsWith(field, at + 1)) {
      return line.charCodeAt(nameEnd + 1) === quote ? JSON.parse(line.slice(nameEnd + 1, valueEnd)) : undefined;
    }
    if (line.charCodeAt(valueEnd) !== comma) return undefined;
    at = valueEnd + 1;
  }
  return undefined;
}

/** Index after the closing quote of the text that starts at `at`. */
function endOfText(line: string, at: number): number {
  let end = at;
  do {
    end = line.indexOf('"', end + 1);
    if (end < 0) return line.length;
  } while (isEscaped(line, end));
  return end + 1;
}

function isEscaped(line: string, at: number): boolean {
  let start = at;
  while (line.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}

/** Index after the JSON value that starts at `at`; nesting is counted, so that depth costs no stack. */
function endOfValue(line: string, at: number): number {
  let depth = 0;
  let end = at;
  while (end < line.length) {
    const code = line.charCodeAt(end);
    if (code === quote) {
      end = endOfText(line, end);
    } else if (code === openBrace || code === openBracket) {
      depth++;
      end++;
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return end;
      depth--;
      end++;
    } else if (code === comma && depth === 0) {
      return end;
    } else {
      end++;
      continue;
    }
    if (depth === 0) return end;
  }
  return end;
}
