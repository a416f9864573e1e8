import { rules } from "../all-rules.js";
import { type Finding, toldField, toldFinding } from "../finding.js";
import { builtRules } from "../rules/built-rules.js";
import { fails } from "../select-findings.js";
import type { FindingsReport } from "./findings-text.js";

/** A suite for each rule. A failing finding is a failure, any other a passed test; so is a rule without findings. */
export function junitText(reports: readonly FindingsReport[]): string {
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
