import type { ModelSpace } from "../support/model-space/model-space.js";
import { datasourcesOf, entriesOf, linksOf, storiesOf, tagsOf } from "../support/model-space/records.js";
import type { SpaceState } from "../support/model-space/space-state.js";
import { taxonomiesOf, treesOf } from "../support/model-space/terms.js";
import type { HistoryRun } from "./history.js";
import type { SnapshotLines } from "./snapshot-lines.js";

/** The expected snapshot of this state, for the editions that it names. */
export function expectedLines(
  run: Pick<HistoryRun, "space" | "plan">,
  state: SpaceState,
  editions: readonly string[],
): SnapshotLines {
  const { dialect } = run.space;
  const lines = new Map<string, ReadonlyMap<string, string>>();
  for (const edition of editions) {
    const { version, release, language } = editionOf(edition);
    const terms = readsTerms(run) ? { terms: "stored" as const } : {};
    const reading = { version, language, ...(release === undefined ? {} : { release }), ...terms };
    const wanted = wantedStories(run, state, version, editions);
    const stories = storiesOf(state, dialect, reading);
    lines.set(`stories/${edition}`, wanted === undefined ? stories : only(stories, wanted.stories));
    if (release !== undefined) continue;
    const links = linksOf(state, dialect, version);
    lines.set(`links/${version}`, wanted === undefined ? links : only(links, wanted.links));
    lines.set(`tags/${version}`, numbered(tagsOf(state, version)));
  }
  if (readsTerms(run)) {
    const { treesNameStories = false } = dialect.taxonomies ?? {};
    const trees = treesOf(state, "stored", treesNameStories).map(([, tree]) => tree);
    lines.set("taxonomies", numbered(taxonomiesOf(state, "stored")));
    lines.set("terms", numbered(trees));
  }
  lines.set("datasources", numbered(datasourcesOf(state)));
  for (const { id, slug, dimensions } of state.datasources) {
    lines.set(`entries/${id}`, numbered(entriesOf(state, slug, undefined)));
    for (const dimension of dimensions) {
      lines.set(`entries/${id}/${dimension.id}`, numbered(entriesOf(state, slug, dimension.code)));
    }
  }
  return lines;
}

function readsTerms({ space }: Pick<HistoryRun, "space">): boolean {
  return space.dialect.taxonomies?.refusesParameter === false;
}

/** Two lines of a story that differ in its terms alone. */
export function differOnlyInTerms({ expected, found }: Pick<Difference, "expected" | "found">): boolean {
  const bare = (line: string) => JSON.stringify({ ...JSON.parse(line), taxonomy_terms: [] });
  return expected !== undefined && found !== undefined && bare(expected) === bare(found);
}

/**
 * The stories and rows that `include` wants, by uuid, with the stories that included ones name in
 * any language; undefined: all.
 */
export function wantedStories(
  { space: { dialect }, plan: { include } }: Pick<HistoryRun, "space" | "plan">,
  state: SpaceState,
  version: "published" | "draft",
  editions: readonly string[],
): Record<"stories" | "links" | "included", ReadonlySet<string>> | undefined {
  if (include === undefined) return undefined;
  const { startsWith = [], excludeSlugs = [], contentTypes = [] } = include;
  const isIn = (slug: string) =>
    (startsWith.length === 0 || startsWith.some((prefix) => slug.startsWith(prefix) || `${slug}/` === prefix)) &&
    !excludeSlugs.some((pattern) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(slug));
  const rows = [...linksOf(state, dialect, version)].map(([uuid, line]) => ({ uuid, row: JSON.parse(line) }));
  const links = new Set(rows.filter(({ row }) => isIn(row.slug)).map(({ uuid }) => uuid));
  const included = new Set<string>();
  const named = new Set<string>();
  for (const { version: of, language, release } of editions.map(editionOf)) {
    if (of !== version || release !== undefined) continue;
    for (const [uuid, line] of storiesOf(state, dialect, { version, language })) {
      const { content } = JSON.parse(line);
      if (!links.has(uuid) || (contentTypes.length > 0 && !contentTypes.includes(content.component))) continue;
      included.add(uuid);
      for (const one of content.names) named.add(one);
    }
  }
  const folders = new Set(rows.filter(({ row }) => row.is_folder).map(({ uuid }) => uuid));
  return {
    stories: new Set([...included, ...named]),
    links: new Set([...links, ...[...named].filter((uuid) => !folders.has(uuid))]),
    included,
  };
}

