/** A file that a page shows: a block whose first line has `file="path"`, or `title="path"`, which readers see. */
export interface FileStep {
  kind: "file";
  /** Where the block begins in the page, from 1. */
  line: number;
  path: string;
  text: string;
  /** Named by `file`, not by `title` alone. */
  isFile: boolean;
}

/** Settings that go into a JSON or YAML file. Each replaces the one of its name; scripts join those that are there. */
interface MergeStep {
  kind: "merge";
  line: number;
  path: string;
  text: string;
}

/** A command of a `console` block: a line after `$ `, with what it prints below it. */
export interface ConsoleStep {
  kind: "command";
  line: number;
  command: string;
  /** What the page shows of the output; `…` stands for anything. */
  output: string;
  /** The command goes on while the page does: ```console background. */
  background: boolean;
}

/** What a reader sees in the browser: a comment `<!-- look: URL text -->`. */
interface LookStep {
  kind: "look";
  line: number;
  url: string;
  /** What the page there has to contain. */
  text: string;
}

/** A page that has to be in the built site. */
export interface BuiltStep {
  kind: "built";
  line: number;
  /** Where the site is built into. */
  folder: string;
  url: string;
  /** What its title has to contain. */
  title: string;
  /** The values of `hreflang`, in lower case. */
  languages: readonly string[];
}

/** The whole built site: a page for each story of the demo space, or of a part of it. */
export interface SiteStep {
  kind: "site";
  line: number;
  /** Where the site is built into. */
  built: string;
  /** Whether its pages are Markdown files. */
  isMarkdown: boolean;
  /** Whether it has all of the demo space. */
  isWhole: boolean;
  /** Whether stories have moved since the first sync. */
  hasMoved: boolean;
  /** Which stories it shows. */
  version: "published" | "draft";
}

export type PageStep = FileStep | MergeStep | ConsoleStep | LookStep | BuiltStep | SiteStep;

/** What a reader of a Markdown page does, in order. */
export function readPageSteps(page: string): PageStep[] {
  const steps: PageStep[] = [];
  for (const block of page.matchAll(/^```(\S+)([^\n]*)\n([\s\S]*?)^```$|^<!-- look: (\S+) (.*) -->$/gm)) {
    const [, language, rest = "", text = "", url, seen = ""] = block;
    const line = page.slice(0, block.index).split("\n").length;
    if (url !== undefined) {
      steps.push({ kind: "look", line, url, text: seen });
      continue;
    }
    const file = /file="([^"]+)"/.exec(rest)?.[1];
    const path = file ?? /title="([^"]+)"/.exec(rest)?.[1];
    if (language === "console") steps.push(...readCommands(text, line, rest.includes("background")));
    else if (path !== undefined) steps.push({ kind: "file", line, path, text, isFile: file !== undefined });
  }
  return steps;
}

function readCommands(text: string, line: number, background: boolean): ConsoleStep[] {
  const steps: ConsoleStep[] = [];
  for (const [at, row] of text.split("\n").entries()) {
    if (row.startsWith("$ ")) {
      steps.push({ kind: "command", line: line + 1 + at, command: row.slice(2), output: "", background });
    } else if (steps.length > 0) {
      steps[steps.length - 1]!.output += `${row}\n`;
    }
  }
  return steps;
}

/**
 * @param shown what a page shows; `…` stands for anything within a line, a line of its own for any lines
 * @returns the first shown line that the printed text lacks after those before it; undefined where there is none
 */
export function differsAt(shown: string, printed: string): string | undefined {
  const rows = printed.split("\n").map(plain);
  let at = 0;
  let loose = true;
  for (const line of shown.split("\n").map((row) => row.trim())) {
    if (line === "") continue;
    if (line === "…") {
      loose = true;
      continue;
    }
    const wanted = pattern(line);
    const found = loose ? rows.findIndex((row, index) => index >= at && wanted.test(row)) : nextRow(rows, at);
    if (found < 0 || !wanted.test(rows[found] ?? "")) return line;
    at = found + 1;
    loose = false;
  }
  return undefined;
}

/** Where the next row that is not empty stands. */
function nextRow(rows: readonly string[], from: number): number {
  return rows.findIndex((row, index) => index >= from && row !== "");
}

/** How long something took differs from run to run. */
function plain(row: string): string {
  return row
    .trim()
    .replace(/\u001b\[[0-9;]*m/g, "")
    .replace(/\b\d+(\.\d+)? m?s\b/g, "1 s");
}

function pattern(line: string): RegExp {
  const literal = plain(line).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll("…", ".*")}$`);
}
