import { expect, test } from "vitest";
import { indexAssets } from "../../../../src/server/replica/query/asset-index.js";
import { sampleSnapshot, story } from "../../../support/sample-snapshot.js";

test("indexes assets in steps and finds them by path", async () => {
  const names = Array.from({ length: 100 }, (_, index) => String(index).padStart(3, "0"));
  const { reader } = await sampleSnapshot({
    editions: { "published/default": [story(1)] },
    assets: names.map((name) => ({
      record: {
        ...{ key: name, url: `https://a.example/f/1/${name}.txt`, hash: name.repeat(22).slice(0, 64), name },
        ...{ type: "text/plain", bytes: 1, uses: 1 },
      },
      bytes: Buffer.from("a"),
    })),
  });
  const work = indexAssets(reader.shards("assets"));
  let steps = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) steps += 1;
  expect(steps).toBe(100);
  expect(step.value.hosts).toEqual(["//a.example/"]);
  expect(step.value.find("/f/1/042.txt/m/200x0")?.url).toBe("https://a.example/f/1/042.txt");
});
