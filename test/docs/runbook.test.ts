import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readMarkdown } from "../../scripts/read-markdown.js";
import { errorCodes } from "../../src/lib/errors.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const docs = resolve(import.meta.dirname, "../../docs");
const page = readFileSync(join(docs, "runbook.md"), "utf8");
/** The text below each heading of the third level. */
const entries = new Map(
  page
    .split(/^#{2,3} /m)
    .map((section) => [section.split("\n", 1)[0]!, section] as const)
    .filter(([name]) => /^(?:Offprint\w+|Exit code \d+)$/.test(name)),
);
const { groups } = parse(readFileSync(join(docs, "recipes/alerts.yml"), "utf8")) as {
  groups: { rules: { alert: string; labels: { severity: string }; annotations: { runbook_url: string } }[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);

test("the runbook has an entry for each alert and each exit code, and no other", () => {
  const exits = new Set([0, ...Object.values(errorCodes).map(({ exit }) => exit)]);
  const wanted = [...alerts.map(({ alert }) => alert), ...[...exits].map((exit) => `Exit code ${exit}`)];
  expect([...entries.keys()].sort()).toEqual(wanted.sort());
});

test("each entry says what it means, what still works, what to type and whom to wake", () => {
  for (const [name, text] of entries) {
    const labels = [...text.matchAll(/^- \*\*(\w+)\*\*: ./gm)].map(([, label]) => label);
    expect([name, ...labels]).toEqual([name, "Means", "Works", "Type", "Wake"]);
  }
});

test("each alert links its entry, which names its severity", () => {
  const { anchors } = readMarkdown(page);
  for (const { alert, labels, annotations } of alerts) {
    const [address, anchor = ""] = annotations.runbook_url.split("#");
    expect(address).toMatch(/\/docs\/runbook\.md$/);
    expect(anchors.has(anchor), anchor).toBe(true);
    expect(entries.get(alert)?.toLowerCase()).toMatch(new RegExp(`^${alert.toLowerCase()}\n\n${labels.severity}\\.\n`));
  }
});

test.each(["runbook", "backup"])("each command of docs/%s.md is one that the program knows", async (name) => {
  const text = readFileSync(join(docs, `${name}.md`), "utf8");
  const commands = [...text.matchAll(/npx offprint ([^`\n#]+)/g)].map(([, args = ""]) => args.trim());
  expect(commands.length).toBeGreaterThan(5);
  const cwd = await temporaryFolder();
  for (const command of new Set(commands)) {
    const { stderr } = await runCommand(command.split(/\s+/), { cwd });
    expect(stderr, command).not.toContain("[USAGE]");
  }
});
