import { diffStory } from "../content/diff/diff-story.js";
import { differenceEntries } from "../content/diff/difference-entries.js";
import { nameEntries } from "../content/diff/named-entries.js";
import { answerText, readKind } from "../content/tree/answer-text.js";
import { readStoryReads, type StoryReads } from "../content/tree/story-reads.js";
import { trimSlashes } from "../contract/story-address.js";
import { percentDecoded } from "../lib/percent-decoded.js";
import { printable } from "../lib/printable.js";
import { notingReader } from "../snapshot/reader/noting-reader.js";
import type { Reader } from "../snapshot/reader/reader.js";
import { readDifferingRecords } from "../watch/hooks/compare-generations.js";
import type { CommandContext } from "./context.js";
import { entryLines } from "./diff-story.js";
import { sinceGeneration } from "./generation-at.js";
import { currentSnapshot } from "./missing-snapshot.js";
import { type EditionFlags, editionFor, missingStory } from "./missing-story.js";

export interface WhyFlags extends EditionFlags {
  /** A number or a time. */
  since?: number | string;
}

/** `offprint why <page>`: which answers that a page reads differ since an earlier generation. */
export async function runWhy(context: CommandContext, page: string, flags: WhyFlags): Promise<number> {
  const { terminal } = context;
  const { config, store, manifest: after } = await currentSnapshot(context);
  const before = await sinceGeneration(terminal, store, after, flags.since);
  const edition = editionFor(after, flags);
  const reads = await readStoryReads(config, store, after);
  const found = pageIn(reads, page, { chosen: edition.name, isAnyLanguage: flags.language === undefined, edition });
  if (found === undefined) throw await missingStory({ store, manifest: after, edition }, page);
  const records = await readDifferingRecords(store, before, after);
  const [old, now] = [records.before, records.after].map((reader) => notingReader(reader, config.content.types));
  const keys = [...new Set(found.keys)].filter((key) => old!.answer(key) !== now!.answer(key));
  const differences = keys.map((key) => readDifference(key, records.before, records.after));
  terminal.say(
    printable(`${found.url}  ${found.edition}: generation ${before.generation} → ${after.generation}, ${told(keys)}`),
  );
  const shown: ReturnType<typeof readDifference>[] = [];
  for (const difference of differences) {
    const { entries } = await nameEntries(store, after, difference.entries);
    shown.push({ ...difference, entries });
    const { kind, about, change } = difference;
    terminal.data(printable(`${about}  ${kind}${change === "changed" ? "" : `, ${change}`}`));
    for (const entry of entries) for (const line of entryLines(entry, terminal)) terminal.data(`  ${line}`);
  }
  const { keys: _, ...story } = found;
  terminal.document({ schema: 1, from: before.generation, to: after.generation, ...story, differences: shown });
  return 0;
}

function told(keys: readonly string[]): string {
  if (keys.length === 0) return "nothing that it reads differs";
  return keys.length === 1 ? "1 answer that it reads differs" : `${keys.length} answers that it reads differ`;
}

interface PagePlace {
  chosen: string;
  isAnyLanguage: boolean;
  edition: { version: string; release: string | null };
}

/** The page with that slug, uuid or URL: in the chosen edition, else in another language of it. */
function pageIn(
  reads: readonly StoryReads[],
  page: string,
  { chosen, isAnyLanguage, edition: { version, release } }: PagePlace,
): StoryReads | undefined {
  const plain = (address: string) =>
    trimSlashes(percentDecoded(address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "")));
  const [wanted, start] = [plain(page), release === null ? version : `${version}@${release}`];
  const names = (story: StoryReads) => [story.uuid, plain(story.url), trimSlashes(story.full_slug)].includes(wanted);
  const own = reads.find((story) => story.edition === chosen && names(story));
  return own ?? (isAnyLanguage ? reads.find((one) => one.edition.startsWith(`${start}/`) && names(one)) : undefined);
}

/** How an answer that a page reads differs. */
function readDifference(key: string, before: Reader, after: Reader) {
  const [old, now] = [answerText(before, key), answerText(after, key)];
  const { fields } = diffStory(old, now);
  const change = old === undefined ? "added" : now === undefined ? "removed" : "changed";
  return { ...readKind(key, [after, before]), change, entries: differenceEntries(fields) };
}
