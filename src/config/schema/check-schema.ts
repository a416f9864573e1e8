import { byDefault, mapping, optional, required, section } from "./section.js";
import { choice, list, type ReadOf, size, text, type ValueKind } from "./value-kinds.js";

/** The rules of `offprint check`, by code. */
export const ruleCodes = [
  ...(["RELATION_DANGLING", "LINK_DEAD", "LINK_UNTRANSLATED"] as const),
  ...(["LINK_ADDRESS_DEAD", "LINK_MOVED", "URL_TWICE"] as const),
  ...(["SCRIPT_LINK", "ALT_MISSING", "SEO_EMPTY", "RICH_TEXT_UNKNOWN"] as const),
  ...(["ASSET_GONE", "ASSET_TOO_LARGE", "ASSET_UNUSED", "UNTRANSLATED", "HALF_TRANSLATED"] as const),
  ...(["OPTION_UNKNOWN", "FIELD_EMPTY", "STORY_EMPTY", "STORY_UNREACHED"] as const),
  ...(["TERM_UNKNOWN", "TERM_UNUSED"] as const),
  ...(["RECORD_KEY_UNKNOWN", "RECORD_VALUE_UNKNOWN", "CONTENT_DRIFT"] as const),
  ...(["PAGE_MISSING", "PAGE_GONE", "PAGE_TEXT_MISSING", "PAGE_ASSET_MISSING", "REDIRECT_DEAD"] as const),
  ...(["HREFLANG_ONE_SIDED", "CANONICAL_FOREIGN", "SHELL_UNTRANSLATED", "PAGES_FEWER", "PAGE_UNREAD"] as const),
] as const;

export const failLevels = ["error", "warning", "info", "never"] as const;

const ignored = section("Findings to ignore, and why.", {
  /** The rule. */
  code: required(choice(...ruleCodes)),
  /** Stories: a full slug, in which * matches any text, or a uuid; by default all. */
  story: optional(text("a full slug, in which * stands for any text, or a uuid")),
  /** Fields: a path such as body[0].image, in which * matches any text; by default all. */
  field: optional(text("the path of a field, in which * stands for any text")),
  /** The reason, for the next reader. */
  reason: required(text("why they are ignored")),
});

const anyLevel = choice("error", "warning", "info", "off");
const level: ValueKind<ReadOf<typeof anyLevel>> = {
  ...anyLevel,
  schema: { ...anyLevel.schema, description: "The level of the rule; off: it is not run." },
};

export const check = section("What `offprint check` looks for in the content.", {
  rules: byDefault(
    {},
    mapping<ReadOf<typeof level>, (typeof ruleCodes)[number]>(
      "Levels by the code of a rule, where they are not its own.",
      level,
      {
        expects: `the code of a rule: ${ruleCodes.join(", ")}`,
        accepts: (code) => (ruleCodes as readonly string[]).includes(code),
      },
    ),
  ),
  /** Findings to ignore. */
  ignore: byDefault([], list(ignored, "findings to ignore")),
  /** The command fails if a finding has this level or a higher one; never: it never fails. */
  failOn: byDefault("error", choice(...failLevels)),
  /** A list of known findings. Only others are reported. */
  baseline: optional(text("a file")),
  /** Larger assets are reported. */
  assetBytes: byDefault("5MB", size("5MB", "1B", "100GB")),
  /** The agreed shape of the content, written by `offprint check --write-lock`. */
  lock: byDefault("content.lock.json", text("a file")),
  /**
   * If content has another shape: evolve reports it in check; warn in sync too; freeze keeps the previous generation if
   * a field vanished or changed its type, or a component appeared.
   */
  drift: byDefault("evolve", choice("evolve", "warn", "freeze")),
});
