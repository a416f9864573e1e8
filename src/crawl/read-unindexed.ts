import { OffprintError } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import { defaultLanguage, type EditionSpec } from "./editions.js";
import { derivedLink, indexRow } from "./index-row.js";
import type { Pin } from "./pin.js";
import { readStoryPages } from "./read-story-pages.js";
import type { CrawlRun } from "./run.js";
import { storiesPerPage } from "./spending.js";
import { unlessForced } from "./unless-forced.js";

/** Reads what no index shows by its story pages: releases, and every edition of an upstream without a links listing. */
export async function readUnindexed(run: CrawlRun, pin: Pin): Promise<void> {
  const derived = run.derived ? run.versions.filter(({ due }) => due).flatMap(({ editions }) => editions) : [];
  // The default language gives the index lines. It comes last, so that an interruption leaves the lines of before.
  const isDefault = ({ language }: EditionSpec) => language === defaultLanguage;
  for (const edition of derived.filter((one) => !isDefault(one))) await readEdition(run, pin, edition, true);
  for (const edition of derived.filter(isDefault)) await readEdition(run, pin, edition, true);
  for (const edition of run.unindexed) await readEdition(run, pin, edition, false);
}

async function readEdition(run: CrawlRun, pin: Pin, edition: EditionSpec, derivesIndex: boolean): Promise<void> {
  const { upstream, config, onProgress } = run.context;
  const part = partNames.stories(edition.name);
  const { stories } = await readStoryPages(upstream, pin, edition, config.source.include, {
    perPage: storiesPerPage(config),
  });
  const before = run.workspace.parts[part]?.records ?? 0;
  if (stories.size === 0 && before > 0) {
    unlessForced(
      run.context,
      new OffprintError("UPSTREAM_EMPTY", `The upstream has no story in ${edition.name}, where there were ${before}.`, {
        hint: "Nothing was changed. If that is meant, run `offprint sync --force-remove`.",
      }),
    );
  }
  await run.workspace.replace(
    part,
    [...stories.values()].map(({ text }) => text),
  );
  onProgress({ kind: "advance", stage: "stories", done: stories.size, total: stories.size });
  if (!derivesIndex || edition.language !== defaultLanguage) return;
  const links = [...stories.values()].map(({ value }) => derivedLink(value));
  run.index.set(edition.version, new Map(links.map((link) => [link.value.uuid, indexRow(link)])));
  await run.workspace.replace(
    partNames.links(edition.version),
    links.map(({ text }) => text),
  );
}
