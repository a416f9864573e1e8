import type { Config, IgnoredFinding, RuleCode } from "../../config/config.js";
import { wildcardTest } from "../../contract/wildcard.js";
import { contentHash } from "../../lib/content-hash.js";
import { type NamingSource, type PlaceNames, withNames } from "../names/place-names.js";
import { linkVerb, notTranslated, targetTitle } from "../names/story-title.js";
import type { CheckedStory } from "./facts/checked-space.js";
import { type FindingLevel, findingLevels, type RuleFacts } from "./facts/rule.js";
import { linkUntranslated } from "./rules/reference-rules.js";

export interface Finding {
  code: string;
  level: FindingLevel;
  /** null if the finding is about an asset or the space. */
  story: FindingStory | null;
  /** The field within the content of the story, `body[2].title`; null: the story as a whole. */
  field: string | null;
  message: string;
  hint: string;
  /** Uuid of the story that the field names, if it is about that. */
  target?: string;
  /** `message`: that of the finding with these names in place of uuids. */
  names?: Partial<PlaceNames> & { message: string };
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

export function findingStory({ edition, at }: CheckedStory): FindingStory {
  const { language, name } = edition.entry;
  return { uuid: edition.uuid(at), slug: edition.slug(at), url: edition.url(at), language, edition: name };
}

/** What is wrong. Subject, language, place and what is wrong there identify it. */
export interface Wrong extends Pick<Finding, "story" | "message"> {
  /** Uuid of the story, address of the asset, or another name. */
  subject: string;
  language: string;
  /** The field, with block `_uid`s instead of positions: a moved block stays the same. */
  place: string;
  /** The wrong target or value, not the message. */
  wrong: string;
  field?: string | undefined;
  target?: string | undefined;
  /** Default: that of the rule. */
  level?: FindingLevel | undefined;
}

export function findingOf({ code, hint, ...rule }: Omit<RuleFacts, "about">, found: Wrong): Finding {
  const { story, field = null, target, message, level = rule.level, subject, language, place, wrong } = found;
  const id = contentHash(JSON.stringify([code, subject, language, place, wrong])).slice(0, 16);
  return { code, level, story, field, message, hint, ...(target === undefined ? {} : { target }), id };
}

/** The message of a finding, with names if they are known. */
export function toldFinding({ message, names }: Pick<Finding, "message" | "names">): string {
  return names?.message ?? message;
}

/** The field of a finding as an editor sees it, if that is known; "" without one. */
export function toldField({ field, names }: Pick<Finding, "field" | "names">): string {
  return names?.field ?? field ?? "";
}

export function byLevel(a: Pick<Finding, "level">, b: Pick<Finding, "level">): number {
  return findingLevels.indexOf(a.level) - findingLevels.indexOf(b.level);
}

export function sortFindings(findings: readonly Finding[]): Finding[] {
  const key = ({ code, story, field, id }: Finding) =>
    [code, story?.slug ?? "", story?.edition ?? "", field ?? "", id].join("\n");
  return findings
    .map((finding) => ({ finding, key: key(finding) }))
    .sort((a, b) => byLevel(a.finding, b.finding) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ finding }) => finding);
}

export interface SelectedFindings {
  /** With the levels of the configuration; without what is ignored and what is known. */
  findings: Finding[];
  ignored: number;
  known: number;
}

/** Gives findings the levels of the configuration, and leaves out what is ignored or known. Pure. */
export function selectFindings(
  all: readonly Finding[],
  { rules, ignore }: Config["check"],
  isKnown: (finding: Finding) => boolean,
): SelectedFindings {
  const isIgnored = ignoring(ignore);
  const levels: Partial<Record<string, Config["check"]["rules"][RuleCode]>> = rules;
  const wanted = all.flatMap((finding) => {
    const level = levels[finding.code];
    return level === "off" ? [] : [level === undefined ? finding : { ...finding, level }];
  });
  const heeded = wanted.filter((finding) => !isIgnored(finding));
  const findings = heeded.filter((finding) => !isKnown(finding));
  return {
    findings: sortFindings(findings),
    ignored: wanted.length - heeded.length,
    known: heeded.length - findings.length,
  };
}

function ignoring(ignore: readonly IgnoredFinding[]): (finding: Finding) => boolean {
  const tests = ignore.map(({ code, story, field }) => {
    const [ofStory, ofField] = [story, field].map((pattern) =>
      pattern === undefined ? undefined : wildcardTest(pattern),
    );
    return (finding: Finding): boolean => {
      if (finding.code !== code) return false;
      const { uuid = "", slug = "" } = finding.story ?? {};
      if (ofStory !== undefined && uuid !== story && !ofStory(slug) && !ofStory(slug.replace(/\/$/, ""))) return false;
      return ofField === undefined || ofField(finding.field ?? "");
    };
  });
  return (finding) => tests.some((test) => test(finding));
}

export function fails({ level }: Pick<Finding, "level">, failOn: Config["check"]["failOn"]): boolean {
  return failOn !== "never" && findingLevels.indexOf(level) <= findingLevels.indexOf(failOn);
}

/** Adds the names that {@link withNames} finds. @param findings the worst first: only so many are looked up */
export async function nameFindings(source: NamingSource, findings: readonly Finding[]): Promise<Finding[]> {
  return withNames(source, findings, placeOf, messageOf);
}

function placeOf({ story, field, target }: Finding) {
  if (story === null) return undefined;
  const place = { edition: story.edition, story: story.uuid };
  return { ...place, ...(field === null ? {} : { field }), ...(target === undefined ? {} : { target }) };
}

function messageOf({ code, message, story, target }: Finding, { link, saved, target: known }: PlaceNames): string {
  if (target === undefined || (known ?? link ?? saved) === undefined) return message;
  const verb = message.startsWith("A link") ? linkVerb(link) : "the value names";
  const reason = code === linkUntranslated.code ? notTranslated(story?.language ?? "default") : undefined;
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${targetTitle(target, known, { saved, reason })}.`;
}
