import { UpstreamError } from "../../../lib/http/upstream-error.js";

/** How many stories one request asks for: as planned, until an answer shows too many. */
export interface BatchSize {
  readonly stories: number;
  limit(stories: number, reason: string): void;
}

/** @param onLimit called with the reason when the size shrinks */
export function createBatchSize(planned: number, onLimit: (message: string) => void): BatchSize {
  let stories = planned;
  return {
    get stories() {
      return stories;
    },
    limit(most, reason) {
      if (most >= stories) return;
      stories = Math.max(1, most);
      onLimit(`Requesting at most ${stories} ${stories === 1 ? "story" : "stories"} at once from now on: ${reason}`);
    },
  };
}

/** Halves a request, and all later ones, if its answer is too large, truncated or late; not for a single story. */
export async function askInPieces<T>(
  size: BatchSize,
  uuids: readonly string[],
  ask: (piece: readonly string[]) => Promise<T[]>,
): Promise<T[]> {
  const found: T[] = [];
  const open = [...uuids];
  while (open.length > 0) {
    const piece = open.slice(0, size.stories);
    try {
      for (const record of await ask(piece)) found.push(record);
      open.splice(0, piece.length);
    } catch (error) {
      if (!(error instanceof UpstreamError) || !error.tooMuch || piece.length === 1) throw error;
      size.limit(Math.ceil(piece.length / 2), error.message);
    }
  }
  return found;
}
