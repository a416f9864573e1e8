/** How far from a mistake to look for neighbouring keys, in characters. */
const reach = 2_000;

interface KeyLine {
  key: string;
  indent: number;
  /** The key has no value on its line, so the keys below it are indented further. */
  isOpen: boolean;
}

/** Names the key near the parser's mistake whose column differs from its neighbours; empty if there is none. Pure. */
export function indentationHint(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const above = keyLines(text.slice(Math.max(0, lineStart - reach), lineStart));
  // The mistake's line and the next one with a key: the parser may stop at the value before a key.
  const [here, next] = keyLines(text.slice(lineStart, lineStart + reach));
  const last = above.at(-1);
  const isAtValue = here !== undefined && offset > lineStart + here.indent;
  const [upper, lower] = isAtValue || last === undefined ? [here, next] : [last, here];
  if (upper === undefined || lower === undefined) return "";
  if (lower.indent > upper.indent) {
    if (upper.isOpen) return "";
    return `"${lower.key}" is indented further than "${upper.key}" above it. Start both at the same column.`;
  }
  const level = [...above].reverse().find(({ indent }) => indent < upper.indent);
  const isBetween = lower.indent < upper.indent && (level === undefined || lower.indent > level.indent);
  if (isBetween) return `"${lower.key}" is indented less than "${upper.key}" above it. Start both at the same column.`;
  // If the first key of the file is indented, all keys of its level must be.
  const [first] = keyLines(text.slice(0, reach));
  if (first === undefined || lower.indent >= first.indent) return "";
  return `"${lower.key}" is indented less than "${first.key}", the first key. Start both at the same column.`;
}

function keyLines(text: string): KeyLine[] {
  return text.split("\n").flatMap((line): KeyLine[] => {
    const [, indent = "", key, value = ""] = /^( *)([A-Za-z_][\w.-]{0,63}):(?=\s|$)(.*)/.exec(line) ?? [];
    return key === undefined ? [] : [{ key, indent: indent.length, isOpen: /^\s*(?:#|$)/.test(value) }];
  });
}
