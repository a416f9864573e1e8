import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { ruleCodes } from "../../../src/config/schema/check-schema.js";
import { driftRule, rules } from "../../../src/content/check/all-rules.js";
import { builtRules } from "../../../src/content/check/rules/built-rules.js";

test("the configuration knows the code of every rule, and no other", () => {
  expect([...rules, driftRule, ...builtRules].map(({ code }) => code).sort()).toEqual([...ruleCodes].sort());
});

test("only what is broken for certain is an error", () => {
  const errors = rules.filter(({ level }) => level === "error").map(({ code }) => code);
  expect(errors.sort()).toEqual(["ASSET_GONE", "LINK_DEAD", "RELATION_DANGLING", "SCRIPT_LINK", "URL_TWICE"]);
});

test("the type of check.rules refuses a misspelt rule", () => {
  const levels: Config["check"]["rules"][] = [
    { LINK_DEAD: "warning" },
    // @ts-expect-error: a misspelt rule would keep its level without a word.
    { LINK_DAED: "warning" },
    // @ts-expect-error: so would an unknown level.
    { LINK_DEAD: "warn" },
  ];
  expect(levels.map((one) => Object.keys(one).every((code) => ruleCodes.includes(code as "LINK_DEAD")))).toEqual([
    true,
    false,
    true,
  ]);
});
