import type { FindingLevel } from "../finding.js";
import type { FindingsReport } from "./findings-report.js";

/** What a program reads of a check (`--json`). */
export function findingsDocument(report: FindingsReport): object {
  const { generation, since, stories, editions, findings, ignored, known, failing } = report;
  const counts: Record<FindingLevel, number> = { error: 0, warning: 0, info: 0 };
  for (const { level } of findings) counts[level] += 1;
  return { schema: 1, generation, since, editions, stories, counts, failing, ignored, known, findings };
}
