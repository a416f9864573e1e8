import { kinds } from "../../contract/record-kinds.js";
import { experiment } from "../../contract/record-table.js";
import type { StoryMapping } from "../../contract/records.js";
import { parts as partNames } from "../../snapshot/layout.js";
import type { StoryText } from "../upstream/answer.js";
import type { CrawlRun, Round } from "./crawl-run.js";
import {
  isMissing,
  isNotFound,
  missingPart,
  type OtherParts,
  recordsRead,
  unlessRefused,
  unusableIn,
} from "./parts/part-reading.js";
import { readStoryPages, withKeptStories } from "./parts/read-story-pages.js";
import { type EditionSpec, editionQuery } from "./run/editions.js";
import type { PinnedUpstream } from "./run/pinned-upstream.js";
import { variedPages } from "./spending.js";

/** A variant that a running experiment shows instead of a story. */
type Variant = StoryMapping & { variant_story_id: number };

export function variantEditions(run: CrawlRun): EditionSpec[] {
  if (variantsOf(run.parts).length === 0) return [];
  return run.ledgers.flatMap(({ editions }) => editions);
}

/** As a list (`only_variants`), or one by one if the upstream refuses that: the ordinary listing lacks them. */
export async function readVariants(run: CrawlRun, round: Round): Promise<void> {
  const { pinned } = round;
  // If experiments could not be read, keep their variants.
  const { parts } = run;
  if (parts === undefined || isMissing(parts, partNames.experiments)) return;
  const variants = variantsOf(parts);
  let hasList = true;
  for (const edition of run.ledgers.flatMap(({ editions }) => editions)) {
    const part = partNames.variants(edition.name);
    if (variants.length === 0) {
      run.workspace.adopt(part, undefined);
      continue;
    }
    let found: Awaited<ReturnType<typeof attempt>> = { reason: "" };
    if (hasList) found = await attempt(() => listVariants(run, round, edition));
    hasList = found.answer !== undefined;
    if (!hasList) found = await attempt(() => readOneByOne(run, pinned, edition, variants));
    if (found.answer === undefined) noteMissing(run, parts, { part, reason: found.reason });
    else
      await run.workspace.replace(
        part,
        found.answer.map(({ text }) => text),
      );
  }
}

const attempt = unlessRefused<StoryText[]>;

/** Each separate variant once: the control may map to nothing, or to the story itself. */
function variantsOf(parts: OtherParts | undefined): Variant[] {
  const found = new Map<number, Variant>();
  for (const { variants } of recordsRead(parts, partNames.experiments, experiment) ?? []) {
    for (const mapping of variants?.flatMap(({ story_mappings }) => story_mappings ?? []) ?? []) {
      const { original_story_id, variant_story_id: id } = mapping;
      if (typeof id !== "number" || id === original_story_id) continue;
      if (!found.has(id)) found.set(id, { ...mapping, variant_story_id: id });
    }
  }
  return [...found.values()];
}

async function listVariants(run: CrawlRun, { number, pinned }: Round, edition: EditionSpec): Promise<StoryText[]> {
  const { config } = run.context;
  const options = { ...variedPages(config, number + run.began.sweepVariation), onlyVariants: true };
  const pages = await readStoryPages(pinned, edition, config.source.include, options);
  return withKeptStories(pages, run.workspace.all(partNames.variants(edition.name)));
}

/** Reads each variant by the slug in the experiment; skips those that an edition lacks. */
async function readOneByOne(
  run: CrawlRun,
  pinned: PinnedUpstream,
  edition: EditionSpec,
  variants: readonly Variant[],
): Promise<StoryText[]> {
  const { config } = run.context;
  const { contentTypes } = config.source.include;
  const query = editionQuery(edition, []);
  const read = async (variant: Variant): Promise<StoryText | undefined> => {
    const identifier = identifierOf(variant);
    try {
      const body = await pinned.story(identifier, query);
      const { id, content } = body.value;
      const isWanted = contentTypes.length === 0 || contentTypes.includes(content?.component ?? "");
      return id === variant.variant_story_id && isWanted ? body : undefined;
    } catch (error) {
      if (isNotFound(error) || unusableIn(error) !== undefined) return undefined;
      throw error;
    }
  };
  const records = await Promise.all(variants.map(read));
  const found = new Map(records.flatMap((record) => (record === undefined ? [] : [[record.value.uuid, record]])));
  return [...found.values()];
}

/** The slug; the id if there is none, or an address cannot contain it. */
function identifierOf({ variant_slug: slug, variant_story_id: id }: Variant): string | number {
  const segments = slug?.split("/") ?? [];
  const isUsable = segments.some((segment) => segment !== "") && !segments.includes(".") && !segments.includes("..");
  return isUsable && kinds.name.is(slug) ? slug : id;
}

function noteMissing(
  { workspace }: CrawlRun,
  { readings, problems }: OtherParts,
  reading: { part: string; reason: string },
): void {
  if (readings.some(({ part }) => part === reading.part)) return;
  readings.push(reading);
  problems.push(missingPart(reading, workspace.parts[reading.part]));
}
