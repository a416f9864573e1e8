import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { choicesSection, type InterfaceChoice, interfaceChoices } from "./interface-choices.js";
import { type InterfaceRow, interfaceRows } from "./interface-rows.js";
import { printFile } from "./printed-file.js";
import { isMarked, type TestMarker, testMarkers } from "./test-markers.js";

/**
 * Prints docs/interface.md from the contract and from what the tests say that they show. Run in the project's folder; with
 * `--check` nothing is written, and the exit code is 1 when the file is not what would be printed.
 */
async function main(): Promise<void> {
  const rows = interfaceRows();
  const markers = await readMarkers("test");
  const strays = [...strayMarkers(rows, markers), ...strayChoices(markers)];
  for (const { section, name, test } of strays) console.error(`test/${test}.test.ts: no row [${section} ${name}]`);
  if (strays.length > 0) process.exitCode = 1;
  await printFile("docs/interface.md", printInterface(rows, markers), process.argv.slice(2));
}

/** The markers of all test files below the folder. */
async function readMarkers(folder: string): Promise<TestMarker[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".test.ts")).sort();
  const markers = files.map(async (file) => {
    const path = join(folder, file);
    const name = relative(folder, path)
      .replaceAll(sep, "/")
      .replace(/\.test\.ts$/, "");
    return testMarkers(name, await readFile(path, "utf8"));
  });
  return (await Promise.all(markers)).flat();
}

/** Markers of a section of the interface that mean no row: a misspelled name. */
function strayMarkers(rows: readonly InterfaceRow[], markers: readonly TestMarker[]): TestMarker[] {
  const sections = new Set(rows.map(({ section }) => section));
  return markers.filter((marker) => sections.has(marker.section) && !rows.some((row) => isMarked(marker, row)));
}

/** Markers of choices that are none. */
function strayChoices(markers: readonly TestMarker[]): TestMarker[] {
  const names = new Set(interfaceChoices.map(({ name }) => name));
  return markers.filter(({ section, name }) => section === choicesSection && !names.has(name));
}

/** The whole page. */
function printInterface(rows: readonly InterfaceRow[], markers: readonly TestMarker[]): string {
  const tests = new Map(rows.map((row) => [row, testsOf(row, markers)]));
  const open = rows.filter((row) => tests.get(row)?.length === 0);
  const spelledOnly = rows.filter((row) => {
    const named = tests.get(row) ?? [];
    return named.length > 0 && named.every((test) => test.startsWith("contract/"));
  });
  const sections = [...new Set(rows.map(({ section }) => section))];
  const tables = sections.map((section) => printSection(section, rows, tests));
  const choices = printChoices(interfaceChoices, markers);
  return `${introduction(rows.length, open.length, spelledOnly.length)}\n${tables.join("\n")}\n${choices}`;
}

function printChoices(choices: readonly InterfaceChoice[], markers: readonly TestMarker[]): string {
  const lines = choices.map(({ name, about }) => {
    const named = testsOf({ section: choicesSection, name }, markers).join(", ");
    return `| ${name} | ${cell(about)} | ${named === "" ? "**open**" : named} |`;
  });
  return `## ${choicesSection}. Our choices

What the platform does is not public in these cases, or no record carries what it would need. This is what the replica does.
A test file names a choice like a row: \`[${choicesSection} ETag]\`.

| where | what the replica does | test |
|---|---|---|
${lines.join("\n")}
`;
}

function testsOf(row: Pick<InterfaceRow, "section" | "name">, markers: readonly TestMarker[]): string[] {
  const tests = markers.filter((marker) => isMarked(marker, row)).map(({ test }) => test);
  return [...new Set(tests)].sort();
}

function introduction(total: number, open: number, spelledOnly: number): string {
  return `# The interface and its tests

Printed by \`scripts/print-interface.ts\` from \`src/contract\` and from the tests: do not edit. The sections are those of
[interface-reference.md](interface-reference.md); *seed* marks what the specification of the interface states, *beyond* what
other public documentation of it adds.

A test file names the rows that it shows in comments, \`// Rows: [4.1 by_uuids]\`: several rows of a section as
\`[4.1 page, per_page]\`, all that begin alike as \`[2.6 owner.*]\`. A marker that means no row fails the printing. A row that
no file names is **open**.

${total} rows, of which **${open} are open**. ${spelledOnly} are named by tests of the contract only: shown to be written and read
as they should, not to be acted upon.
`;
}

function printSection(
  section: string,
  rows: readonly InterfaceRow[],
  tests: ReadonlyMap<InterfaceRow, readonly string[]>,
): string {
  const lines = rows
    .filter((row) => row.section === section)
    .map((row) => {
      const named = (tests.get(row) ?? []).join(", ");
      const origin = row.origin === "seed" ? "seed" : "beyond";
      return `| \`${row.name}\` | ${cell(row.about)} | ${origin} | ${row.livesIn} | ${named === "" ? "**open**" : named} |`;
    });
  return `## ${section}\n\n| row | what | from | lives in \`src\` | test |\n|---|---|---|---|---|\n${lines.join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

await main();
