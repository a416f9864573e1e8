import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyModel } from "../../../src/content/model/content-model.js";
import { declareTypes } from "../../../src/content/model/declare-types.js";
import { inferContent } from "../../../src/content/model/infer-content.js";
import { mergeModels } from "../../../src/content/model/merge-models.js";
import { modelNotes } from "../../../src/content/model/read-content-model.js";
import { resolveModel } from "../../../src/content/model/resolve-model.js";
import { typesText } from "../../../src/content/model/types-text.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { generatedOptions, generatedStories } from "../../support/generated-content.js";

const options = new Set(Object.values(generatedOptions).flat());
const infer = (stories: readonly StoryRecord[]) => inferContent(stories, (text) => options.has(text));
const numRuns = 30;

/** Stories in three groups. */
const groups = fc.tuple(generatedStories, fc.nat(24), fc.nat(24)).map(([stories, a, b]) => {
  const [first, second] = [Math.min(a, b), Math.max(a, b)];
  return { stories, parts: [stories.slice(0, first), stories.slice(first, second), stories.slice(second)] as const };
});

describe("content models of shards", () => {
  test("merge to the model of all stories, however these are shared out", () => {
    const law = ({ stories, parts }: { stories: StoryRecord[]; parts: readonly StoryRecord[][] }) => {
      expect(mergeModels(parts.map(infer))).toEqual(infer(stories));
    };
    fc.assert(fc.property(groups, law), { numRuns });
  });

  test("merge in any order and grouping, and the empty model changes nothing", () => {
    fc.assert(
      fc.property(groups, ({ parts }) => {
        const [a, b, c] = [infer(parts[0]), infer(parts[1]), infer(parts[2])];
        expect(mergeModels([a, b])).toEqual(mergeModels([b, a]));
        expect(mergeModels([mergeModels([a, b]), c])).toEqual(mergeModels([a, mergeModels([b, c])]));
        expect(mergeModels([a, emptyModel()])).toEqual(a);
      }),
      { numRuns },
    );
  });

  test("survive being noted", () => {
    fc.assert(
      fc.property(generatedStories, (stories) => {
        const model = infer(stories);
        expect(modelNotes.decode(modelNotes.encode(model))).toEqual(model);
      }),
      { numRuns: 5 },
    );
  });
});

test("the printed bytes are equal in 100 runs over shuffled shards with shuffled stories", () => {
  const [stories = []] = fc.sample(generatedStories, { seed: 4, numRuns: 1 });
  const datasources = Object.entries(generatedOptions).map(([slug, values]) => ({ slug, values }));
  const printed = (shards: readonly (readonly StoryRecord[])[]) => {
    const models = shards.map(infer);
    const resolved = mergeModels(models);
    resolveModel(resolved, { fields: "all", stories: models.flatMap((model) => [...model.stories]) });
    const types = declareTypes(resolved, { datasources, depth: 0, richText: "document" });
    return (["typescript", "zod", "json-schema"] as const).map((format) => typesText(types, format));
  };
  const expected = printed([stories]);
  const shuffled = fc.shuffledSubarray(stories, { minLength: stories.length });
  fc.assert(
    fc.property(shuffled, fc.integer({ min: 1, max: 9 }), (order, size) => {
      const count = Math.ceil(order.length / size);
      expect(printed(Array.from({ length: count }, (_, at) => order.slice(at * size, (at + 1) * size)))).toEqual(
        expected,
      );
    }),
    { numRuns: 100 },
  );
});
