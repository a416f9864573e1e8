import type { Config } from "../../../config/config.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { printable } from "../../../lib/printable.js";
import { plural } from "../../../lib/quantity-text.js";
import { findingLevels } from "../facts/rule.js";
import { type Finding, toldField, toldFinding } from "../finding.js";
import type { CheckResult } from "../run-check.js";

/** The result of a check, with what decides the exit code. */
export interface FindingsReport extends CheckResult {
  /** The name of the space where it is one of several. */
  space?: string;
  failOn: Config["check"]["failOn"];
  failing: number;
}

export interface TextOptions {
  /** Every finding; by default {@link mostStories} stories, and of each sentence {@link mostOfSentence} lines. */
  all: boolean;
  /** Whether each line is followed by the address of the story in the editor; by default if there are few lines. */
  editor?: boolean;
}

const mostStories = 30;
const mostOfStory = 8;
/** A sentence that many stories have says no more when it is repeated. */
export const mostOfSentence = 3;
const mostSentences = 10;
/** With so few lines, each has the address in the editor. */
const fewLines = 3;
const marks = { error: "✖", warning: "!", info: "·" } as const;

/** For people: the findings by story, those with the worst first, and a line of counts; one space after the other. */
export function findingsText(reports: readonly FindingsReport[], options: TextOptions): string {
  return reports
    .map((report) => {
      const text = textOf(report, options);
      return report.space === undefined ? text : `${printable(`# ${report.space}`)}\n${text}`;
    })
    .join("\n\n");
}

function textOf(report: FindingsReport, { all, editor }: TextOptions): string {
  const merged = [...byStory(report.findings)].map(([title, findings]): StoryLines => {
    return { title, lines: mergeLanguages(findings) };
  });
  const { groups, repeated } = all ? { groups: merged, repeated: [] } : withoutRepetition(merged);
  const shown = all ? groups : groups.slice(0, mostStories);
  const tells = editor === true || merged.flatMap(({ lines }) => lines).length <= fewLines;
  const lines = shown.flatMap(({ title, lines: own }) => {
    const few = all ? own : own.slice(0, mostOfStory);
    const more = own.length - few.length;
    const told = few.flatMap((line) => [lineOf(line), ...(tells ? editorLine(line.finding) : [])]);
    return [printable(title), ...told, ...(more > 0 ? [`  … and ${more} more`] : []), ""];
  });
  const hidden = groups.length - shown.length;
  if (hidden > 0)
    lines.push(`… and ${plural(hidden, "more story", "more stories")}; \`offprint check --all\` shows them.`, "");
  if (repeated.length > 0) lines.push(...repeatedLines(repeated), "");
  return [...lines, summaryOf(report)].join("\n");
}

interface StoryLines {
  title: string;
  lines: MergedLine[];
}

/** A finding, and the languages that have it at the same address. */
interface MergedLine {
  finding: Finding;
  languages: string[];
}

interface Sentence {
  finding: Finding;
  /** Lines that are left out. */
  more: number;
}

/** Keeps the first lines of each sentence, and counts the others. */
function withoutRepetition(stories: readonly StoryLines[]): { groups: StoryLines[]; repeated: Sentence[] } {
  const sentences = new Map<string, Sentence & { times: number }>();
  const groups = stories.map(({ title, lines }) => ({
    title,
    lines: lines.filter(({ finding }) => {
      const key = `${finding.code} ${finding.level} ${toldFinding(finding)}`;
      const sentence = inMap(sentences, key, () => ({ finding, times: 0, more: 0 }));
      sentence.times += 1;
      if (sentence.times > mostOfSentence) sentence.more += 1;
      return sentence.times <= mostOfSentence;
    }),
  }));
  const repeated = [...sentences.values()].filter(({ more }) => more > 0).sort((a, b) => b.more - a.more);
  return { groups: groups.filter(({ lines }) => lines.length > 0), repeated };
}

function repeatedLines(repeated: readonly Sentence[]): string[] {
  const lines = repeated
    .slice(0, mostSentences)
    .map(({ finding, more }) => printable(`… and ${more} more: ${toldFinding(finding)} [${finding.code}]`));
  const others = repeated.slice(mostSentences).reduce((sum, { more }) => sum + more, 0);
  return [
    ...lines,
    ...(others > 0 ? [`… and ${others} more of ${repeated.length - mostSentences} other sentences`] : []),
    "`offprint check --all` shows them.",
  ];
}

/** `3 errors, 2 warnings, 10 infos in 408 stories of generation 7; 4 ignored.` Then what a built site was held against. */
export function summaryOf({ findings, stories, generation, since, ignored, known, built }: FindingsReport): string {
  const counts = findingLevels.map((level) => {
    const many = findings.filter((finding) => finding.level === level).length;
    return plural(many, level);
  });
  const earlier = built === undefined ? `generation ${since}` : `the last build (generation ${since})`;
  const fresh = since === null ? "" : ` that ${earlier} did not have`;
  const left = [...(ignored > 0 ? [`${ignored} ignored`] : []), ...(known > 0 ? [`${known} known`] : [])];
  const rest = left.length === 0 ? "" : `; ${left.join(", ")}`;
  const where = built === undefined ? "" : `${plural(built.pages, "page")} of ${printable(built.folder)} and `;
  const told = [
    `${counts.join(", ")}${fresh} in ${where}${plural(stories, "story", "stories")} of generation ${generation}${rest}.`,
  ];
  return [...told, ...(built?.notes ?? []).map(printable)].join(" ");
}

function byStory(findings: readonly Finding[]): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    inMap(groups, titleOf(finding), () => []).push(finding);
  }
  return groups;
}

/** The address on the site, and the slug where it is another one. */
function titleOf({ story }: Finding): string {
  if (story === null) return "The space";
  return story.url === `/${story.slug}` ? story.url : `${story.url}  (${story.slug})`;
}

/** One line for a finding that several languages have at the same address. */
function mergeLanguages(findings: readonly Finding[]): MergedLine[] {
  const merged = new Map<string, MergedLine>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.code, finding.level, finding.field, finding.message]);
    const { languages } = inMap(merged, key, () => ({ finding, languages: [] }));
    if (finding.story !== null) languages.push(finding.story.language);
  }
  return [...merged.values()];
}

function editorLine({ names }: Finding): string[] {
  return names?.editor === undefined ? [] : [printable(`    ${names.editor}`)];
}

function lineOf({ finding, languages }: MergedLine): string {
  const { level, code } = finding;
  const field = toldField(finding);
  const place = field === "" ? "" : ` ${field}:`;
  const others = languages.filter((language) => language !== "default");
  const where = others.length === 0 ? "" : ` (${languages.join(", ")})`;
  return printable(`  ${marks[level]}${place} ${toldFinding(finding)}${where} [${code}]`);
}
