import { contentHash } from "../../snapshot/content-hash.js";
import { type FindingLevel, findingLevels } from "./facts/rule.js";

/** Something in the content of one generation that should be looked at. */
export interface Finding {
  /** Of the closed set of rules (docs/check.md). */
  code: string;
  level: FindingLevel;
  /** The story that it is about; null where it is about an asset, or the space. */
  story: FindingStory | null;
  /** The field within the content of the story, `body[2].title`; null: the story as a whole. */
  field: string | null;
  /** What is wrong, with the value that is. */
  message: string;
  /** What to do. */
  hint: string;
  /** Tells the finding from all others, and stays the same while what is wrong stays the same. */
  id: string;
}

export interface FindingStory {
  uuid: string;
  /** As the edition has it. */
  slug: string;
  /** The site's URL of its page. */
  url: string;
  /** `default` for the default language. */
  language: string;
  /** Name of the edition, `published/de`. */
  edition: string;
}

/** What a finding is known by. */
export interface FindingIdentity {
  code: string;
  /** Uuid of the story; the address of an asset, or another name, where it is about none. */
  subject: string;
  language: string;
  /** The field, with the `_uid` of each block in place of its position: a block that is moved is the same block. */
  place: string;
  /** What is wrong: a target, a value. Not how it is told. */
  wrong: string;
}

/** The name of a finding: 16 hexadecimal digits. */
export function findingId({ code, subject, language, place, wrong }: FindingIdentity): string {
  return contentHash(JSON.stringify([code, subject, language, place, wrong])).slice(0, 16);
}

/** Findings in the order in which they are told: worst first, then by code, story, language and field. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const rank = (level: FindingLevel): number => findingLevels.indexOf(level);
  const key = ({ code, story, field, id }: Finding) =>
    [code, story?.slug ?? "", story?.edition ?? "", field ?? "", id].join("\n");
  return findings
    .map((finding) => ({ finding, key: key(finding) }))
    .sort((a, b) => rank(a.finding.level) - rank(b.finding.level) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ finding }) => finding);
}
