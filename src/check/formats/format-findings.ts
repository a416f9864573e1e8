import type { FindingsFormat } from "../../config/config.js";
import type { FindingsReport } from "./findings-report.js";
import { githubText } from "./github.js";
import { junitText } from "./junit.js";
import { findingsMarkdown } from "./markdown.js";
import { sarifText } from "./sarif.js";
import { findingsText, type TextOptions } from "./text.js";

/** The findings in a format; `json` is the document of the command. */
export function formatFindings(
  report: FindingsReport,
  format: Exclude<FindingsFormat, "json">,
  options: TextOptions,
): string {
  switch (format) {
    case "text":
      return findingsText(report, options);
    case "sarif":
      return sarifText(report);
    case "github":
      return githubText(report);
    case "markdown":
      return findingsMarkdown(report);
    case "junit":
      return junitText(report);
  }
}
