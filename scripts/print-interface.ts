import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { choicesSection, type InterfaceChoice, interfaceChoices } from "./interface-choices.js";
import { type InterfaceRow, interfaceRows } from "./interface-rows.js";
import { printFile } from "./printed-file.js";
import { isMarked, type TestMarker, testMarkers } from "./test-markers.js";

/**
 * Prints test/interface.md from the contract and from what the tests say that they show. Run in the project's folder;
 * with `--check` nothing is written, and the exit code is 1 if the file differs. A row without a test is an error in both cases.
 */
async function main(): Promise<void> {
  const rows = interfaceRows();
  const markers = await readMarkers("test");
  const strays = [...strayMarkers(rows, markers), ...strayChoices(markers)];
  for (const { section, name, test } of strays) console.error(`test/${test}.test.ts: no row [${section} ${name}]`);
  const choices = interfaceChoices.map(({ name }) => ({ section: choicesSection, name }));
  const open = [...rows, ...choices].filter((row) => testsOf(row, markers).length === 0);
  for (const { section, name } of open) console.error(`no test names the row [${section} ${name}]`);
  if (strays.length > 0 || open.length > 0) process.exitCode = 1;
  await printFile("test/interface.md", printInterface(rows, markers), process.argv.slice(2));
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
  const sections = [...new Set(rows.map(({ section }) => section))];
  const blocks = sections.map((section) => printSection(section, rows, markers));
  return `${introduction(rows.length)}\n${blocks.join("\n")}\n${printChoices(interfaceChoices, markers)}`;
}

function introduction(total: number): string {
  return `# The API and its tests

Printed by \`npm run docs:print\` from \`src/contract\` and the tests: do not edit. The section numbers are those of the
[API reference](../docs/interface-reference.md).

Below each module of \`src\` (\`–\` for a rule without one) and the test files that show them stand its rows, ${total} in all.
A test file names its rows in comments: \`// Rows: [4.1 by_uuids]\`, several as \`[4.1 page, per_page]\`, all with one
beginning as \`[2.6 owner.*]\`. A row without a test, or a comment that means no row, fails \`npm run docs:check\`.
`;
}

/** Rows that live in one place and are shown by the same tests stand in one paragraph. */
function printSection(section: string, rows: readonly InterfaceRow[], markers: readonly TestMarker[]): string {
  const groups = new Map<string, string[]>();
  for (const row of rows.filter((each) => each.section === section)) {
    const place = `${row.livesIn.replace(" ", "#")}  ${testsOf(row, markers).join(", ")}`;
    groups.set(place, [...(groups.get(place) ?? []), row.name]);
  }
  const text = [...groups].map(([place, names]) => `${place}\n  ${names.join(", ")}`);
  return `## ${section}\n\n\`\`\`\n${text.join("\n")}\n\`\`\`\n`;
}

function printChoices(choices: readonly InterfaceChoice[], markers: readonly TestMarker[]): string {
  const lines = choices.map(({ name, about }) => {
    const tests = testsOf({ section: choicesSection, name }, markers).join(", ");
    return `- **${name}**: ${about} (${tests})`;
  });
  return `## ${choicesSection}. Our choices

The replica does this where the behaviour of Storyblok is not public, or no record carries what it would need. A test file names
a choice like a row: \`[${choicesSection} ETag]\`.

${lines.join("\n")}
`;
}

function testsOf(row: Pick<InterfaceRow, "section" | "name">, markers: readonly TestMarker[]): string[] {
  const tests = markers.filter((marker) => isMarked(marker, row)).map(({ test }) => test);
  return [...new Set(tests)].sort();
}

await main();
