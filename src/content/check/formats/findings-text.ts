import type { Config } from "../../../config/config.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { printable } from "../../../lib/printable.js";
import { findingLevels } from "../facts/rule.js";
import type { Finding } from "../finding.js";
import type { CheckResult } from "../run-check.js";

/** The result of a check, with what decides the exit code. */
export interface FindingsReport extends CheckResult {
  /** The name of the space where it is one of several. */
  space?: string;
  failOn: Config["check"]["failOn"];
  failing: number;
}

export interface TextOptions {
  /** Every finding; by default {@link mostStories} stories and {@link mostOfStory} findings of each. */
  all: boolean;
}

const mostStories = 30;
const mostOfStory = 8;
const marks = { error: "✖", warning: "!", info: "·" } as const;

/** For people: the findings by story, those with the worst first, and a line of counts; one space after the other. */
export function findingsText(reports: readonly FindingsReport[], options: TextOptions): string {
  return reports
    .map((report) => {
      const text = textOf(report, options);
      return report.space === undefined ? text : `${printable(`# ${report.space}`)}\n${text}`;
    })
    .join("\n\n");
}

function textOf(report: FindingsReport, { all }: TextOptions): string {
  const groups = [...byStory(report.findings)];
  const shown = all ? groups : groups.slice(0, mostStories);
  const lines = shown.flatMap(([title, findings]) => {
    const merged = mergeLanguages(findings);
    const few = all ? merged : merged.slice(0, mostOfStory);
    const more = merged.length - few.length;
    return [printable(title), ...few.map(lineOf), ...(more > 0 ? [`  … and ${more} more`] : []), ""];
  });
  const hidden = groups.length - shown.length;
  if (hidden > 0) lines.push(`… and ${hidden} more stories; \`offprint check --all\` shows them.`, "");
  return [...lines, summaryOf(report)].join("\n");
}

/** `3 errors, 2 warnings, 10 infos in 408 stories of generation 7; 4 ignored.` */
export function summaryOf({ findings, stories, generation, since, ignored, known }: FindingsReport): string {
  const counts = findingLevels.map((level) => {
    const many = findings.filter((finding) => finding.level === level).length;
    return `${many} ${level}${many === 1 ? "" : "s"}`;
  });
  const fresh = since === null ? "" : ` that generation ${since} did not have`;
  const left = [...(ignored > 0 ? [`${ignored} ignored`] : []), ...(known > 0 ? [`${known} known`] : [])];
  const rest = left.length === 0 ? "" : `; ${left.join(", ")}`;
  return `${counts.join(", ")}${fresh} in ${stories} stories of generation ${generation}${rest}.`;
}

function byStory(findings: readonly Finding[]): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const title = finding.story === null ? "The space" : `${finding.story.url}  (${finding.story.slug})`;
    inMap(groups, title, () => []).push(finding);
  }
  return groups;
}

/** One line for a finding that several languages have at the same address. */
function mergeLanguages(findings: readonly Finding[]): { finding: Finding; languages: string[] }[] {
  const merged = new Map<string, { finding: Finding; languages: string[] }>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.code, finding.level, finding.field, finding.message]);
    const { languages } = inMap(merged, key, () => ({ finding, languages: [] }));
    if (finding.story !== null) languages.push(finding.story.language);
  }
  return [...merged.values()];
}

function lineOf({ finding, languages }: { finding: Finding; languages: readonly string[] }): string {
  const { level, code, field, message } = finding;
  const place = field === null || field === "" ? "" : ` ${field}:`;
  const others = languages.filter((language) => language !== "default");
  const where = others.length === 0 ? "" : ` (${languages.join(", ")})`;
  return printable(`  ${marks[level]}${place} ${message}${where} [${code}]`);
}
