import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../support/run-command.js";

let dir = "";
const run = (...args: string[]) => runCommand(args, { cwd: dir });

/** The demo space after an edit of a page, a new slug of its folder, another label and a story that is gone. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "offprint-questions-"));
  await writeFile(
    join(dir, "sync.config.yaml"),
    'source: { url: "demo:", token: demo }\nassets: { download: false }\ncontent: { formats: [markdown] }\n',
  );
  await run("sync");
  for (const edit of ["publish", "rename", "datasource", "delete"]) {
    await run("demo", "--edit", edit);
    await run("sync");
  }
}, 120_000);

afterAll(() => rm(dir, { recursive: true, force: true }));

/** What somebody asks, what they type, and what the answer says: names, in one command. */
const questions: [question: string, command: string[], answer: RegExp][] = [
  [
    "Is the copy fresh?",
    ["status", "--offline"],
    /^generation {3}5, exact, .*committed .*[\s\S]*^confirmed .* ago at cv \d+$/m,
  ],
  ["Which states can I go back to?", ["generations"], /^5 .*1 removed.*the newest\n4 .*\n3 .*8 changed \(8 moved\)/m],
  [
    "What changed on this page?",
    ["diff", "--story", "newsroom/the-lamp-over-the-door", "1", "2"],
    /content › headline\n.*\{\+ is on again\+\}/,
  ],
  ["What changed since the first generation?", ["diff", "--since", "1"], /^~ folder press → newsroom, 8 stories$/m],
  ["Which label changed, from what to what?", ["diff", "3", "4"], /^~ labels › footer\.lamp: ".*" → ".*"$/m],
  ["What did the page look like at a time?", ["show", "newsroom/the-lamp-over-the-door", "--at", "now"], /is on again/],
  [
    "Who must mend this dead relation, and what did it name?",
    ["check", "--rule", "RELATION_DANGLING"],
    /glossary\/furniture\n.*See also 1: .*"Ligature" \(glossary\/ligature\), deleted/,
  ],
  ["Which findings are new?", ["check", "--new"], /^3 errors, .* that generation 4 did not have/m],
  ["Which pages lack German?", ["check", "--rule", "UNTRANSLATED"], /UNTRANSLATED/],
  [
    "Which pages are not in German at all?",
    ["usage", "language", "de"],
    /^language de: \d+ of \d+ stories translated \(\d+ %\)\.$/m,
  ],
  ["Who uses this block, and which of its fields?", ["usage", "block", "hero"], /filled in 1 of 2 \(50 %\)/],
  ["What is used nowhere?", ["usage", "--unused"], /^Fields that are always empty \(\d+\):$/m],
  ["What did the last syncs cost?", ["status", "--history"], /committed {2}#5 .* requests .*-1/],
  [
    "What has a build to do since generation 4?",
    ["changes", "--since", "4"],
    /"affected".*glossary\/furniture|glossary\/furniture[^\n]*affected/s,
  ],
];

describe("a daily question is answered by one command", () => {
  test.each(questions)("%s", async (_question, command, answer) => {
    const { stdout, stderr } = await run(...command);
    expect(`${stdout}\n${stderr}`).toMatch(answer);
  });

  test("no answer shows a uuid where a name is known", async () => {
    const ligature = /"uuid":"([^"]+)"/.exec(await readFile(join(dir, "output/content/changes.json"), "utf8"))?.[1];
    for (const [, command] of questions) {
      if (["changes", "show"].includes(command[0]!)) continue;
      expect((await run(...command)).stdout).not.toContain(ligature ?? "no uuid");
    }
  });
});
