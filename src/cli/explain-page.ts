import { type KnownStory, knownStories } from "../content/names/known-stories.js";
import { storyTitle } from "../content/names/story-title.js";
import type { ExplainedBlock, ExplainedField } from "../content/render/explain-content.js";
import type { StoryDate } from "../content/render/story-date.js";
import { explainStory } from "../content/tree/explain-story.js";
import { OffprintError } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { openReadable } from "../snapshot/open-readable.js";
import { openReader } from "../snapshot/reader/open-reader.js";
import { uuidOfStory } from "../snapshot/reader/stored-story.js";
import type { CommandContext } from "./context.js";
import { missingSnapshot, warnUnreachable } from "./missing-snapshot.js";
import { type EditionFlags, editionFor, missingStory } from "./missing-story.js";

export interface ExplainFlags extends EditionFlags {
  explain?: string;
}

/** `offprint export --explain <slug>`: how each field is shown, and why. @throws OffprintError `USAGE` */
export async function runExplain(context: CommandContext, { explain, ...choice }: ExplainFlags): Promise<number> {
  if (explain === undefined) {
    const [lost] = Object.keys(choice);
    throw new OffprintError("USAGE", `--${lost} needs --explain.`, { hint: "Name the page with --explain." });
  }
  const { terminal } = context;
  const config = await context.config({ tokenOptional: true });
  const snapshot = openReadable(config.output, { onUnreachable: warnUnreachable(terminal) });
  const manifest = await snapshot.current();
  if (manifest === undefined) throw missingSnapshot(config);
  const { store } = snapshot;
  const edition = editionFor(manifest, choice);
  const uuid = await uuidOfStory(store, manifest, edition, explain);
  const reader = uuid === undefined ? undefined : await openReader(store, manifest);
  const page = reader && uuid && explainStory(reader, config, edition, uuid);
  if (!page) throw await missingStory({ store, manifest, edition }, explain);
  terminal.say(printable(`${edition.name} of generation ${manifest.generation}: how each field becomes Markdown`));
  if (!page.hasPage)
    terminal.say("It has no Markdown file, because its type is one of settings: content.types.<type>.markdown: true.");
  if (page.date !== undefined)
    terminal.say(printable(`Its date is ${page.date.date.toISOString()}: ${dateReason(page.date)}.`));
  const known = await knownStories(store, manifest, valuesIn(page.content));
  terminal.text(blockLines(page.content, "", known).join("\n"), "plain");
  terminal.say("Change it with content.types.<component>.fields: { <field>: heading, prose or setting }.");
  const { content, ...facts } = page;
  const { generation } = manifest;
  terminal.document({ schema: 1, generation, edition: edition.name, uuid, ...facts, page: content });
  return 0;
}

function dateReason({ rule, field }: StoryDate): string {
  if (rule === "setting") return `the field ${field}, as content.types says`;
  return rule === "field" ? `its field ${field}` : field;
}

function valuesIn({ fields }: ExplainedBlock): string[] {
  return fields.flatMap(({ value, blocks }) => [value, ...blocks.flatMap(valuesIn)]);
}

/** Stories by uuid, whose names are printed in its place. */
type Known = ReadonlyMap<string, KnownStory>;

function blockLines({ component, fields }: ExplainedBlock, indent: string, known: Known): string[] {
  const shown = fields.filter(({ use }) => use !== "empty");
  const width = Math.min(28, Math.max(0, ...shown.map(({ field }) => field.length)));
  return [
    printable(`${indent}${component === "" ? "(no component)" : component}`),
    ...shown.flatMap((field) => fieldLines(field, `${indent}  `, width, known)),
  ];
}

function fieldLines(
  { field, use, by, reason, value, blocks }: ExplainedField,
  indent: string,
  width: number,
  known: Known,
): string[] {
  const story = known.get(value);
  const shownValue = value === "" ? "" : `  ${story === undefined ? JSON.stringify(value) : storyTitle(story)}`;
  const line = `${indent}${field.padEnd(width)}  ${use.padEnd(9)}  ${by}: ${reason}${shownValue}`;
  return [printable(line), ...blocks.flatMap((block) => blockLines(block, `${indent}  `, known))];
}
