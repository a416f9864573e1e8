import { derivedLink } from "../../contract/derived-link.js";
import { parseStory } from "../../contract/parse-record.js";
import { parts as partNames } from "../../snapshot/layout.js";
import { defaultLanguage } from "../../snapshot/manifest.js";
import type { StoryText } from "../upstream/answer.js";
import { type CrawlRun, type Round, releaseEditions } from "./crawl-run.js";
import { readStoryPages, withKeptStories } from "./parts/read-story-pages.js";
import { type EditionSpec, readsRelated } from "./run/editions.js";
import { variedPages } from "./spending.js";
import { askEdition, uuidOfNoStory } from "./stories/ask-editions.js";
import { namedBy } from "./stories/related-stories.js";

/** Reads releases, and editions of an upstream without a links listing, by their story pages. */
export async function readUnindexed(run: CrawlRun, round: Round): Promise<void> {
  const derived = run.ledgers
    .filter((ledger) => ledger.due && ledger.derived)
    .flatMap((ledger) => ledger.editions.map((edition) => ({ ledger, edition })));
  // The default language gives the index rows, so it is last: an interruption leaves the older ones.
  const isDefault = ({ edition }: { edition: EditionSpec }) => edition.language === defaultLanguage;
  for (const { ledger, edition } of derived.filter((one) => !isDefault(one))) {
    await ledger.replaceStories(edition, texts(await readEdition(run, round, edition)));
  }
  for (const { ledger, edition } of derived.filter(isDefault)) {
    const stories = await readEdition(run, round, edition);
    await ledger.replaceStories(edition, texts(stories));
    const links = stories.map(({ value }) => derivedLink(value, edition.version));
    await ledger.replaceIndex(links.map((value) => ({ text: JSON.stringify(value), value })));
  }
  for (const edition of releaseEditions(run.context)) {
    const stories = await readEdition(run, round, edition);
    await run.workspace.replace(partNames.stories(edition.name), texts(stories));
  }
}

/** @throws OffprintError `UPSTREAM_EMPTY` if there are no stories any more */
async function readEdition(run: CrawlRun, { number, pinned }: Round, edition: EditionSpec): Promise<StoryText[]> {
  const { config, onProgress } = run.context;
  const paging = variedPages(config, number + run.began.sweepVariation);
  const pages = await readStoryPages(pinned, edition, config.source.include, paging);
  const stories = await withKeptStories(pages, run.workspace.all(partNames.stories(edition.name)));
  stories.push(...(await readRelated(run, { number, pinned }, edition, stories)));
  const before = run.workspace.parts[partNames.stories(edition.name)]?.records ?? 0;
  if (stories.length === 0 && before > 0) {
    run.context.brake({
      code: "UPSTREAM_EMPTY",
      message: `The upstream lists no stories in ${edition.name}; there were ${before}.`,
      when: "Nothing was changed. If that is intended",
    });
  }
  onProgress({ kind: "advance", stage: "stories", done: stories.length, total: stories.length });
  return stories;
}

/** Excluded stories that those of an edition name: no index shows who names them elsewhere. */
async function readRelated(
  { context: { config }, batchSize, began, workspace }: CrawlRun,
  { number, pinned }: Pick<Round, "number" | "pinned">,
  edition: EditionSpec,
  stories: readonly StoryText[],
): Promise<StoryText[]> {
  if (!readsRelated(config.source.include)) return [];
  const there = new Set(stories.map(({ value }) => value.uuid));
  const named = new Set(stories.flatMap(({ text }) => namedBy(parseStory(text), config.resolve.relations)));
  const uuids = [...named].filter((uuid) => !there.has(uuid)).sort();
  if (uuids.length === 0) return [];
  const absentUuid = began.variation === 0 ? undefined : uuidOfNoStory(began.variation);
  const ask = { pinned, config, index: new Map(), variation: number, absentUuid, size: batchSize };
  const answers = await askEdition(ask, edition, uuids);
  const unusable = new Set([...answers].flatMap(([uuid, story]) => (story === null ? [uuid] : [])));
  const kept = await workspace.lines(partNames.stories(edition.name), unusable);
  return [
    ...[...answers.values()].filter((story) => story !== null),
    ...[...kept.values()].map((text) => ({ text, value: parseStory(text) })),
  ];
}

function texts(stories: Iterable<StoryText>): string[] {
  return [...stories].map(({ text }) => text);
}
