import { OffprintError } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import { defaultLanguage, type EditionSpec } from "./editions.js";
import { derivedLink, indexRow } from "./index-row.js";
import type { PinnedUpstream } from "./pinned-upstream.js";
import { readStoryPages } from "./read-story-pages.js";
import { type CrawlRun, isMissing } from "./run.js";
import { storiesPerPage } from "./spending.js";
import { unlessForced } from "./unless-forced.js";

/** Reads what no index shows by its story pages: releases, and every edition of an upstream without a links listing. */
export async function readUnindexed(run: CrawlRun, pinned: PinnedUpstream): Promise<void> {
  const derived = run.derived ? run.versions.filter(({ due }) => due).flatMap(({ editions }) => editions) : [];
  // The default language gives the index lines. It comes last, so that an interruption leaves the lines of before.
  const isDefault = ({ language }: EditionSpec) => language === defaultLanguage;
  for (const edition of derived.filter((one) => !isDefault(one))) await readEdition(run, pinned, edition, true);
  for (const edition of derived.filter(isDefault)) await readEdition(run, pinned, edition, true);
  for (const edition of run.unindexed) await readEdition(run, pinned, edition, false);
}

async function readEdition(
  run: CrawlRun,
  pinned: PinnedUpstream,
  edition: EditionSpec,
  derivesIndex: boolean,
): Promise<void> {
  const { config, onProgress } = run.context;
  const part = partNames.stories(edition.name);
  const { stories } = await readStoryPages(pinned, edition, config.source.include, {
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

/** Whether an experiment that runs names a variant of its own. */
function hasVariants(run: CrawlRun): boolean {
  return (run.partReadings?.readings.experiments ?? []).some((experiment) =>
    experiment.variants?.some((variant) =>
      variant.story_mappings?.some(
        ({ original_story_id, variant_story_id }) =>
          typeof variant_story_id === "number" && variant_story_id !== original_story_id,
      ),
    ),
  );
}

/** The editions whose experiment variants are read: those that a running experiment can show. */
export function variantEditions(run: CrawlRun): EditionSpec[] {
  if (run.partReadings === undefined || !hasVariants(run)) return [];
  return run.versions.flatMap(({ editions }) => editions);
}

/** Reads the variant stories of running experiments, which the ordinary listing leaves out. */
export async function readVariants(run: CrawlRun, pinned: PinnedUpstream): Promise<void> {
  // Experiments that could not be read this time say nothing about their variants.
  if (run.partReadings === undefined || isMissing(run, partNames.experiments)) return;
  const { config } = run.context;
  const wanted = variantEditions(run);
  for (const edition of run.versions.flatMap(({ editions }) => editions)) {
    const part = partNames.variants(edition.name);
    if (!wanted.includes(edition)) {
      run.workspace.adopt(part, undefined);
      continue;
    }
    const options = { perPage: storiesPerPage(config), onlyVariants: true };
    const { stories } = await readStoryPages(pinned, edition, config.source.include, options);
    await run.workspace.replace(
      part,
      [...stories.values()].map(({ text }) => text),
    );
  }
}
