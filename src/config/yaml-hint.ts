import { type Document, visit, type YAMLError } from "yaml";

/** What to type to repair a mistake of YAML; empty if that is unknown. Pure. */
export function yamlHint(error: YAMLError, text: string, document: Document.Parsed): string {
  if (error.code === "TAB_AS_INDENT") return "Indent with spaces.";
  if (error.code === "TAG_RESOLVE_FAILED") return "Write the value without a tag.";
  const ofQuote = quoteHint(error, text, document);
  if (ofQuote !== undefined) return ofQuote;
  const line = lineAt(text, error.pos[0]);
  if (error.code === "BLOCK_AS_IMPLICIT_KEY" && /:\s+demo:\s*(#|$)/m.test(line)) return 'Write "demo:" in quotes.';
  if (hasBareVariable(line)) return "Inside { } and [ ], a variable needs quotes around it.";
  const bracket = /and end with a ([}\]])$/.exec(error.message)?.[1];
  if (bracket !== undefined && document.errors.some(isUnclosedQuote)) return "Close the quote first.";
  if (bracket !== undefined) return unclosedHint(text.slice(0, error.pos[0]), bracket === "}" ? "{" : "[", bracket);
  return indentationHint(text, error.pos[0]);
}

/** Undefined if the mistake is not at the end of a text in quotes. */
function quoteHint(error: YAMLError, text: string, document: Document.Parsed): string | undefined {
  const isUnclosed = isUnclosedQuote(error);
  if (!isUnclosed && error.code !== "UNEXPECTED_TOKEN") return undefined;
  const start = startOfQuoted(document, error.pos[0]);
  if (start === undefined) return undefined;
  const quote = text.charAt(start);
  const opened = `The ${quote} in line ${text.slice(0, start).split("\n").length}`;
  const inside = quote === "'" ? "''" : '\\"';
  if (!isUnclosed) {
    return `${opened} closes here. Close it where its value ends, or write ${inside} for a ${quote} inside it.`;
  }
  const escapes = quote === '"' && text.slice(start, error.pos[0]).includes(inside);
  return `${opened} is not closed: write ${quote} at its end${escapes ? ", without \\ before it" : ""}.`;
}

function isUnclosedQuote({ code, message }: YAMLError): boolean {
  return code === "MISSING_CHAR" && message.endsWith("quote");
}

/** @param end where its last quote ends, or should be */
function startOfQuoted(document: Document.Parsed, end: number): number | undefined {
  let found: number | undefined;
  visit(document, {
    Scalar: (_, { type, range }) => {
      const isQuoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
      if (isQuoted && range && range[1] <= end && end <= range[2]) found = range[0];
    },
  });
  return found;
}

/** @param before what is before the mistake */
function unclosedHint(before: string, opening: string, closing: string): string {
  // Blanks in place of quoted text and comments keep the lines.
  const plain = before.replace(/"(?:\\.|[^"\\])*"|'[^']*'|(?<![^\s])#.*/g, (text) => text.replace(/[^\n]/g, " "));
  const open: number[] = [];
  for (const { 0: character, index } of plain.matchAll(/[{}[\]]/g)) {
    if (character === opening) open.push(index);
    else if (character === closing) open.pop();
  }
  const at = open.at(-1);
  if (at === undefined) return "Close what is open inside it first.";
  return `The ${opening} in line ${plain.slice(0, at).split("\n").length} is not closed: write ${closing} at its end.`;
}

/** True if an unquoted variable follows a bracket, brace or comma: `[${A}]`. */
function hasBareVariable(line: string): boolean {
  const opened = line.search(/[{[,]/);
  return opened >= 0 && /[^"']\$\{/.test(line.slice(opened + 1));
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf("\n", offset);
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, end < 0 ? text.length : end);
}

/** How far from a mistake to look for neighbouring keys, in characters. */
const reach = 2_000;

interface KeyLine {
  key: string;
  indent: number;
  /** The key has no value on its line, so the keys below it are indented further. */
  isOpen: boolean;
}

/** Names the key near the parser's mistake whose column differs from its neighbours; empty if there is none. Pure. */
function indentationHint(text: string, offset: number): string {
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
