import type { FindingsFormat } from "../../../config/config.js";
import type { FindingLevel } from "../facts/rule.js";
import { type FindingsReport, findingsText, type TextOptions } from "./findings-text.js";
import { githubText } from "./github.js";
import { junitText } from "./junit.js";
import { findingsMarkdown } from "./markdown.js";
import { sarifText } from "./sarif.js";

export function formatFindings(
  reports: readonly FindingsReport[],
  format: FindingsFormat,
  options: TextOptions,
): string {
  return printers[format](reports, options);
}

const printers: Record<FindingsFormat, (reports: readonly FindingsReport[], options: TextOptions) => string> = {
  text: findingsText,
  json: jsonText,
  sarif: sarifText,
  github: githubText,
  markdown: findingsMarkdown,
  junit: junitText,
};

function jsonText(reports: readonly FindingsReport[]): string {
  const documents = reports.map((report) => {
    return report.space === undefined ? findingsDocument(report) : { space: report.space, ...findingsDocument(report) };
  });
  const [first] = reports;
  const isOne = reports.length === 1 && first?.space === undefined;
  return JSON.stringify(isOne ? documents[0] : { schema: 1, spaces: documents }, undefined, 2);
}

export function findingsDocument(report: FindingsReport): object {
  const { generation, since, stories, editions, findings, ignored, known, failing, built } = report;
  const counts: Record<FindingLevel, number> = { error: 0, warning: 0, info: 0 };
  for (const { level } of findings) counts[level] += 1;
  const ofBuilt = built === undefined ? {} : { built };
  return { schema: 1, generation, since, editions, stories, ...ofBuilt, counts, failing, ignored, known, findings };
}
