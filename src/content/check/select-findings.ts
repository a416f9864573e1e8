import type { Config, IgnoredFinding, RuleCode } from "../../config/config.js";
import { wildcardTest } from "../../contract/wildcard.js";
import { findingLevels } from "./facts/rule.js";
import { type Finding, sortFindings } from "./finding.js";

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
