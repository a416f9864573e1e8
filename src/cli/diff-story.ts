import { bothTimes, type TextPiece } from "../content/diff/diff-text.js";
import type { DifferenceEntry } from "../content/diff/difference-entries.js";
import { differenceMarkdown } from "../content/diff/difference-markdown.js";
import { compareStory } from "../content/diff/named-entries.js";
import { printable } from "../lib/printable.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import { chosenEdition, uuidOfStory } from "../snapshot/reader/stored-story.js";
import type { CommandContext } from "./context.js";
import { comparedGenerations, type DiffFlags } from "./diff.js";
import { missingStory, nearSlugs } from "./missing-story.js";
import type { Style, Terminal } from "./terminal.js";

export interface DiffStoryFlags extends DiffFlags {
  story: string;
}

/** `offprint diff --story <slug> [a] [b]`: compares one story in two generations, by fields and words. */
export async function runDiffStory(context: CommandContext, flags: DiffStoryFlags): Promise<number> {
  const { terminal } = context;
  const { store, current, before, after } = await comparedGenerations(context, flags);
  const { name: edition, language } = editionOfEither(before, after, flags);
  let uuid: string | undefined;
  // It may have had this slug only before these generations, or only later.
  for (const manifest of [after, before, current]) {
    uuid ??= await uuidOfStory(store, manifest, { name: edition, language }, flags.story);
  }
  const generations = `generations ${before.generation} and ${after.generation}`;
  if (uuid === undefined) {
    throw missingStory(
      flags.story,
      edition,
      generations,
      await nearSlugs(store, after, { name: edition }, flags.story),
    );
  }
  const { name, slug, change, ...found } = await compareStory(store, { before, after, current, edition, uuid });
  const [from, to] = [before.generation, after.generation];
  if (flags.markdown) {
    terminal.text(differenceMarkdown({ name, slug, edition, from, to, change, entries: found.entries }), "plain");
  } else {
    terminal.say(printable(`${edition}  ${slug}: generation ${from} → ${to}, ${changeTexts[change]}`));
    for (const entry of found.entries) for (const line of entryLines(entry, terminal)) terminal.data(line);
  }
  const story = { uuid, full_slug: slug, name };
  const { fields, unnamed: entries, stories } = found;
  terminal.document({ schema: 1, from, to, edition, story, change, fields, entries, stories });
  return 0;
}

const changeTexts = {
  added: "added",
  removed: "removed",
  changed: "changed",
  spelling: "the same values in another spelling or order",
  same: "the same",
  absent: "in neither",
} as const;

function editionOfEither(before: Manifest, after: Manifest, { language, draft }: DiffStoryFlags): EditionEntry {
  const choice = { language, version: draft ? ("draft" as const) : undefined };
  try {
    return chosenEdition(after, choice);
  } catch (error) {
    try {
      return chosenEdition(before, choice);
    } catch {
      throw error;
    }
  }
}

const marks: Readonly<Record<DifferenceEntry["change"], [mark: string, style: Style]>> = {
  added: ["+", "green"],
  removed: ["-", "red"],
  changed: ["~", "yellow"],
  moved: [">", "cyan"],
};

const shownAround = 60;

/** Formats one difference as lines: removed words as `[-…-]`, added ones as `{+…+}`. */
export function entryLines(entry: DifferenceEntry, { paint }: Pick<Terminal, "paint">): string[] {
  const [mark, style] = marks[entry.change];
  const moved = entry.change === "moved" ? `  (was ${printable(entry.from ?? "")})` : "";
  const head = `${paint(style, mark)} ${printable(entry.path)}${moved}`;
  const text = (value: string | undefined, sign: string, color: Style) =>
    value === undefined ? [] : value.split("\n").map((line) => `    ${paint(color, `${sign} ${printable(line)}`)}`);
  const paragraphs = (entry.paragraphs ?? []).map(({ is, pieces, formatting }) => {
    return `    ${paint("dim", `${is}${formatting ? ", formatting" : ""}:`)} ${piecesText(pieces, paint)}`;
  });
  return [
    head,
    ...(entry.words === undefined ? [] : [`    ${timesText(entry.words, paint) ?? piecesText(entry.words, paint)}`]),
    ...(entry.paragraphs?.length === 0 ? [`    ${paint("dim", "formatting alone")}`] : paragraphs),
    ...text(entry.before, "-", "red"),
    ...text(entry.after, "+", "green"),
  ];
}

/** `old → new` for two times. Undefined for other texts. */
function timesText(pieces: readonly TextPiece[], paint: Terminal["paint"]): string | undefined {
  const times = bothTimes(pieces);
  return times && `${paint("red", times[0])} → ${paint("green", times[1])}`;
}

function piecesText(pieces: readonly TextPiece[], paint: Terminal["paint"]): string {
  return pieces
    .map(({ change, text }, place) => {
      if (change === "removed") return paint("red", `[-${oneLine(text)}-]`);
      if (change === "added") return paint("green", `{+${oneLine(text)}+}`);
      return oneLine(shortened(text, place > 0, place < pieces.length - 1));
    })
    .join("");
}

function oneLine(text: string): string {
  return printable(text.replaceAll("\n", "↵"));
}

function shortened(text: string, hasBefore: boolean, hasAfter: boolean): string {
  const start = hasBefore ? text.slice(0, shownAround) : "";
  const end = hasAfter ? text.slice(-shownAround) : "";
  return text.length <= 2 * shownAround || start.length + end.length >= text.length ? text : `${start}…${end}`;
}
