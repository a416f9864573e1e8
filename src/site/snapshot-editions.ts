import { pageUrl } from "../content/render/site-pages.js";
import { targets } from "../content/render/targets.js";
import type { StoryAddress } from "../content/resolve/link-pattern.js";
import { OffprintError } from "../lib/errors.js";
import { editionName, parts } from "../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import type { BlockLines } from "../snapshot/reader/index-rows.js";
import type { Store } from "../snapshot/store/store.js";
import type { ByteCache } from "./byte-cache.js";
import { createEditionStories, type EditionStories } from "./loaded-stories.js";
import { openIndex } from "./open-index.js";
import type { EditionOptions } from "./snapshot.js";
import type { SnapshotSettings } from "./snapshot-settings.js";

export interface OpenEdition {
  entry: EditionEntry;
  stories: EditionStories;
  /** The site's URL of a story of this edition. */
  url(story: StoryAddress): string;
}

/** The editions of one generation, opened on demand. */
export interface SnapshotEditions {
  /** The default version of a question. */
  version: "published" | "draft";
  /** The default language first. @throws OffprintError `USAGE` if the snapshot has none */
  inAllLanguages(options: EditionOptions): readonly EditionEntry[];
  /** @throws OffprintError `USAGE` if the snapshot has no such edition, `SNAPSHOT_DAMAGED` */
  open(options: EditionOptions): Promise<OpenEdition>;
}

export interface SnapshotEditionsOptions {
  store: Store;
  cache: Store;
  manifest: Manifest;
  settings: SnapshotSettings;
  bytes: ByteCache<BlockLines>;
  cacheBytes: number;
  /** Defaults of every question. */
  usual: EditionOptions;
}

/** @throws OffprintError `USAGE` if the snapshot does not have the defaults */
export function snapshotEditions(options: SnapshotEditionsOptions): SnapshotEditions {
  const { store, cache, manifest, settings, bytes, cacheBytes, usual } = options;
  const { links } = settings.config.resolve;
  const target = targets[settings.config.content.target];
  const opened = new Map<string, Promise<OpenEdition>>();
  const hasPublished = manifest.editions.some((entry) => entry.version === "published");
  const version = usual.version ?? (hasPublished ? "published" : "draft");

  const openEntry = async (entry: EditionEntry): Promise<OpenEdition> => {
    const part = parts.stories(entry.name);
    const indexed = { store, cache, part, language: entry.language, entry: manifest.parts[part] ?? emptyPart };
    const stories = createEditionStories(indexed, await openIndex(indexed), bytes, cacheBytes);
    return { entry, stories, url: (story) => pageUrl(story, entry.language, links, target) };
  };
  const inAllLanguages = (asked: EditionOptions): EditionEntry[] => {
    const release = asked.release ?? usual.release ?? null;
    const found = manifest.editions.filter((entry) => {
      return entry.version === (asked.version ?? version) && entry.release === release;
    });
    return found.sort((a, b) => Number(b.language === "default") - Number(a.language === "default"));
  };

  const entryOf = (asked: EditionOptions): EditionEntry => {
    const language = asked.language ?? usual.language ?? "default";
    const entry = inAllLanguages(asked).find((one) => one.language === language);
    if (entry !== undefined) return entry;
    const release = asked.release ?? usual.release ?? null;
    throw unknownEdition(editionName(asked.version ?? version, release, language), manifest);
  };
  // Defaults that every question would refuse fail at once.
  if ([usual.version, usual.release, usual.language].some((one) => one !== undefined)) entryOf({});

  return {
    version,
    inAllLanguages(asked) {
      const found = inAllLanguages(asked);
      return found.length > 0 ? found : [entryOf(asked)];
    },
    async open(asked) {
      const entry = entryOf(asked);
      const known = opened.get(entry.name);
      if (known !== undefined) return known;
      const opening = openEntry(entry);
      opened.set(entry.name, opening);
      // Retry after a failure.
      opening.catch(() => opened.delete(entry.name));
      return opening;
    },
  };
}

const emptyPart = { records: 0, shards: [] };

function unknownEdition(name: string, { editions, generation }: Manifest): OffprintError {
  return new OffprintError("USAGE", `Generation ${generation} has no edition ${name}.`, {
    hint: `It has ${editions.map((entry) => entry.name).join(", ")}. Set what to read in source.versions and source.languages.`,
  });
}