function only(lines: ReadonlyMap<string, string>, uuids: ReadonlySet<string>): Map<string, string> {
  return new Map([...lines].filter(([uuid]) => uuids.has(uuid)));
}

export function editionOf(name: string): { version: "published" | "draft"; release?: string; language: string } {
  const [reading = "", language = ""] = name.split("/");
  const [version, release] = reading.split("@");
  return {
    version: version === "draft" ? "draft" : "published",
    ...(release === undefined ? {} : { release }),
    language,
  };
}

/** One record that is not what it should be. */
export interface Difference {
  part: string;
  key: string;
  expected: string | undefined;
  found: string | undefined;
}

/** The differences between the snapshot and the expected parts; ignores other parts. */
export function differences(found: SnapshotLines, expected: SnapshotLines): Difference[] {
  const list: Difference[] = [];
  for (const [part, lines] of expected) {
    const records = found.get(part) ?? new Map();
    for (const key of new Set([...lines.keys(), ...records.keys()])) {
      if (lines.get(key) === records.get(key)) continue;
      list.push({ part, key, expected: lines.get(key), found: records.get(key) });
    }
  }
  return list;
}

/**
 * True if the index cannot show that a record is wrong, so that no promise covers it. Its line must
 * have stood for different records (except `alternates` and `tag_list`, which have separate rules).
 * The record found must be one of those, at a cv since which it was confirmed.
 */
export function isBlindSpot(
  space: ModelSpace,
  difference: Difference,
  state: SpaceState,
  since: number | null,
): boolean {
  const { part, key, found } = difference;
  if (!part.startsWith("stories/") || part.includes("@")) return false;
  // Trees that name no stories: the editions say so.
  const { taxonomies } = space.dialect;
  if (taxonomies?.treesNameStories === false && !taxonomies.movesCv && differOnlyInTerms(difference)) return true;
  const { version, language } = editionOf(part.slice("stories/".length));
  const line = linksOf(state, space.dialect, version).get(key);
  if (line === undefined) return false;
  const meanings = new Set<string>();
  let wasServed = false;
  for (const moment of space.moments) {
    if (linksOf(moment.state, space.dialect, version).get(key) !== line) continue;
    const terms = taxonomies?.refusesParameter === false ? { terms: "stored" as const } : {};
    const record = storiesOf(moment.state, space.dialect, { version, language, ...terms }).get(key);
    meanings.add(ownContent(record));
    if (record === found && (since === null || moment.cv >= since)) wasServed = true;
  }
  return wasServed && meanings.size > 1;
}

function ownContent(record: string | undefined): string {
  if (record === undefined) return "";
  const { alternates: _alternates, tag_list: _tags, taxonomy_terms: _terms, ...own } = JSON.parse(record);
  return JSON.stringify(own);
}

function numbered(lines: readonly string[]): Map<string, string> {
  return new Map(lines.map((line, at) => [String(at), line]));
}

export function describeDifference({ part, key, expected, found }: Difference): string {
  if (expected === undefined) return `${part} ${key}: should not be there: ${found}`;
  if (found === undefined) return `${part} ${key}: is missing: ${expected}`;
  let at = 0;
  while (expected[at] === found[at]) at++;
  const from = Math.max(0, at - 40);
  return `${part} ${key}: expected …${expected.slice(from, at + 60)}… and found …${found.slice(from, at + 60)}…`;
}
