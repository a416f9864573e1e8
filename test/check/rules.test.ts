import { expect, test } from "vitest";
import { driftRule } from "../../src/check/drift-rule.js";
import { rules } from "../../src/check/rules.js";
import { ruleCodes } from "../../src/config/config.js";

test("the configuration knows the code of every rule, and no other", () => {
  expect([...rules, driftRule].map(({ code }) => code).sort()).toEqual([...ruleCodes].sort());
});

test("only what is broken for certain is an error", () => {
  const errors = rules.filter(({ level }) => level === "error").map(({ code }) => code);
  expect(errors.sort()).toEqual(["ASSET_GONE", "LINK_DEAD", "RELATION_DANGLING", "SCRIPT_LINK", "URL_TWICE"]);
});
