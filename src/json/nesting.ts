import { costLimits } from "../cost-limits.js";
import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "./characters.js";

/** JSON with more levels of objects and arrays than are read. */
export class NestingError extends Error {
  constructor() {
    super(`it is nested deeper than ${costLimits.answerNesting} levels`);
  }
}

/**
 * Watches the nesting of a JSON text that comes in pieces.
 *
 * @returns a function that takes the next piece, as UTF-8, and throws {@link NestingError} once it is too deep
 */
export function watchNesting(): (piece: Uint8Array) => void {
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
        if (depth > costLimits.answerNesting) throw new NestingError();
      } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    }
  };
}

/** Parses JSON, unless it is nested too deeply: the parser of the engine would take gigabytes for that. */
export function parseBounded(text: string): unknown {
  // A text must have a character for each level.
  if (text.length > costLimits.answerNesting) watchNesting()(Buffer.from(text));
  return JSON.parse(text);
}
