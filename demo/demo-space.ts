import type { TagRecord } from "../src/contract/records.js";
import { editionName, parts as partNames } from "../src/snapshot/layout.js";
import type { DemoAsset } from "./assets/pictures.js";
import type { Reading } from "./content-text.js";
import { contentTree, initialState } from "./content-tree.js";
import { type DemoDatasource, entriesOf } from "./datasources.js";
import { applyEdits, type EditLog } from "./edits.js";
import { runningExperiment } from "./experiments.js";
import { folderLinkRecord, storyLinkRecord } from "./link-records.js";
import { type Language, space } from "./space.js";
import { fullSlugOf, type StoryPlace } from "./story-place.js";
import { type StoryLine, storyLine } from "./story-records.js";
import { taxonomyRecords, taxonomyTrees } from "./taxonomies.js";
import { writtenSpace } from "./written-space.js";

/** The demo space as data. */
export interface DemoSpace {
  id: number;
  name: string;
  cv: number;
  languages: readonly Language[];
  editions: readonly DemoEdition[];
  /** Records by part name: canonical JSON; keyed parts sorted by uuid, others in the order of the interface. */
  parts: Record<string, readonly string[]>;
  /** The files that the records name. */
  assets: readonly DemoAsset[];
}

/** A reading of the stories that the space has. */
export interface DemoEdition {
  version: "published" | "draft";
  release: string | null;
  language: Language | "default";
  newestPublishedAt: string;
  newestUpdatedAt: string;
}

const versions = ["published", "draft"] as const;
const languages = ["default", ...space.languages] as const;

type Tree = ReturnType<typeof contentTree>;

/**
 * Makes all records of the space. They are the same in every run and on every machine.
 *
 * @param log What editors have done to it; default: nothing.
 * @throws OffprintError `DEMO_EDITS_INVALID` where the log does not fit this space
 */
export function demoSpace(log?: EditLog): DemoSpace {
  const state = log === undefined ? initialState() : applyEdits(initialState(), log);
  const tree = contentTree(state);
  const parts: Record<string, readonly string[]> = {};
  const editions: DemoEdition[] = [];
  const addEdition = (
    version: DemoEdition["version"],
    release: string | null,
    language: DemoEdition["language"],
    lines: ReadonlyMap<StoryPlace, StoryLine>,
  ) => {
    parts[partNames.stories(editionName(version, release, language))] = sortedByUuid(lines.values());
    editions.push({ version, release, language, ...newest([...lines.values()]) });
  };
  for (const version of versions) {
    for (const language of languages) {
      const current = readStories(tree.stories, { version, language, release: false });
      addEdition(version, null, language, current);
      // A release is work in progress: it is read as a draft.
      if (version === "draft") {
        const inRelease = readStories(tree.stories, { version, language, release: true }, current);
        addEdition(version, String(space.release), language, inRelease);
      }
      const variants = readStories(tree.variants, { version, language, release: false });
      parts[partNames.variants(editionName(version, null, language))] = sortedByUuid(variants.values());
    }
    parts[partNames.links(version)] = linkLines(tree, version);
    parts[partNames.tags(version)] = tagLines(tree.stories, version);
  }
  Object.assign(parts, otherParts(tree, state));
  const { id, name } = space;
  return { id, name, cv: state.cv, languages: space.languages, editions, parts, assets: writtenSpace().assets };
}

/** @param current The same reading without the release: what the release leaves alone is taken from there. */
function readStories(
  places: readonly StoryPlace[],
  reading: Reading,
  current?: ReadonlyMap<StoryPlace, StoryLine>,
): Map<StoryPlace, StoryLine> {
  const lines = new Map<StoryPlace, StoryLine>();
  for (const place of places) {
    const inRelease = place.story.release !== undefined || place.story.state === "release";
    const line = current === undefined || inRelease ? storyLine(place, reading) : current.get(place);
    if (line !== undefined) lines.set(place, line);
  }
  return lines;
}

function sortedByUuid(lines: Iterable<{ uuid: string; text: string }>): string[] {
  return [...lines].sort((a, b) => (a.uuid < b.uuid ? -1 : 1)).map(({ text }) => text);
}

function newest(lines: readonly StoryLine[]): Pick<DemoEdition, "newestPublishedAt" | "newestUpdatedAt"> {
  const latest = (times: readonly (string | null)[]) =>
    times.reduce<string>((best, time) => (time !== null && time > best ? time : best), "");
  return {
    newestPublishedAt: latest(lines.map(({ publishedAt }) => publishedAt)),
    newestUpdatedAt: latest(lines.map(({ updatedAt }) => updatedAt)),
  };
}

function linkLines({ folders, stories }: Tree, version: Reading["version"]): string[] {
  const links = stories.map((place) => storyLinkRecord(place, version)).filter((link) => link !== undefined);
  const records = [...folders.map(folderLinkRecord), ...links];
  return sortedByUuid(records.map((record) => ({ uuid: record.uuid, text: JSON.stringify(record) })));
}

function tagLines(places: readonly StoryPlace[], version: Reading["version"]): string[] {
  const counts = new Map<string, number>();
  for (const { story } of places) {
    if (story.state === "release" || (version === "published" && story.state !== undefined)) continue;
    for (const tag of story.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const tags = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return tags.map(([name, taggings_count]) => JSON.stringify({ name, taggings_count } satisfies TagRecord));
}

function otherParts(
  { stories, variants }: Tree,
  { cv, datasources }: { cv: number; datasources: readonly DemoDatasource[] },
): Record<string, readonly string[]> {
  const { taxonomies } = writtenSpace();
  const parts: Record<string, readonly string[]> = {
    [partNames.datasources]: datasources.map(({ record }) => JSON.stringify(record)),
    [partNames.taxonomies]: taxonomyRecords(taxonomies).map((record) => JSON.stringify(record)),
    [partNames.terms]: taxonomyTrees(taxonomies, stories).map((record) => JSON.stringify(record)),
    [partNames.experiments]: [JSON.stringify(experiment(stories, variants))],
    [partNames.space]: [
      JSON.stringify({
        me: {
          id: space.id,
          name: space.name,
          domain: space.domain,
          version: cv,
          language_codes: space.languages,
        },
      }),
    ],
  };
  for (const source of datasources) {
    const lines = (dimension: Language | null) => entriesOf(source, dimension).map((entry) => JSON.stringify(entry));
    parts[partNames.entries(source.record.id, null)] = lines(null);
    for (const dimension of source.record.dimensions ?? []) {
      parts[partNames.entries(source.record.id, dimension.id)] = lines(dimension.entry_value as Language);
    }
  }
  return parts;
}

function experiment(stories: readonly StoryPlace[], variants: readonly StoryPlace[]) {
  const address = (place: StoryPlace | undefined) => {
    if (place === undefined) throw new RangeError("the experiment names a story that is not there");
    return { id: place.id, full_slug: fullSlugOf(place, "default") };
  };
  const originals = ["home", "shops"].map((path) => stories.find(({ story }) => story.path === path));
  return runningExperiment(
    originals.map((original, index) => ({ original: address(original), variant: address(variants[index]) })),
  );
}
