import { expect, test } from "vitest";
import { collectRecordProblems } from "../../../../src/sync/crawl/run/record-problems.js";
import { uuid } from "../../../support/sample-snapshot.js";
import { expectLinear } from "../../../support/work-time.js";

const faultOf = (number: number, problem = "position is no number") => {
  return { name: `story ${number}`, uuid: uuid(number), id: number, problem, isLeftOut: false };
};

test("lists one problem for each kind of fault, with the first three records by name", () => {
  const problems = collectRecordProblems();
  problems.note(
    "stories",
    [1, 2, 3, 4, 5].map((number) => faultOf(number)),
  );
  problems.note("stories", [faultOf(1), faultOf(6, "alternates[3].name is no text")]);
  expect(problems.list()).toMatchObject([
    { code: "FIELD_UNUSABLE", count: 5, message: expect.stringContaining("story 1, story 2, story 3 and 2 more") },
    { code: "FIELD_UNUSABLE", message: expect.stringContaining("In stories, story 6 was kept") },
  ]);
});

test("says that the previous version was kept only of stories and their rows: other lists are read whole", () => {
  const problems = collectRecordProblems();
  const lists = ["stories/published/de", "variants/published/de", "links/draft"];
  const whole = ["datasources", 'entries of datasource "links/"', "tags/published", "experiments", "taxonomies"];
  for (const list of [...lists, ...whole]) problems.note(list, [{ ...faultOf(1), isLeftOut: true }]);
  const kept = problems.list().filter(({ hint }) => hint.includes("previous version"));
  expect(kept.map(({ about }) => about?.part)).toEqual(lists);
});

test("works in linear time for many faults", () => {
  const faults = Array.from({ length: 40_000 }, (_, number) => faultOf(number));
  expectLinear((size) => {
    const problems = collectRecordProblems();
    problems.note("stories", faults.slice(0, size));
    expect(problems.list()[0]?.count).toBe(size);
  }, faults.length / 4);
});
