import { byLevel, type Finding, toldField, toldFinding } from "../finding.js";
import { type FindingsReport, mostOfSentence, summaryOf } from "./findings-text.js";

/** GitHub shows ten annotations of each level of a step, and drops the others without a word. */
const mostAnnotations = 10;
const commands = { error: "error", warning: "warning", info: "notice" } as const;

/**
 * Workflow commands of GitHub Actions: at most ten annotations, and a line of counts for each space. The worst come first,
 * three of each sentence before all repetitions.
 */
export function githubText(reports: readonly FindingsReport[]): string {
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
