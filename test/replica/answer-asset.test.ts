import { expect, test } from "vitest";
import { answerAsset } from "../../src/replica/answer-asset.js";

const asset = {
  ...{ key: "0".repeat(64), url: "https://a.example/lamp.png", hash: "a".repeat(64), name: "lamp.png" },
  ...{ type: "image/png", bytes: 4, uses: 1 },
};

/** What is answered, and how often the bytes were read for it. */
async function answered(record: Parameters<typeof answerAsset>[0], ifNoneMatch?: string) {
  let reads = 0;
  const bytes = async () => {
    reads += 1;
    return Buffer.from("lamp");
  };
  const { status } = await answerAsset(record, bytes, ifNoneMatch);
  return { status, reads };
}

test("bytes are read only for an answer that has them", async () => {
  expect(await answered(asset)).toEqual({ status: 200, reads: 1 });
  expect(await answered(asset, '"other"')).toEqual({ status: 200, reads: 1 });
  expect(await answered(asset, `"${asset.hash}"`)).toEqual({ status: 304, reads: 0 });
  expect(await answered({ ...asset, hash: null }, '"null"')).toEqual({ status: 404, reads: 0 });
  expect(await answered(undefined)).toEqual({ status: 404, reads: 0 });
});
