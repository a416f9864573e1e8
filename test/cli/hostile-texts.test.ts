import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTerminal } from "../../src/cli/terminal.js";
import { uuidOf } from "../support/editable-space.js";
import { type AnyRecord, type HostileSpace, type Mutation, startHostileSpace } from "../support/hostile-space.js";
import { runCommand } from "../support/run-command.js";

const planted = "planted-in-the-space";
/** Moves the cursor, changes text direction, ends its line, and has GitHub Actions commands on several lines. */
const evil = [
  `::add-mask::${planted}`,
  "\u001b]0;title\u0007\u001b[2J\u009b31m\u0085\u202eabc\u2066\u200f\u061c\ufeff",
  `::error file=x::${planted}`,
  `  \t::stop-commands::${planted}\r::add-mask::${planted}\u2028::add-mask::${planted}`,
  `##[add-mask]${planted} ##vso[task.setvariable]x ##teamcity[x]`,
].join("\n");

/** Finds content that no log line may have. */
function faultsIn(printed: string, isCommands = false): string[] {
  return printed.split("\n").filter((line) => {
    const hasRaw = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u.test(line);
    const isCommand = /^\s*::/.test(line) && !(isCommands && /^::(?:error|warning|notice) title=/.test(line));
    return hasRaw || isCommand || /##\w*\[/.test(line);
  });
}

/** Poisons every text of a record that people type, but keeps its ids. */
function spoiled(record: AnyRecord): AnyRecord {
  const content = record.content as AnyRecord | undefined;
  return {
    ...record,
    ...("name" in record && { name: `${evil} ${record.name}` }),
    ...("value" in record && { value: `${evil} ${record.value}` }),
    ...("tag_list" in record && { tag_list: [evil] }),
    ...("display_name" in record && { display_name: evil }),
    ...("slug" in record && { slug: `${evil} ${record.slug}` }),
    ...("full_slug" in record && { full_slug: `${evil} ${record.full_slug}` }),
    ...("real_path" in record && { real_path: `/${evil} ${record.real_path}` }),
    [evil]: evil,
    ...(content && {
      content: {
        ...content,
        component: evil,
        [evil]: evil,
        headline: `${evil} ${content.headline}`,
        body: [{ _uid: "b", component: `${evil} block`, [evil]: `${evil} (javascript:x)` }],
        link: { fieldtype: "multilink", linktype: "story", id: evil, url: evil, cached_url: evil },
        image: { fieldtype: "asset", id: 1, filename: `https://a.storyblok.com/f/9/1x1/x/${evil}.png`, alt: "" },
      },
    }),
  };
}

let dir: string;
let space: HostileSpace;
let stopSpace: (() => Promise<void>) | undefined;
let firstSync: { code: number | null; stdout: string; stderr: string };
let secondSync: typeof firstSync;

const run = (...args: string[]) => runCommand(args, { cwd: dir });

