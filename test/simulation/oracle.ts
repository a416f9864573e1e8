import type { ModelSpace } from "../support/model-space/model-space.js";
import { datasourcesOf, entriesOf, linksOf, storiesOf, tagsOf } from "../support/model-space/records.js";
import type { SpaceState } from "../support/model-space/space-state.js";
import type { SnapshotLines } from "./snapshot-lines.js";

/** What a snapshot of this state holds, for the editions that it names. */
export function expectedLines(space: ModelSpace, state: SpaceState, editions: readonly string[]): SnapshotLines {
  const { dialect } = space;
  const lines = new Map<string, ReadonlyMap<string, string>>();
  for (const edition of editions) {
    const { version, release, language } = editionOf(edition);
    const reading = { version, language, ...(release === undefined ? {} : { release }) };
    lines.set(`stories/${edition}`, storiesOf(state, dialect, reading));
    if (release !== undefined) continue;
    lines.set(`links/${version}`, linksOf(state, dialect, version));
    lines.set(`tags/${version}`, numbered(tagsOf(state, version)));
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

/** Where the snapshot is not what is expected; parts that are not expected are not looked at. */
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
 * Whether a wrong record is one that the index is blind to, so that no promise covers it: its own line has stood for
 * different records (what `alternates` and `tag_list` say aside, which have rules of their own), and the record found is
 * one of those that the line stood for, at a cv since which it was confirmed.
 */
export function isBlindSpot(
  space: ModelSpace,
  difference: Difference,
  state: SpaceState,
  since: number | null,
): boolean {
  const { part, key, found } = difference;
  if (!part.startsWith("stories/") || part.includes("@")) return false;
  const { version, language } = editionOf(part.slice("stories/".length));
  const line = linksOf(state, space.dialect, version).get(key);
  if (line === undefined) return false;
  const meanings = new Set<string>();
  let wasServed = false;
  for (const moment of space.moments) {
    if (linksOf(moment.state, space.dialect, version).get(key) !== line) continue;
    const record = storiesOf(moment.state, space.dialect, { version, language }).get(key);
    meanings.add(ownContent(record));
    if (record === found && (since === null || moment.cv >= since)) wasServed = true;
  }
  return wasServed && meanings.size > 1;
}

function ownContent(record: string | undefined): string {
  if (record === undefined) return "";
  const { alternates: _alternates, tag_list: _tags, ...own } = JSON.parse(record);
  return JSON.stringify(own);
}

function numbered(lines: readonly string[]): Map<string, string> {
  return new Map(lines.map((line, at) => [String(at), line]));
}

/** A difference in one line. */
export function describeDifference({ part, key, expected, found }: Difference): string {
  if (expected === undefined) return `${part} ${key}: should not be there: ${found}`;
  if (found === undefined) return `${part} ${key}: is missing: ${expected}`;
  let at = 0;
  while (expected[at] === found[at]) at++;
  const from = Math.max(0, at - 40);
  return `${part} ${key}: expected …${expected.slice(from, at + 60)}… and found …${found.slice(from, at + 60)}…`;
}
