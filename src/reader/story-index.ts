import { parseStory } from "../contract/parse-record.js";
import type { StoryRecord } from "../contract/records.js";
import { encodePath, findPath, type PassedMember, valueAt } from "../json/bytes.js";
import { missing } from "../json/characters.js";
import { withExactNumbers } from "../json/exact-json.js";
import { lowerBound } from "../lower-bound.js";
import { placeOf, plainUuid } from "../snapshot/shard-trie.js";
import type { NumberOptions, ShardBytes, StoryReference } from "./reader.js";
import { recordBytes, recordText } from "./shard-bytes.js";

const fields = {
  uuid: encodePath(["uuid"]),
  id: encodePath(["id"]),
  name: encodePath(["name"]),
  slug: encodePath(["slug"]),
  fullSlug: encodePath(["full_slug"]),
  component: encodePath(["content", "component"]),
  isStartpage: encodePath(["is_startpage"]),
};

const contentKey = Buffer.from('"content":');

/** The stories of one part by uuid, slug and id. */
export interface StoryIndex {
  /** In code-unit order. */
  uuids: readonly string[];
  components: readonly string[];
  reference(uuid: string): StoryReference | undefined;
  story(uuid: string, numbers?: NumberOptions): StoryRecord | undefined;
  bytes(uuid: string): Uint8Array | undefined;
  uuidBySlug(fullSlug: string): string | undefined;
  uuidById(id: number): string | undefined;
}

/**
 * The stories of one part. A story is looked for among the sorted records until so many were asked for that a table of all
 * costs less; whole stories are parsed when they are asked for.
 */
export function indexStories(shards: readonly ShardBytes[]): StoryIndex {
  const find = storyFinder(shards);
  let left = shards.reduce((sum, { starts }) => sum + starts.length, 0) >> 3;
  let table: StoryTable | undefined;
  const all = (): StoryTable => {
    table ??= tableOf(shards);
    return table;
  };
  const place = (uuid: string): Place | undefined => {
    const isForTable = table !== undefined || left-- <= 0 || !plainUuid.test(uuid);
    return isForTable ? all().places.get(uuid) : find(uuid);
  };
  return {
    get uuids() {
      return all().uuids;
    },
    get components() {
      return all().components;
    },
    reference(uuid) {
      const found = place(uuid);
      return found && (found.reference ?? referenceOf(found.shard, found.index));
    },
    story(uuid, numbers) {
      const found = place(uuid);
      if (found === undefined) return undefined;
      return parseStory(recordText(found.shard, found.index), numbers?.exact ? withExactNumbers : undefined);
    },
    bytes(uuid) {
      const found = place(uuid);
      return found && recordBytes(found.shard, found.index);
    },
    uuidBySlug: (fullSlug) => all().slugs.get(fullSlug) ?? all().slugs.get(otherSlashForm(fullSlug)),
    uuidById: (id) => all().ids.get(id),
  };
}

/** Where a record lies. */
interface Place {
  shard: ShardBytes;
  index: number;
  reference?: StoryReference;
}

interface StoryTable {
  places: ReadonlyMap<string, Place>;
  uuids: readonly string[];
  components: readonly string[];
  slugs: ReadonlyMap<string, string>;
  ids: ReadonlyMap<number, string>;
}

/** Reads what a reference shows out of each record. */
function tableOf(shards: readonly ShardBytes[]): StoryTable {
  const places = new Map<string, Place>();
  const slugs = new Map<string, string>();
  const ids = new Map<number, string>();
  const components = new Set<string>();
  for (const shard of shards) {
    for (let index = 0; index < shard.starts.length; index += 1) {
      const reference = referenceOf(shard, index);
      places.set(reference.uuid, { shard, index, reference });
      slugs.set(reference.full_slug, reference.uuid);
      ids.set(reference.id, reference.uuid);
      if (reference.component !== "") components.add(reference.component);
    }
  }
  return { places, uuids: [...places.keys()].sort(), components: [...components].sort(), slugs, ids };
}

/** Finds the record of a plain uuid: shards, and records in them, are sorted by {@link placeOf}. */
function storyFinder(shards: readonly ShardBytes[]): (uuid: string) => Place | undefined {
  const uuidAt = (shard: ShardBytes, index: number): string => {
    const uuid = valueAt(shard.bytes, findPath(shard.bytes, shard.starts[index]!, fields.uuid));
    return typeof uuid === "string" ? uuid : "";
  };
  const filled = shards.filter(({ starts }) => starts.length > 0);
  let firsts: readonly string[] | undefined;
  return (uuid) => {
    const own = placeOf(uuid);
    firsts ??= filled.map((shard) => placeOf(uuidAt(shard, 0)));
    const starts = firsts;
    const shard = filled[lowerBound(filled.length, (at) => starts[at]! > own) - 1];
    if (shard === undefined) return undefined;
    const index = lowerBound(shard.starts.length, (at) => placeOf(uuidAt(shard, at)) >= own);
    // Several keys may have one place: with dashes elsewhere, or in capitals.
    for (let at = index; at < shard.starts.length; at += 1) {
      const found = uuidAt(shard, at);
      if (found === uuid) return { shard, index: at };
      if (placeOf(found) !== own) return undefined;
    }
    return undefined;
  };
}

/** What a reference shows of record `index` of a shard of stories. */
export function referenceOf(shard: ShardBytes, index: number): StoryReference {
  const at = shard.starts[index]!;
  const content: PassedMember = {
    key: contentKey,
    start: missing,
    end: missing,
    objectEnd: shard.ends[index]!,
  };
  const read = (field: keyof typeof fields) => valueAt(shard.bytes, findPath(shard.bytes, at, fields[field], content));
  const text = (field: keyof typeof fields) => {
    const value = read(field);
    return typeof value === "string" ? value : "";
  };
  return {
    uuid: text("uuid"),
    id: Number(read("id")),
    name: text("name"),
    slug: text("slug"),
    full_slug: text("fullSlug"),
    component: text("component"),
    is_startpage: read("isStartpage") === true,
  };
}

/** The other spelling of a start page: `articles` of `articles/`, and the other way round. */
function otherSlashForm(fullSlug: string): string {
  return fullSlug.endsWith("/") ? fullSlug.slice(0, -1) : `${fullSlug}/`;
}
