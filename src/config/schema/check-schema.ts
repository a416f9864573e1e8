import { driftModes, failLevels, ruleCodes, ruleLevels } from "../config.js";
import { byDefault, mapping, optional, required, section } from "./section.js";
import { choice, list, size, text } from "./value-kinds.js";

const ignored = section("Findings to ignore, and why.", {
  code: required(choice(...ruleCodes), "The rule."),
  story: optional(
    text("a full slug, in which * stands for any text, or a uuid"),
    "Stories: a full slug, in which * matches any text, or a uuid; by default all.",
  ),
  field: optional(
    text("the path of a field, in which * stands for any text"),
    "Fields: a path such as body[0].image, in which * matches any text; by default all.",
  ),
  reason: required(text("why they are ignored"), "The reason, for the next reader."),
});

const anyLevel = choice(...ruleLevels);
const level = {
  ...anyLevel,
  schema: { ...anyLevel.schema, description: "The level of the rule; off: it is not run." },
};

export const check = section("What `offprint check` looks for in the content.", {
  rules: byDefault(
    {},
    mapping("Levels by the code of a rule, where they are not its own.", level, {
      expects: `the code of a rule: ${ruleCodes.join(", ")}`,
      accepts: (code) => (ruleCodes as readonly string[]).includes(code),
    }),
  ),
  ignore: byDefault([], list(ignored, "findings to ignore"), "Findings to ignore."),
  failOn: byDefault(
    "error",
    choice(...failLevels),
    "The command fails if a finding has this level or a higher one; never: it never fails.",
  ),
  baseline: optional(text("a file"), "A list of known findings. Only others are reported."),
  assetBytes: byDefault("5MB", size("5MB", "1B", "100GB"), "Larger assets are reported."),
  lock: byDefault(
    "content.lock.json",
    text("a file"),
    "The agreed shape of the content, written by `offprint check --write-lock`.",
  ),
  drift: byDefault(
    "evolve",
    choice(...driftModes),
    "If content has another shape: evolve reports it in check; warn in sync too; freeze keeps the previous generation if a field vanished or changed its type, or a component appeared.",
  ),
});
