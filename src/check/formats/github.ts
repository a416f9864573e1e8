import type { Finding } from "../finding.js";
import type { FindingsReport } from "./findings-report.js";
import { summaryOf } from "./text.js";

/** GitHub shows ten annotations of each level of a step, and drops the others without a word. */
const mostAnnotations = 10;
const commands = { error: "error", warning: "warning", info: "notice" } as const;

/** Workflow commands of GitHub Actions: at most ten annotations, the worst first, and a line of counts. */
export function githubText(report: FindingsReport): string {
  const shown = report.findings.slice(0, mostAnnotations);
  const hidden = report.findings.length - shown.length;
  const more = hidden === 0 ? "" : ` ${hidden} of them are not shown here.`;
  return [...shown.map(annotationOf), `${summaryOf(report)}${more}`].join("\n");
}

function annotationOf({ level, code, story, field, message, hint }: Finding): string {
  const title = story === null ? code : `${code} at ${story.url}`;
  const place = field === null || field === "" ? "" : `${field}: `;
  return `::${commands[level]} title=${property(title)}::${data(`${place}${message} ${hint}`.trim())}`;
}

/** What ends a command or a property is encoded as the runner decodes it. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
