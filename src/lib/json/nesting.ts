import { costLimits } from "../cost-limits.js";
import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "./characters.js";

/** JSON with more levels of objects and arrays than are read. */
export class NestingError extends Error {
  constructor(levels: number) {
    super(`it is nested deeper than ${levels} levels`);
  }
}

/**
 * Watches the nesting of a JSON text that comes in pieces.
 *
 * @param levels the most levels that are accepted
 * @returns a function that takes the next piece, as UTF-8, and throws {@link NestingError} once it is too deep
 */
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

/**
 * Parses JSON, unless it is nested too deeply: the parser of the engine would take gigabytes for that.
 *
 * @param levels the most levels that are accepted
 * @throws NestingError when it has more, SyntaxError when it is no JSON
 */
export function parseBounded(text: string, levels: number = costLimits.answerNesting): unknown {
  // A text must have a character for each level.
  if (text.length > levels) watchNesting(levels)(Buffer.from(text));
  return JSON.parse(text);
}
