import { diffArrays, diffLines, diffWordsWithSpace } from "diff";
import { costLimits } from "../../lib/cost-limits.js";

/** A stretch of text. All that is `same` or `removed` is the old text, all that is `same` or `added` the new one. */
export interface TextPiece {
  change: "same" | "added" | "removed";
  text: string;
}

/** The old and the new text. */
export function bothTexts(pieces: readonly TextPiece[]): [before: string, after: string] {
  const without = (change: TextPiece["change"]) =>
    pieces.flatMap((piece) => (piece.change === change ? [] : [piece.text])).join("");
  return [without("added"), without("removed")];
}

const timeStamp = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** The old and the new time, because a diff of times by words is unreadable. Undefined for other texts. */
export function bothTimes(pieces: readonly TextPiece[]): [before: string, after: string] | undefined {
  const texts = bothTexts(pieces);
  return texts.every((text) => timeStamp.test(text)) ? texts : undefined;
}

/** With more changed words or lines, the text counts as one replacement: the search takes quadratic time. */
const bound = { maxEditLength: costLimits.comparedEdits };

/** How two texts differ: by words; by lines where they are long; as a whole where little is left of the old one. */
export function diffText(before: string, after: string): TextPiece[] {
  const start = commonStart(before, after);
  const end = commonEnd(before.slice(start), after.slice(start));
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const [head, tail] = [before.slice(0, start), before.slice(before.length - end)];
  return joined([{ change: "same", text: head }, ...diffMiddle(old, now), { change: "same", text: tail }]);
}

/** Joins neighbouring pieces of the same kind, and leaves out empty ones. */
function joined(pieces: readonly TextPiece[]): TextPiece[] {
  const found: TextPiece[] = [];
  for (const { change, text } of pieces) {
    const last = found.at(-1);
    if (last?.change === change) last.text += text;
    else if (text !== "") found.push({ change, text });
  }
  return found;
}

function diffMiddle(old: string, now: string): TextPiece[] {
  if (old.length + now.length > costLimits.comparedCharacters) return replaced(old, now);
  const isShort = old.length + now.length <= costLimits.comparedWordsCharacters;
  const parts = (isShort ? diffWordsWithSpace(old, now, bound) : undefined) ?? diffLines(old, now, bound);
  if (parts === undefined) return replaced(old, now);
  return parts.map((part) => ({ change: changeOf(part), text: part.value }));
}

function replaced(old: string, now: string): TextPiece[] {
  return [
    { change: "removed", text: old },
    { change: "added", text: now },
  ];
}

/** Characters that both texts begin with, up to the end of a word. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  while (length > 0 && !isSpace(a.charCodeAt(length - 1))) length--;
  return length;
}

/** Characters that both texts end with, from the beginning of a word. */
function commonEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  while (length > 0 && !isSpace(a.charCodeAt(a.length - length))) length--;
  return length;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a;
}

/** `gone` names of a sequence from the place `from`, and the `came` names from `to` that stand in their place. */
interface Stretch {
  isSame: boolean;
  from: number;
  gone: number;
  to: number;
  came: number;
}

/** How two sequences of names differ. With little in common, the whole sequence is replaced. */
export function diffSequence(before: readonly string[], after: readonly string[]): Stretch[] {
  const stretches: Stretch[] = [];
  let [from, to] = [0, 0];
  const whole = [
    { removed: true, added: false, count: before.length },
    { removed: false, added: true, count: after.length },
  ];
  for (const { added, removed, count } of diffArrays([...before], [...after], bound) ?? whole) {
    const last = stretches.at(-1);
    if (added && last?.isSame === false && last.came === 0) last.came = count;
    else stretches.push({ isSame: !added && !removed, from, to, gone: added ? 0 : count, came: removed ? 0 : count });
    if (!added) from += count;
    if (!removed) to += count;
  }
  return stretches;
}

function changeOf({ added, removed }: { added: boolean; removed: boolean }): TextPiece["change"] {
  return added ? "added" : removed ? "removed" : "same";
}
