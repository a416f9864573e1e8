import { diffStory } from "../content/diff/diff-story.js";
import { differenceEntries } from "../content/diff/difference-entries.js";
import { differenceMarkdown } from "../content/diff/difference-markdown.js";
import { printable } from "../lib/printable.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import { openOutput } from "../snapshot/open-output.js";
import { chosenEdition, storedStory, uuidOfStory } from "../snapshot/reader/stored-story.js";
import type { CommandContext } from "./context.js";
import { comparedGenerations } from "./diff.js";
import { missingStory } from "./show.js";
import { entryLines } from "./story-difference-text.js";

export interface DiffStoryFlags {
  /** Full slug or uuid. */
  story: string;
  a?: number;
  b?: number;
  language?: string;
  draft?: boolean;
  markdown?: boolean;
}

/** `offprint diff --story <slug> [a] [b]`: how one story differs between two generations, by fields and words. */
export async function runDiffStory(context: CommandContext, flags: DiffStoryFlags): Promise<number> {
  const { terminal } = context;
  const config = await context.config({ tokenOptional: true });
  const { store } = openOutput(config.output);
  const [before, after] = await comparedGenerations(config, store, flags.a, flags.b);
  const { name: edition, language } = editionOfEither(before, after, flags);
  const current = await currentManifest(store);
  let uuid: string | undefined;
  // It may have had its slug only before these generations, or only since.
  for (const manifest of [after, before, current]) {
    if (manifest !== undefined) uuid ??= await uuidOfStory(store, manifest, { name: edition, language }, flags.story);
  }
  const generations = `generations ${before.generation} and ${after.generation}`;
  if (uuid === undefined) throw missingStory(flags.story, edition, generations);
  const [old, now] = [await storedStory(store, before, edition, uuid), await storedStory(store, after, edition, uuid)];
  const { change, fields } = diffStory(old, now);
  const entries = differenceEntries(fields);
  const record = JSON.parse(now ?? old ?? "{}") as { name?: string; full_slug?: string };
  const about = {
    name: record.name ?? "",
    slug: record.full_slug ?? "",
    from: before.generation,
    to: after.generation,
  };
  if (flags.markdown) {
    terminal.text(differenceMarkdown({ ...about, edition, change, entries }), "plain");
  } else {
    terminal.say(
      printable(`${edition}  ${about.slug}: generation ${about.from} → ${about.to}, ${changeTexts[change]}`),
    );
    for (const entry of entries) for (const line of entryLines(entry, terminal)) terminal.data(line);
  }
  const story = { uuid, full_slug: about.slug, name: about.name };
  terminal.document({ schema: 1, from: about.from, to: about.to, edition, story, change, fields, entries });
  return 0;
}

const changeTexts = {
  added: "added",
  removed: "removed",
  changed: "changed",
  spelling: "the same values, spelled in another way or order",
  same: "the same",
  absent: "in neither of them",
} as const;

/** The edition of the later generation; that of the earlier one where it has been removed. */
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
