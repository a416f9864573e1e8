import type { FindingsFormat } from "../../../config/config.js";
import { rules } from "../all-rules.js";
import type { FindingLevel } from "../facts/rule.js";
import { byLevel, type Finding, fails, toldField, toldFinding } from "../finding.js";
import { builtRules } from "../rules/built-rules.js";
import { type FindingsReport, findingsText, mostOfSentence, summaryOf, type TextOptions } from "./findings-text.js";
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

/** GitHub shows ten annotations of each level of a step, and drops the others without a word. */
const mostAnnotations = 10;
const commands = { error: "error", warning: "warning", info: "notice" } as const;

/**
 * Workflow commands of GitHub Actions: at most ten annotations, and a line of counts for each space. The worst come first,
 * three of each sentence before all repetitions.
 */
function githubText(reports: readonly FindingsReport[]): string {
  const times = new Map<string, number>();
  const found = reports.flatMap(({ space, findings }) => {
    return findings.map((finding) => {
      const sentence = `${finding.code} ${toldFinding(finding)}`;
      times.set(sentence, (times.get(sentence) ?? 0) + 1);
      return { space, finding, isRepeated: times.get(sentence)! > mostOfSentence };
    });
  });
  const shown = found
    .sort((a, b) => byLevel(a.finding, b.finding) || Number(a.isRepeated) - Number(b.isRepeated))
    .slice(0, mostAnnotations);
  const counts = reports.map((report) => {
    const hidden = report.findings.length - shown.filter(({ space }) => space === report.space).length;
    const more = hidden === 0 ? "" : ` ${hidden} of them are not shown here.`;
    return `${report.space === undefined ? "" : `${report.space}: `}${summaryOf(report)}${more}`;
  });
  return [...shown.map(({ finding, space }) => annotationOf(finding, space)), ...counts].join("\n");
}

function annotationOf(finding: Finding, space: string | undefined): string {
  const { level, code, story, hint } = finding;
  const [field, message] = [toldField(finding), toldFinding(finding)];
  const where = story === null ? code : `${code} at ${story.url}`;
  const title = space === undefined ? where : `${space}: ${where}`;
  const place = field === "" ? "" : `${field}: `;
  return `::${commands[level]} title=${property(title)}::${data(`${place}${message} ${hint}`.trim())}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** A suite for each rule. A failing finding is a failure, any other a passed test; so is a rule without findings. */
function junitText(reports: readonly FindingsReport[]): string {
  const suites = reports.flatMap(suitesOf);
  const tests = suites.reduce((sum, suite) => sum + suite.tests, 0);
  const failing = reports.reduce((sum, report) => sum + report.failing, 0);
  const head = `<testsuites name="offprint check" tests="${tests}" failures="${failing}" errors="0" time="0">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites.map(({ text }) => text), "</testsuites>", ""].join(
    "\n",
  );
}

function suitesOf({ space, findings, failOn, built }: FindingsReport): { tests: number; text: string }[] {
  const run: readonly { code: string }[] = built === undefined ? rules : builtRules;
  const codes = [...new Set([...run.map(({ code }) => code), ...findings.map(({ code }) => code)])];
  return codes.map((code) => {
    const name = escaped(space === undefined ? code : `${space} ${code}`);
    const className = escaped(space === undefined ? code : `${space}.${code}`);
    const own = findings.filter((finding) => finding.code === code);
    const failures = own.filter((finding) => fails(finding, failOn)).length;
    const cases =
      own.length === 0
        ? [`    <testcase classname="${className}" name="no findings" time="0"/>`]
        : own.map((one) => testcase(one, className, fails(one, failOn)));
    const head = `  <testsuite name="${name}" tests="${cases.length}" failures="${failures}" errors="0" skipped="0" time="0">`;
    return { tests: cases.length, text: [head, ...cases, "  </testsuite>"].join("\n") };
  });
}

function testcase(finding: Finding, className: string, isFailure: boolean): string {
  const { story, hint, level } = finding;
  const message = toldFinding(finding);
  const name = [story === null ? "the space" : `${story.url} (${story.edition})`, toldField(finding)]
    .filter((part) => part !== "")
    .join(" ");
  const open = `    <testcase classname="${className}" name="${escaped(name)}" time="0">`;
  const text = escaped(`${message} ${hint}`.trim());
  const inside = isFailure
    ? `      <failure type="${level}" message="${escaped(message)}">${text}</failure>`
    : `      <system-out>${text}</system-out>`;
  return [open, inside, "    </testcase>"].join("\n");
}

/** Text of XML 1.0: characters that it cannot hold become U+FFFD. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
