// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test.
import { describe, expect, test } from "vitest";
import { substituteVariables } from "../../src/config/substitute-variables.js";

const env = { TOKEN: "abc", HOST: "x.com", EMPTY: "", NESTED: "${TOKEN}" };

test.each([
  ["${TOKEN}", "abc"],
  ["https://${HOST}/${TOKEN}", "https://x.com/abc"],
  ["${MISSING:-demo:}", "demo:"],
  ["${EMPTY:-other}", "other"],
  ["${MISSING:-}", ""],
  ["$${TOKEN}", "${TOKEN}"],
  ["$TOKEN and $ 5", "$TOKEN and $ 5"],
  ["${NESTED}", "${TOKEN}"],
  ["/{language?}/{slug}", "/{language?}/{slug}"],
])("%s becomes %s", (written, expected) => {
  const replaced = substituteVariables(written, env);
  expect(replaced.problems).toEqual([]);
  expect(replaced.text).toBe(expected);
});

describe("problems", () => {
  test("a variable that is not set, or empty, is named with its place", () => {
    const { problems } = substituteVariables("a ${MISSING} ${EMPTY}", env);
    expect(problems.map(({ offset, message }) => [offset, message])).toEqual([
      [2, "${MISSING} is not set, or is empty"],
      [13, "${EMPTY} is not set, or is empty"],
    ]);
    expect(problems[0]?.hint).toContain("Set MISSING");
  });

  test.each(["${", "${TOKEN", "${1A}", "${TOKEN-x}", "${ TOKEN }", "${}"])("%s is not understood", (written) => {
    expect(substituteVariables(written, env).problems).toHaveLength(1);
  });

  test("what every object inherits is no variable", () => {
    expect(substituteVariables("${constructor}", {}).problems).toHaveLength(1);
  });
});
