import { derivedLink } from "../contract/derived-link.js";
import type { StoryRecord } from "../contract/records.js";
import { OffprintError } from "../errors.js";
import { defaultLanguage } from "../snapshot/base-edition.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { RecordText } from "../upstream/answer.js";
import { type CrawlRun, type Round, releaseEditions } from "./crawl-run.js";
import type { EditionSpec } from "./editions.js";
import { readStoryPages, withKeptStories } from "./read-story-pages.js";
import { storiesPerPage, variedPerPage } from "./spending.js";

/** Reads what no index shows by its story pages: releases, and every edition of an upstream without a links listing. */
export async function readUnindexed(run: CrawlRun, round: Round): Promise<void> {
  const derived = run.ledgers
    .filter((ledger) => ledger.due && ledger.derived)
    .flatMap((ledger) => ledger.editions.map((edition) => ({ ledger, edition })));
  // The default language gives the index rows. It comes last, so that an interruption leaves the older rows.
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

/** @throws OffprintError `UPSTREAM_EMPTY` where there were stories and are none */
async function readEdition(
  run: CrawlRun,
  { number, pinned }: Round,
  edition: EditionSpec,
): Promise<RecordText<StoryRecord>[]> {
  const { config, onProgress } = run.context;
  const perPage = variedPerPage(storiesPerPage(config), number + run.began.sweepVariation);
  const pages = await readStoryPages(pinned, edition, config.source.include, { perPage });
  const stories = await withKeptStories(pages, run.workspace.all(partNames.stories(edition.name)));
  const before = run.workspace.parts[partNames.stories(edition.name)]?.records ?? 0;
  if (stories.length === 0 && before > 0) {
    run.context.brake(
      new OffprintError("UPSTREAM_EMPTY", `The upstream has no story in ${edition.name}, where there were ${before}.`, {
        hint: "Nothing was changed. If that is meant, run `offprint sync --force-remove`.",
      }),
    );
  }
  onProgress({ kind: "advance", stage: "stories", done: stories.length, total: stories.length });
  return stories;
}

function texts(stories: Iterable<RecordText<StoryRecord>>): string[] {
  return [...stories].map(({ text }) => text);
}
