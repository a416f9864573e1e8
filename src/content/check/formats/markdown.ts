import { findingLevels } from "../facts/rule.js";
import { type Finding, toldField, toldFinding } from "../finding.js";
import { type FindingsReport, summaryOf } from "./findings-text.js";

/** Rows of each table; a comment of a code host holds 65,536 characters. */
const mostRows = 100;
const titles = { error: "Errors", warning: "Warnings", info: "Notes" } as const;

/** A report for a comment, a mail or the summary of a job; of several spaces one after the other. */
export function findingsMarkdown(reports: readonly FindingsReport[]): string {
  return `${["# Content check", "", ...reports.flatMap(partOf)].join("\n").trimEnd()}\n`;
}

function partOf(report: FindingsReport): string[] {
  const isOne = report.space === undefined;
  const sections = findingLevels.flatMap((level) => {
    const own = report.findings.filter((finding) => finding.level === level);
    if (own.length === 0) return [];
    const more = own.length > mostRows ? [`… and ${own.length - mostRows} more.`, ""] : [];
    return [
      `${isOne ? "##" : "###"} ${titles[level]} (${own.length})`,
      "",
      ...findingTableHead,
      ...findingRows(own.slice(0, mostRows)),
      "",
      ...more,
    ];
  });
  const title = report.space === undefined ? [] : [`## ${cell(report.space)}`, ""];
  return [...title, cell(summaryOf(report)), "", ...sections];
}

export const findingTableHead = ["| story | language | field | what | rule |", "|---|---|---|---|---|"];

/** A row of the table for each finding. */
export function findingRows(findings: readonly Finding[]): string[] {
  return findings.map((finding) => {
    const { code, story } = finding;
    const where = story === null ? "the space" : story.url;
    const place = story === null || story.language === "default" ? "" : story.language;
    return `| ${[cell(where), place, cell(toldField(finding)), cell(toldFinding(finding)), code].join(" | ")} |`;
  });
}

/** A text in which nothing is Markdown or HTML, on one line. */
export function cell(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replace(/[\\`*_{}[\]<>#|~!&@$]/g, (character) =>
      character === "<" ? "&lt;" : character === "&" ? "&amp;" : `\\${character}`,
    );
}
