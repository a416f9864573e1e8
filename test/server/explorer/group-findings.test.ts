import { expect, test } from "vitest";
import { groupFindings } from "../../../src/server/explorer/parts/finding-list.js";

const finding = (code: string, message: string, hint: string, story: string) => ({ code, message, hint, story });

test("findings are grouped by rule, and each sentence of a rule is there once with all its findings", () => {
  const missing = ["a", "b", "c"].map((story) => finding("ALT_MISSING", "No text.", "Write one.", story));
  const [first, second, third] = missing as [object, object, object];
  const dead = finding("LINK_DEAD", "It leads nowhere.", "Remove it.", "a");
  expect(groupFindings([missing[0]!, dead, missing[1]!, missing[2]!])).toEqual([
    {
      code: "ALT_MISSING",
      hint: "Write one.",
      sentences: [{ message: "No text.", hint: "", findings: [first, second, third] }],
    },
    {
      code: "LINK_DEAD",
      hint: "Remove it.",
      sentences: [{ message: "It leads nowhere.", hint: "", findings: [dead] }],
    },
  ]);
});

test("a hint that a rule does not always give stays with its sentence", () => {
  const found = groupFindings([finding("A", "One.", "Do this.", "a"), finding("A", "Two.", "Do that.", "b")]);
  expect(found[0]?.hint).toBe("");
  expect(found[0]?.sentences.map(({ hint }) => hint)).toEqual(["Do this.", "Do that."]);
});

test("no findings make no groups", () => {
  expect(groupFindings([])).toEqual([]);
});