beforeAll(async () => {
  space = await startHostileSpace((stop) => {
    stopSpace = stop;
  });
  const kinds = ["story", "link", "variant", "datasource", "entry", "tag", "experiment", "space", "spaceInfo"] as const;
  const all = (mutate: Mutation["mutate"]): Mutation[] =>
    kinds.flatMap((kind) =>
      space.records(kind).map((record) => {
        const key = String(kind === "tag" ? record.name : (record.uuid ?? record.id));
        return { kind, key, mutate };
      }),
    );
  space.mutations = all((record) => [spoiled(record)]);
  dir = await mkdtemp(join(tmpdir(), "offprint-"));
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "${space.url}", token: t, recheck: 0s, settle: 0s }\nassets: { download: false }\n`,
  );
  firstSync = await run("sync", "--verbose");
  space.cv += 100;
  space.published.home = "2024-06-01T10:00:00.000Z";
  space.mutations = all((record) => {
    const next = spoiled(record);
    if (next.content !== undefined) (next.content as AnyRecord).headline = `other ${evil} words`;
    return [next];
  });
  secondSync = await run("sync", "--verbose");
}, 60_000);

afterAll(async () => {
  await stopSpace?.();
  await rm(dir, { recursive: true, force: true });
});

const home = uuidOf("home");
/** Commands by name, with arguments, and whether their texts come from the space. */
const commands: Record<string, string[][]> = {
  status: [["--offline"], [], ["--all"], ["--history"]],
  usage: [
    [],
    ["--unused", "--all"],
    ["block", evil],
    ["tag", evil],
    ["term", evil],
    ["field", `${evil}.${evil}`],
    ["language", "default"],
    ["language", evil],
    ["block", "none"],
  ],
  check: [
    [],
    ...["text", "json", "sarif", "github", "markdown", "junit"].map((format) => ["--all", "--format", format]),
  ],
  show: [[home], [home, "--generation", "1"], [evil], [home, "--at", "now"], [home, "--at", evil]],
  generations: [[], ["--all"]],
  diff: [[], ["1", "2"], ["--story", home], ["--story", home, "--markdown"], ["--story", evil], ["--since", evil]],
  changes: [
    ["--since", "1"],
    ["--since", "0"],
  ],
  why: [[home], [home, "--since", "1"], [evil]],
  report: [[], ["--since", "1"]],
  types: [[], ["--zod"], ["--json-schema"]],
  verify: [[], ["--all"], ["--deep"], ["--part", "1/2"]],
  doctor: [[]],
  export: [[]],
  sync: [["--verbose"], ["--dry-run"], ["--full", "--verbose"]],
  pull: [["--from", "nowhere"]],
  rollback: [["--verbose"]],
  init: [["--dry-run", "--url", evil]],
  resume: [[evil]],
};
/** These run until stopped, or know no space. They print through the same terminal. */
const others = new Set(["watch", "worker", "serve", "open", "demo", "help"]);
/** Every one of these prints a text of the space. */
const telling = new Set(["status", "usage", "check", "show", "diff", "changes", "why", "report", "types", "sync"]);

test("the tests cover every command", async () => {
  const { stdout } = await run("--help");
  const names = Array.from(stdout.slice(stdout.indexOf("Start:")).matchAll(/^ {2}(\w+)/gm), ([, name]) => name!);
  expect(names.filter((name) => !others.has(name)).sort()).toEqual(Object.keys(commands).sort());
});

test("a sync prints no control character of a space, and no line that CI runs as a command", () => {
  for (const { code, stdout, stderr } of [firstSync, secondSync]) {
    expect(code, stderr).toBeLessThan(10);
    expect(faultsIn(stdout + stderr)).toEqual([]);
  }
});

test.each(Object.keys(commands))(
  "%s prints no control character of a space, and no line that CI runs as a command",
  async (name) => {
    let isTold = false;
    for (const args of commands[name]!) {
      for (const more of [[], ["--json"]]) {
        const { stdout, stderr } = await run(name, ...args, ...more);
        const isCommands = args.includes("github") && more.length === 0;
        expect({ args, faults: faultsIn(stdout, isCommands), notes: faultsIn(stderr) }).toEqual({
          args,
          faults: [],
          notes: [],
        });
        if (more.length > 0 && stdout !== "")
          expect(() =>
            stdout
              .trim()
              .split(/\n(?=\{)/)
              .map((one) => JSON.parse(one)),
          ).not.toThrow();
        isTold ||= stdout.includes(planted);
      }
    }
    expect(isTold || !telling.has(name)).toBe(true);
  },
);

test("show prints JSON of exactly the stored value", async () => {
  const { stdout } = await run("show", home);
  expect(JSON.parse(stdout).name).toBe(`${evil} home`);
  expect(JSON.parse(stdout)[evil]).toBe(evil);
});

test.each([false, true])("a terminal escapes the texts of any command, coloured: %s", (isColored) => {
  const printed = { stdout: "", stderr: "" };
  const into = (name: "stdout" | "stderr") => ({
    ...{ isTTY: isColored, columns: 4000 },
    write: (text: string) => {
      printed[name] += text;
    },
  });
  const mark = isColored ? "\u001b[31m✖\u001b[39m" : "✖";
  const env = isColored ? { FORCE_COLOR: "1" } : { CI: "true" };
  for (const json of [false, true]) {
    const terminal = createTerminal(
      { env, stdout: into("stdout"), stderr: into("stderr") },
      { spelled: (text) => text, quiet: false, verbose: true, json, color: true },
    );
    const { data, say, warn, detail, document, jsonLine, text } = terminal;
    for (const print of [data, say, warn, detail]) {
      print(evil);
      print(`${mark} ${evil}`);
    }
    document({ [evil]: evil });
    jsonLine({ [evil]: evil });
    text(JSON.stringify({ [evil]: evil }), "json");
    terminal.ofSpace({ name: "news", label: "", spelled: (line) => line }).say(evil);
  }
  expect(printed.stdout).toContain(planted);
  expect(printed.stderr).toContain(`${mark} ::add-mask::${planted}\\u{a}`);
  expect(faultsIn((printed.stdout + printed.stderr).replaceAll(mark, "✖"))).toEqual([]);
});
