import { costLimits } from "../cost-limits.js";
import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "./characters.js";

/** Thrown for JSON with too many levels of objects and arrays. */
export class NestingError extends Error {
  constructor(levels: number) {
    super(`it is nested deeper than ${levels} levels`);
  }
}

/** @returns takes JSON in pieces, as UTF-8, and throws {@link NestingError} beyond these levels */
export function watchNesting(levels: number = costLimits.answerNesting): (piece: Uint8Array) => void {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInText = false;
      } else if (byte === quote) isInText = true;
      else if (byte === openBracket || byte === openBrace) {
        depth += 1;
        if (depth > levels) throw new NestingError(levels);
      } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    }
  };
}

/** The engine's parser would take gigabytes for deep ones. @throws NestingError, SyntaxError */
export function parseBounded(text: string, levels: number = costLimits.answerNesting): unknown {
  // Each level takes at least one character.
  if (text.length > levels) watchNesting(levels)(Buffer.from(text));
  return JSON.parse(text);
}
