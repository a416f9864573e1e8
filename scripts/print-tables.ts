import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { findingCodes } from "../src/cli/doctor/diagnosis-finding.js";
import { driftRule, rules } from "../src/content/check/all-rules.js";
import { families } from "../src/watch/telemetry/metrics-text.js";
import { printFile } from "./printed-file.js";

/** What `offprint doctor` finds, by code. */
export function findingsTable(): string {
  const rows = Object.entries(findingCodes).map(([code, entry]) =>
    row(`\`${code}\``, entry.level, "exit" in entry ? entry.exit : "", entry.about),
  );
  return ["| code | level | exit | means |", "|---|---|---|---|", ...rows].join("\n");
}

/** What `/metrics` and the metrics file hold. */
export function metricsTable(): string {
  const rows = families.map(({ name, type, labels, help }) =>
    row(`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(", "), help),
  );
  return ["| metric | type | labels | means |", "|---|---|---|---|", ...rows].join("\n");
}

/** What `offprint check` looks for. */
export function rulesTable(): string {
  const rows = [...rules, driftRule].map(({ code, level, about, hint }) => row(`\`${code}\``, level, about, hint));
  return ["| rule | level | finds | what to do |", "|---|---|---|---|", ...rows].join("\n");
}

/** The pages that hold a table, which stands between its two comments. */
export const pages: Readonly<Record<string, () => string>> = {
  "docs/check.md": rulesTable,
  "docs/doctor.md": findingsTable,
  "docs/monitoring.md": metricsTable,
};

/** The page with its table printed anew. */
export function withTable(page: string, table: string): string {
  return page.replace(
    /(<!-- Printed from [^>]* -->\n)[\s\S]*?(<!-- \/printed -->)/,
    (_, start, end) => `${start}\n${table}\n\n${end}`,
  );
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, table] of Object.entries(pages)) {
    await printFile(path, withTable(await readFile(path, "utf8"), table()), process.argv.slice(2));
  }
}
