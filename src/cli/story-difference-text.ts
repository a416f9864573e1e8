import type { TextPiece } from "../content/diff/diff-text.js";
import type { DifferenceEntry } from "../content/diff/difference-entries.js";
import { printable } from "../lib/printable.js";
import type { Style, Terminal } from "./terminal.js";

const marks: Readonly<Record<DifferenceEntry["change"], [mark: string, style: Style]>> = {
  added: ["+", "green"],
  removed: ["-", "red"],
  changed: ["~", "yellow"],
  moved: [">", "cyan"],
};

/** Characters of a text that did not change, around what did. */
const shownAround = 60;

/** What differs in one place, as lines for a terminal: words that went stand in `[-…-]`, those that came in `{+…+}`. */
export function entryLines(entry: DifferenceEntry, { paint }: Pick<Terminal, "paint">): string[] {
  const [mark, style] = marks[entry.change];
  const moved = entry.change === "moved" ? `  (was ${printable(entry.from ?? "")})` : "";
  const head = `${paint(style, mark)} ${printable(entry.path)}${moved}`;
  const text = (value: string | undefined, sign: string, color: Style) =>
    value === undefined ? [] : value.split("\n").map((line) => `    ${paint(color, `${sign} ${printable(line)}`)}`);
  const paragraphs = (entry.paragraphs ?? []).map(({ is, pieces, formatting }) => {
    return `    ${paint("dim", `${is}${formatting ? ", formatting" : ""}:`)} ${piecesText(pieces, paint)}`;
  });
  return [
    head,
    ...(entry.words === undefined ? [] : [`    ${piecesText(entry.words, paint)}`]),
    ...(entry.paragraphs?.length === 0 ? [`    ${paint("dim", "formatting alone")}`] : paragraphs),
    ...text(entry.before, "-", "red"),
    ...text(entry.after, "+", "green"),
  ];
}

function piecesText(pieces: readonly TextPiece[], paint: Terminal["paint"]): string {
  return pieces
    .map(({ change, text }, place) => {
      if (change === "removed") return paint("red", `[-${oneLine(text)}-]`);
      if (change === "added") return paint("green", `{+${oneLine(text)}+}`);
      return oneLine(shortened(text, place > 0, place < pieces.length - 1));
    })
    .join("");
}

function oneLine(text: string): string {
  return printable(text.replaceAll("\n", "↵"));
}

/** The ends of a text that stand beside something that differs. */
function shortened(text: string, hasBefore: boolean, hasAfter: boolean): string {
  const start = hasBefore ? text.slice(0, shownAround) : "";
  const end = hasAfter ? text.slice(-shownAround) : "";
  return text.length <= 2 * shownAround || start.length + end.length >= text.length ? text : `${start}…${end}`;
}
