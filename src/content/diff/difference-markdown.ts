import type { StoryDifference } from "./diff-story.js";
import { bothTimes, type TextPiece } from "./diff-text.js";
import type { DifferenceEntry } from "./difference-entries.js";

export interface ComparedStory {
  name: string;
  slug: string;
  edition: string;
  from: number;
  to: number;
  change: StoryDifference["change"];
  entries: readonly DifferenceEntry[];
}

const longest = 2000;

/** How a story differs as Markdown, for a mail or a pull request. Nothing of the content is markup in it. */
export function differenceMarkdown({ name, slug, edition, from, to, change, entries }: ComparedStory): string {
  const head = `### ${plainMarkdown(name === "" ? slug : name)}\n\n${code(slug)} · ${plainMarkdown(edition)} · generation ${from} → ${to} · ${change}\n`;
  return [head, ...entries.map(entryMarkdown)].join("\n");
}

function entryMarkdown(entry: DifferenceEntry): string {
  const moved = entry.change === "moved" ? ` from ${plainMarkdown(entry.from ?? "")}` : "";
  const lines = [`- **${plainMarkdown(entry.path)}** ${entry.change}${moved}`];
  if (entry.words !== undefined) lines.push(`  ${wordsMarkdown(entry.words)}`);
  for (const { is, pieces, formatting } of entry.paragraphs ?? []) {
    lines.push(`  - ${plainMarkdown(is)}${formatting ? ", formatting" : ""}: ${wordsMarkdown(pieces)}`);
  }
  if (entry.before !== undefined) lines.push(`  - before: ${code(entry.before)}`);
  if (entry.after !== undefined) lines.push(`  - after: ${code(entry.after)}`);
  return `${lines.join("\n")}\n`;
}

function wordsMarkdown(pieces: readonly TextPiece[]): string {
  const times = bothTimes(pieces);
  if (times !== undefined) return `<del>${plainMarkdown(times[0])}</del> → <ins>${plainMarkdown(times[1])}</ins>`;
  return pieces
    .map(({ change, text }) => {
      if (change === "same") return plainMarkdown(cut(text));
      const tag = change === "added" ? "ins" : "del";
      return `<${tag}>${plainMarkdown(cut(text))}</${tag}>`;
    })
    .join("");
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest / 2)} … ${text.slice(-longest / 2)}`;
}

/** Text in which nothing is Markdown or HTML, on one line. */
export function plainMarkdown(text: string): string {
  return text
    .replace(/[&<>\\`*_{}[\]()#+!|~@:-]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\s*\n\s*/g, " ↵ ");
}

/** A text as code on one line, with a fence that is longer than every run of backticks in it. */
function code(text: string): string {
  const shown = cut(text).replace(/\s*\n\s*/g, " ↵ ");
  const longestRun = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  const space = longestRun > 0 || shown === "" ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}
