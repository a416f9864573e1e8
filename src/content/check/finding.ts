import { contentHash } from "../../snapshot/content-hash.js";
import { type FindingLevel, findingLevels } from "./facts/rule.js";

/** Something in the content of one generation that should be looked at. */
export interface Finding {
  /** Of the closed set of rules (docs/check.md). */
  code: string;
  level: FindingLevel;
  /** null if the finding is about an asset or the space. */
  story: FindingStory | null;
  /** The field within the content of the story, `body[2].title`; null: the story as a whole. */
  field: string | null;
  /** Names the wrong value. */
  message: string;
  hint: string;
  /** Unique, and stable while the problem stays the same. */
  id: string;
}

export interface FindingStory {
  uuid: string;
  slug: string;
  /** The site's URL of its page. */
  url: string;
  /** `default` for the default language. */
  language: string;
  /** Name of the edition, `published/de`. */
  edition: string;
}

export interface FindingIdentity {
  code: string;
  /** Uuid of the story, address of the asset, or another name. */
  subject: string;
  language: string;
  /** The field, with block `_uid`s instead of positions: a moved block stays the same. */
  place: string;
  /** The wrong target or value, not the message. */
  wrong: string;
}

/** The id of a finding: 16 hexadecimal digits. */
export function findingId({ code, subject, language, place, wrong }: FindingIdentity): string {
  return contentHash(JSON.stringify([code, subject, language, place, wrong])).slice(0, 16);
}

/** Sorts findings: worst first, then by code, story, language and field. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const rank = (level: FindingLevel): number => findingLevels.indexOf(level);
  const key = ({ code, story, field, id }: Finding) =>
    [code, story?.slug ?? "", story?.edition ?? "", field ?? "", id].join("\n");
  return findings
    .map((finding) => ({ finding, key: key(finding) }))
    .sort((a, b) => rank(a.finding.level) - rank(b.finding.level) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ finding }) => finding);
}
