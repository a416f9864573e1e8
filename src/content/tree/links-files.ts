import { lowerBound } from "../../lib/collections/lower-bound.js";
import { linesBytes } from "../../lib/json/lines.js";
import { allLinks, type LinkRange, linkUuids } from "../../snapshot/reader/link-rows.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import { comparePlaceToPrefix, fileBytes, layOutFiles, placeOf } from "../../snapshot/shard-trie.js";
import type { ContentIndex } from "./content-index.js";
import type { ContentInputs, LinksLimits } from "./content-inputs.js";
import { type LinkedUuids, linkLines, linksBasis, type PlacedIn, placedIn, versionsOf } from "./link-lines.js";
import type { EditionPlan } from "./plan-edition.js";
import type { PlannedFile } from "./rendering.js";
import { type PlacedUrl, sharedUrls } from "./shared-urls.js";

/** A change of one row writes up to 0.4 MB where there are several files, and up to 7 MB where there is one. */
export const usualLimits: LinksLimits = { rows: 20_000, rowsOfFile: 1_000 };

/** The only file, up to so many rows. */
export const linksFile = "links.json";

/** Plans the files of links. The first one reports the URLs that stories share. */
export function planLinks(inputs: ContentInputs, editions: readonly EditionPlan[]): PlannedFile[] {
  const { read, pageKeys } = inputs;
  const shards = linksShards(inputs, editions);
  const keyOf = (edition: string, uuid: string) => pageKeys?.get(edition, uuid);
  const isDue = ({ edition, story }: PlacedIn) =>
    pageKeys?.isDue({ edition, uuid: story.reference.uuid }, story) === true;
  const bases = shards.map((shard) => linksBasis(editions, shard));
  return shards.map((shard, at): PlannedFile => {
    const report = () => {
      for (const problem of sharedUrls(() => pagesOf(editions))) inputs.report(problem);
    };
    return {
      path: shard.path,
      // The pages of all files decide what the first one reports.
      basis: at === 0 ? shortHash(bases.join()) : bases[at]!,
      isDue: () => shard.uuids.some((uuid) => placedIn(editions, uuid).some(isDue)),
      render() {
        if (at === 0) report();
        return linesBytes(linkLines(read, editions, shard, keyOf));
      },
    };
  });
}

/** What `index.json` says of these files. */
export function linksEntry(paths: readonly string[]): ContentIndex["links"] {
  return paths.length === 1 && paths[0] === linksFile ? linksFile : paths;
}

function linksShards(
  { reader, linksLimits: { rows, rowsOfFile } = usualLimits }: ContentInputs,
  editions: readonly EditionPlan[],
): (LinkedUuids & { path: string })[] {
  const uuids = new Set<string>();
  for (const { stories } of editions) for (const uuid of stories.keys()) uuids.add(uuid);
  for (const version of versionsOf(editions.map(({ entry }) => entry))) {
    for (const uuid of linkUuids(reader, version)) uuids.add(uuid);
  }
  if (uuids.size <= rows) return [{ path: linksFile, range: allLinks, uuids: [...uuids].sort() }];
  const files = layOutFiles([...uuids], () => 1, fileBytes(rowsOfFile));
  const paths = files.map(({ prefix }) => `links/${prefix}.json`);
  return files.map(({ keys }, at) => ({ path: paths[at]!, range: rangeOf(paths, at), uuids: keys.sort() }));
}

/** The rows that a file reads. They end where the next file begins, so that one of the files reads a new row. */
export function rangeOf(paths: readonly string[], at: number): LinkRange {
  return `${at === 0 ? "" : prefixOf(paths[at])}-${prefixOf(paths[at + 1])}`;
}

/** The place of the file that has the row of a story. */
export function fileOf(paths: readonly string[], uuid: string): number {
  const place = placeOf(uuid);
  return lowerBound(paths.length - 1, (at) => comparePlaceToPrefix(place, prefixOf(paths[at + 1])) < 0);
}

function prefixOf(path = ""): string {
  return /^links\/([01]*)\.json$/.exec(path)?.[1] ?? "";
}

/** The pages of all editions. */
function* pagesOf(editions: readonly EditionPlan[]): Generator<PlacedUrl> {
  for (const { entry, stories } of editions) {
    for (const { reference, url } of stories.values()) {
      yield { edition: entry.name, uuid: reference.uuid, full_slug: reference.full_slug, url };
    }
  }
}
