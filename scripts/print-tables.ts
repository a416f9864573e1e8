import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { findingCodes } from "../src/cli/doctor/diagnosis-finding.js";
import { driftRule, rules } from "../src/content/check/all-rules.js";
import { builtRules } from "../src/content/check/rules/built-rules.js";
import { families } from "../src/watch/telemetry/metrics-text.js";
import { printFile } from "./printed-file.js";

/** What `offprint doctor` finds: a list for each level and exit code. Those that are in order have their names only. */
export function findingsTable(): string {
  const groups = groupByTitle();
  return [...groups.keys()]
    .sort()
    .map((title) => printGroup(title, groups.get(title) ?? []))
    .join("\n\n");
}

function groupByTitle(): Map<string, (readonly [string, { level: string; about: string }])[]> {
  const groups = new Map<string, (readonly [string, { level: string; about: string }])[]>();
  for (const [code, entry] of Object.entries(findingCodes)) {
    const title = titleOf(entry);
    groups.set(title, [...(groups.get(title) ?? []), [code, entry]]);
  }
  return groups;
}

function titleOf(entry: (typeof findingCodes)[keyof typeof findingCodes]): string {
  if ("exit" in entry) return `Errors, exit code ${String(entry.exit).padStart(2)}`;
  return { ok: "In order", warning: "Warnings", note: "Notes" }[entry.level];
}

function printGroup(title: string, group: readonly (readonly [string, { level: string; about: string }])[]): string {
  const all = group.map(([code, { level, about }]) => (level === "ok" ? `\`${code}\`` : `- \`${code}\`: ${about}`));
  return `**${title.replace("  ", " ")}**\n\n${all.join(group[0]?.[1].level === "ok" ? ", " : "\n")}`;
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
  const rows = [...rules, driftRule, ...builtRules].map(({ code, level, about, hint }) =>
    row(`\`${code}\` ${level}`, about, hint),
  );
  return ["| rule | finds | what to do |", "|---|---|---|", ...rows].join("\n");
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
