// @module-tag long
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startDemo } from "../../demo/start-demo.js";
import { startReplica } from "../../src/server/replica/http/server.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/**
 * Runs the commands of pages in the demo space, and looks for each printed line in what they print. Times, sizes and processes
 * differ from run to run; `…` in a page stands for any text. Long-running commands and those of other programs are not run.
 */

const pages = ["troubleshooting", "faq", "compare", "limits", "support", "leaving", "migrating"];
/** A minute of 429 answers and more. */
const notRun = ["troubleshooting: Rate limit"];
const demoYaml = 'source: { url: "demo:", token: demo }\noutput: { dir: output }\nassets: { download: true }\n';

interface Block {
  name: string;
  /** Each command with the lines that follow it. */
  runs: { command: string; printed: string[] }[];
}

const docs = resolve(import.meta.dirname, "../../docs");
const blocks = (
  await Promise.all(pages.map(async (page) => blocksOf(page, await readFile(join(docs, `${page}.md`), "utf8"))))
).flat();

function blocksOf(page: string, text: string): Block[] {
  return [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(({ 1: body = "", index }) => {
    const heading = [...text.slice(0, index).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1];
    const runs: Block["runs"] = [];
    for (const line of body.trimEnd().split("\n")) {
      if (line.startsWith("$ ")) runs.push({ command: line.slice(2), printed: [] });
      else runs.at(-1)?.printed.push(line);
    }
    return { name: `${page}: ${heading}`, runs };
  });
}

/** A project whose first sync of the demo space is done; copied for each block. */
let synced = "";
beforeAll(async () => {
  synced = await mkdtemp(join(tmpdir(), "offprint-pages-"));
  await writeFile(join(synced, "sync.config.yaml"), demoYaml);
  expect((await runCommand(["sync"], { cwd: synced })).code).toBe(0);
  return () => rm(synced, { recursive: true });
}, 120_000);

const edit = (dir: string) => runCommand(["demo", "--edit"], { cwd: dir });
const lose = (dir: string, ...names: string[]) =>
  Promise.all(names.map((name) => rm(join(dir, "output", name), { recursive: true })));
const readFrom = (dir: string, url: string, token: string) =>
  writeFile(join(dir, "sync.config.yaml"), `source: { url: "${url}", token: ${token} }\ncontent: { formats: [] }\n`);

/** Prepares the project before the commands of a block run. */
const before: Record<string, (dir: string, nth: number) => Promise<unknown>> = {
  "troubleshooting: The build has old content": async (dir) => {
    await edit(dir);
    await runCommand(["sync"], { cwd: dir });
    await runCommand(["rollback"], { cwd: dir });
  },
  "troubleshooting: Many requests for one story": edit,
  "limits: Limits": edit,
  "troubleshooting: The cache was lost": (dir, nth) =>
    nth === 0 ? lose(dir, "") : lose(dir, "snapshot/stories/published/de", "content/markdown"),
  "troubleshooting: The lock is held": async (dir) => {
    await edit(dir);
    const lock = await openOutput({ dir: join(dir, "output") }).lock();
    onTestFinished(() => lock.release());
  },
  "troubleshooting: The sync stops because much would be removed": async (dir) => {
    const demo = await startDemo();
    const small = await temporaryFolder();
    await readFrom(small, demo.url, 'demo, include: { startsWith: ["journal/"] }');
    await readFrom(dir, demo.url, "demo");
    await lose(dir, "");
    for (const cwd of [small, dir]) await runCommand(["sync"], { cwd });
    await demo.close();
    const { store } = openOutput({ dir: join(small, "output") });
    const reader = await openReader(store, (await currentManifest(store))!);
    const replica = await startReplica({ reader: () => reader, store });
    onTestFinished(() => replica.close());
    await readFrom(dir, replica.url, "any");
    await lose(dir, ".state.json");
  },
  "troubleshooting: 401 or 403": async (dir) => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    await readFrom(dir, demo.url, "a-wrong-token");
  },
  "troubleshooting: The platform cannot be reached": async (dir) => {
    const demo = await startDemo();
    await demo.close();
    await readFrom(dir, demo.url, "any }\nqueue: { retries: 0");
  },
};

/** The text without what differs from run to run. */
function settled(line: string): string {
  return line
    .replaceAll("npx offprint", "offprint")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/process \d+ on \S+/g, "process <pid>")
    .replace(/(?:\d+(?:\.\d+)?) (ms|s|min|[KMG]?B)\b/g, "<n> $1")
    .replace(/<n> (ms|s|min)$/, "<duration>")
    .replace(/Node \d+\.\d+\.\d+/, "Node <version>")
    .trimEnd();
}

/** Whether a printed line is one of these; `…` in it is any text. */
function isAmong(line: string, lines: readonly string[]): boolean {
  const parts = settled(line).split("…");
  return lines.some((real) => {
    let at = 0;
    return parts.every((part, index) => {
      const found = real.indexOf(part, at);
      if (found < 0 || (index === 0 && found > 0)) return false;
      at = found + part.length;
      return index < parts.length - 1 || part === "" || at === real.length;
    });
  });
}

/** The commands of ours in a line that end by themselves. */
function stepsOf(command: string): string[][] {
  const steps = command.split(" && ").filter((step) => /^npx offprint (?!serve)/.test(step));
  return steps.map((step) => step.split(" ").slice(2));
}

const seen = new Map<string, number>();
const run = blocks.filter(
  ({ name, runs }) => !notRun.includes(name) && runs.some(({ command }) => stepsOf(command).length > 0),
);
const cases = run.map((block) => {
  const nth = seen.get(block.name) ?? 0;
  seen.set(block.name, nth + 1);
  return [`${block.name} (${nth + 1})`, block, nth] as const;
});

test("the pages have command blocks, and every preparation belongs to one", () => {
  const names = blocks.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(12);
  expect([...Object.keys(before), ...notRun].filter((name) => !names.includes(name))).toEqual([]);
});

test.each(cases)("the commands print what the page shows: %s", { timeout: 120_000 }, async (_, { name, runs }, nth) => {
  const dir = await temporaryFolder();
  await cp(synced, dir, { recursive: true });
  await before[name]?.(dir, nth);
  for (const { command, printed } of runs) {
    const steps = stepsOf(command);
    const lines: string[] = [];
    for (const step of steps) {
      const { stdout, stderr } = await runCommand(step, { cwd: dir });
      lines.push(...`${stdout}\n${stderr}`.split("\n").map(settled));
    }
    if (steps.length > 0)
      expect(
        printed.filter((line) => !isAmong(line, lines)),
        lines.join("\n"),
      ).toEqual([]);
  }
});
