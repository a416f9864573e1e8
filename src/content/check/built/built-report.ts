import type { FindingLevel } from "../facts/rule.js";
import { type Finding, findingId } from "../finding.js";
import { type BuiltCode, builtRules } from "../rules/built-rules.js";
import type { BuiltStory, GoneStory } from "./built-site.js";

/** What a rule reports about a built site. */
export interface BuiltReport {
  code: BuiltCode;
  story?: BuiltStory | GoneStory | undefined;
  /** Where there is no story: what the finding is about. */
  subject?: string;
  field?: string;
  /** Identifies what is wrong. */
  wrong: string;
  message: string;
  level?: FindingLevel;
}

const rules = new Map(builtRules.map((rule) => [rule.code, rule]));

export function builtFinding({ code, story, subject, field, wrong, message, level }: BuiltReport): Finding {
  const rule = rules.get(code)!;
  const language = story?.edition.language ?? "";
  return {
    code,
    level: level ?? rule.level,
    story: story === undefined ? null : storyOf(story),
    field: field ?? null,
    message,
    hint: rule.hint,
    id: findingId({ code, subject: story?.uuid ?? subject ?? "", language, place: field ?? "", wrong }),
  };
}

function storyOf({ uuid, slug, url, edition }: BuiltStory | GoneStory): Finding["story"] {
  return { uuid, slug, url, language: edition.language, edition: edition.name };
}
