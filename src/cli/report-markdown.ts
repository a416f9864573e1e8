import { cell, findingRows, findingTableHead } from "../content/check/formats/markdown.js";
import type { CheckResult } from "../content/check/run-check.js";
import { duration, grouped, plural, size } from "../lib/quantity-text.js";
import type { RunRecord } from "../snapshot/state.js";
import type { Change, ChangeList } from "../watch/hooks/change-list.js";
import { countsText } from "./consumers.js";

/** The facts of a report. Undefined: unknown, because the deployed generation is not kept. */
export interface Report {
  generation: number;
  /** What is deployed, to continue "since". */
  since: string;
  list: ChangeList | undefined;
  /** Findings that the deployed generation did not have. */
  findings: CheckResult["findings"];
  /** Undefined if there is no built site. */
  built: CheckResult | undefined;
  /** Those that read what is not deployed yet. */
  runs: readonly RunRecord[];
  /** The Markdown of each story that changed, made one by one. */
  words(): AsyncIterable<string>;
}

/** A comment of a code host holds 65,536 characters. */
export const mostBytes = 60_000;
/** Shares of the bytes: what a section leaves is for those below it. */
const mostOfTable = 12_000;
/** Words of so many stories are compared. */
export const mostCompared = 300;
/** Bytes kept free for the line that counts what was left out. */
const reserved = 200;

/** The report as Markdown of at most {@link mostBytes}; what is left out is counted. */
export async function reportMarkdown(report: Report): Promise<string> {
  const { list, findings, built } = report;
  const changes = [...(list?.changes ?? [])].sort((a, b) => {
    return order.indexOf(a.change) - order.indexOf(b.change) || (nameOf(a) < nameOf(b) ? -1 : 1);
  });
  const page = new Page();
  page.add(["# Content report", "", ...summary(report)]);
  const changed = changes.map(changeRow);
  page.table("Changes", ["| change | page | language | story |", "|---|---|---|---|"], changed);
  page.table("New findings", findingTableHead, findingRows(findings));
  if (built !== undefined) page.table("Built site", findingTableHead, findingRows(built.findings));
  await page.items("Words", report.words(), (list?.header.counts.upserts ?? 0) + (list?.header.counts.moves ?? 0));
  return page.text();
}

const order: readonly Change["change"][] = ["delete", "move", "upsert", "part", "affected"];

function summary({ generation, since, list, findings, built, runs }: Report): string[] {
  const requests = runs.reduce((sum, run) => sum + run.requests, 0);
  const bytes = runs.reduce((sum, run) => sum + (run.bytes ?? 0), 0);
  const time = duration(runs.reduce((sum, run) => sum + run.durationMs, 0));
  const changes = list === undefined ? "unknown" : countsText(list.header.counts);
  const errors = findings.filter(({ level }) => level === "error").length;
  const fresh = findings.length === 0 ? "none" : `${findings.length}, of them ${plural(errors, "error")}`;
  const ofBuilt = built?.findings.filter(({ level }) => level === "error").length;
  return [
    `Generation ${generation}, compared with ${cell(since)}.`,
    "",
    `- Changes: ${cell(changes)}`,
    `- New findings: ${list === undefined ? "unknown" : fresh}`,
    built === undefined
      ? "- Built site: none here"
      : `- Built site: ${plural(built.built?.pages ?? 0, "page")}, ${plural(built.findings.length, "finding")}, of them ${plural(ofBuilt ?? 0, "error")}. ${cell(built.built?.notes.join(" ") ?? "")}`,
    `- Cost: ${plural(runs.length, "run")} that did something, ${grouped(requests)} requests, ${size(bytes)}, ${time}`,
    "",
  ];
}

function nameOf(change: Change): string {
  return change.change === "part" ? change.part : change.url;
}

function changeRow(change: Change): string {
  if (change.change === "part") return `| part | ${cell(change.part)} | | |`;
  const { edition, url, full_slug, from } = change;
  const moved = from === undefined || from.url === url ? "" : `, was ${cell(from.url)}`;
  const what = { upsert: "new or changed", move: "moved", delete: "deleted", affected: "shows a change" }[
    change.change
  ];
  return `| ${what} | ${cell(url)}${moved} | ${cell(edition)} | ${cell(full_slug)} |`;
}

/** Adds lines while there is room. */
class Page {
  readonly #lines: string[] = [];
  #left = mostBytes;

  add(lines: readonly string[]): void {
    this.#lines.push(...lines);
    for (const line of lines) this.#left -= bytesOf(line);
  }

  table(title: string, head: readonly string[], rows: readonly string[]): void {
    if (rows.length === 0) return;
    this.add([`## ${title} (${rows.length})`, "", ...head]);
    let room = Math.min(this.#left - reserved, mostOfTable);
    const count = rows.findIndex((row) => {
      room -= bytesOf(row);
      return room < 0;
    });
    const shown = count === -1 ? rows : rows.slice(0, count);
    const more = rows.length - shown.length;
    this.add([...shown, "", ...(more > 0 ? [`… and ${more} more.`, ""] : [])]);
  }

  /** @param most how many there may be: one that does not fit ends the reading */
  async items(title: string, items: AsyncIterable<string>, most: number): Promise<void> {
    let shown = 0;
    let isCut = most > mostCompared;
    for await (const item of items) {
      if (shown === 0) this.add([`## ${title}`, ""]);
      isCut ||= bytesOf(item) > this.#left - reserved;
      if (bytesOf(item) > this.#left - reserved) break;
      this.add([item]);
      shown += 1;
    }
    const more = plural(most - shown, "more story", "more stories");
    if (isCut) this.add([`… and those of up to ${more}: \`offprint diff --story\` shows them.`]);
  }

  text(): string {
    return `${this.#lines.join("\n").trimEnd()}\n`;
  }
}

function bytesOf(line: string): number {
  return Buffer.byteLength(line) + 1;
}
