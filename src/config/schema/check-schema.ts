import { driftModes, failLevels, ruleCodes, ruleLevels } from "../config.js";
import { byDefault, mapping, optional, required, section } from "./section.js";
import { choice, list, size, text } from "./value-kinds.js";

const GB = 1024 ** 3;

const ignored = section("Findings that are not told, and why.", {
  code: required(choice(...ruleCodes), "Of which rule."),
  story: optional(
    text("a full slug, in which * stands for any text, or a uuid"),
    "Of which stories: a full slug, in which * stands for any text, or a uuid; by default of all.",
  ),
  field: optional(
    text("the path of a field, in which * stands for any text"),
    "In which fields: a path such as body[0].image, in which * stands for any text; by default in all.",
  ),
  reason: required(text("why they are ignored"), "Why: whoever meets it next year wants to know."),
});

const anyLevel = choice(...ruleLevels);
const level = {
  ...anyLevel,
  schema: { ...anyLevel.schema, description: "The level of the rule; off: it is not run." },
};

/** What `offprint check` looks for. */
export const check = section("What `offprint check` looks for in the content.", {
  rules: byDefault(
    {},
    mapping("Levels by the code of a rule, where they are not its own.", level, {
      expects: `the code of a rule: ${ruleCodes.join(", ")}`,
      accepts: (code) => (ruleCodes as readonly string[]).includes(code),
    }),
  ),
  ignore: byDefault([], list(ignored, "findings to ignore"), "What is not told."),
  failOn: byDefault(
    "error",
    choice(...failLevels),
    "The command fails where a finding has this level or a higher one; never: it never does.",
  ),
  baseline: optional(text("a file"), "A list of findings that are known: only others are told."),
  assetBytes: byDefault("5MB", size("5MB", 1, 100 * GB), "An asset of more bytes is told of."),
  lock: byDefault(
    "content.lock.json",
    text("a file"),
    "The shape that the content had when it was agreed upon; written by `offprint check --write-lock`.",
  ),
  drift: byDefault(
    "evolve",
    choice(...driftModes),
    "What content of another shape means. evolve: check tells; warn: sync tells too; freeze: sync keeps the previous generation where a field vanished or changed its type, or a component appeared.",
  ),
});
