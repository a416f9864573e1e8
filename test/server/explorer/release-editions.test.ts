import { expect, test } from "vitest";
import { exploreSample } from "../../support/explore-sample.js";
import { story, uuid } from "../../support/sample-snapshot.js";

test("an edition of a release has no page of its own, and is no link to that of another edition", async () => {
  const editions = (name: string) => ({
    editions: { "published/default": [story(1), story(2)], "published@5/default": [story(1, { name })] },
  });
  const { get } = await exploreSample([editions("Before"), editions("After")]);
  const { text } = await get("compare");
  expect(text).toContain("After");
  expect(text).toContain("published@5");
  expect(text).not.toContain(`compare/${uuid(1)}`);
});
