import { describe, expect, test } from "vitest";
import { UpstreamError } from "../../../../src/lib/http/upstream-error.js";
import { askInPieces, createBatchSize } from "../../../../src/sync/crawl/run/batch-size.js";

const late = new UpstreamError("UPSTREAM_TIMEOUT", "late", { tooMuch: true });
const uuids = Array.from({ length: 10 }, (_, n) => `u${n}`);

/** Answers for at most so many; notes what it was asked for. */
function upTo(most: number, asked: number[]) {
  return async (piece: readonly string[]) => {
    asked.push(piece.length);
    if (piece.length > most) throw late;
    return [...piece];
  };
}

describe("a batch that is too large", () => {
  test("is halved until it is answered, and later batches have that size", async () => {
    const told: string[] = [];
    const size = createBatchSize(8, (message) => void told.push(message));
    const asked: number[] = [];
    expect(await askInPieces(size, uuids, upTo(3, asked))).toEqual(uuids);
    expect(asked).toEqual([8, 4, 2, 2, 2, 2, 2]);
    expect(await askInPieces(size, uuids.slice(0, 3), upTo(3, asked))).toHaveLength(3);
    expect(asked.slice(7)).toEqual([2, 1]);
    expect(told).toEqual([
      "Requesting at most 4 stories at once from now on: late",
      "Requesting at most 2 stories at once from now on: late",
    ]);
  });

  test("fails with the error of the single story that is still too large", async () => {
    const size = createBatchSize(100, () => {});
    const asked: number[] = [];
    await expect(askInPieces(size, uuids, upTo(0, asked))).rejects.toBe(late);
    expect(asked).toEqual([10, 5, 3, 2, 1]);
  });

  test("is not halved for an error that fewer stories would not avoid", async () => {
    const size = createBatchSize(100, () => {});
    const refused = new UpstreamError("UPSTREAM_REFUSED", "no");
    await expect(
      askInPieces(size, uuids, async () => {
        throw refused;
      }),
    ).rejects.toBe(refused);
    expect(size.stories).toBe(100);
  });

  test("requests nothing if there is nothing to request", async () => {
    expect(
      await askInPieces(
        createBatchSize(100, () => {}),
        [],
        upTo(0, []),
      ),
    ).toEqual([]);
  });
});
