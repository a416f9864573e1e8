import { parseStory } from "../../contract/parse-record.js";
import type { StoryRecord } from "../../contract/records.js";
import { encodePath, findPath, type PassedMember, valueAt } from "../../lib/json/bytes.js";
import { missing } from "../../lib/json/characters.js";
import { withExactNumbers } from "../../lib/json/exact-json.js";
import { plainUuid, shardOfKey } from "../shard-trie.js";
import type { NumberOptions, ShardBytes, StoryReference } from "./reader.js";
import { recordBytes, recordText } from "./shard-bytes.js";

const fields = {
  uuid: encodePath(["uuid"]),
  id: encodePath(["id"]),
  name: encodePath(["name"]),
  slug: encodePath(["slug"]),
  fullSlug: encodePath(["full_slug"]),
  path: encodePath(["path"]),
  component: encodePath(["content", "component"]),
  isStartpage: encodePath(["is_startpage"]),
};

const contentKey = Buffer.from('"content":');

export interface StoryIndex {
  /** In code-unit order. */
  uuids: readonly string[];
  components: readonly string[];
  reference(uuid: string): StoryReference | undefined;
  story(uuid: string, numbers?: NumberOptions): StoryRecord | undefined;
  bytes(uuid: string): Uint8Array | undefined;
  uuidBySlug(fullSlug: string): string | undefined;
  uuidByPath(path: string): string | undefined;
  uuidById(id: number): string | undefined;
}

/**
 * The stories of one part by uuid, slug and id. Locates a shard's records on first use; listing or
 * comparing all stories builds a table. Parses whole stories on demand.
 * @param entries of the same shards, in the same order
 */
export function indexStories(shards: readonly ShardBytes[], entries: readonly { prefix: string }[]): StoryIndex {
  const find = storyFinder(shards, entries);
  let table: StoryTable | undefined;
  const all = (): StoryTable => {
    table ??= tableOf(shards);
    return table;
  };
  const place = (uuid: string): Place | undefined => {
    return table === undefined && plainUuid.test(uuid) ? find(uuid) : all().places.get(uuid);
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
      if (found === undefined) return undefined;
      found.reference ??= referenceOf(found.shard, found.index);
      return found.reference;
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
    uuidByPath: (path) => all().paths.get(withoutSlashes(path)),
    uuidById: (id) => all().ids.get(id),
  };
}

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
  paths: ReadonlyMap<string, string>;
  ids: ReadonlyMap<number, string>;
}

function tableOf(shards: readonly ShardBytes[]): StoryTable {
  const places = new Map<string, Place>();
  const slugs = new Map<string, string>();
  const paths = new Map<string, string>();
  const ids = new Map<number, string>();
  const components = new Set<string>();
  for (const shard of shards) {
    for (let index = 0; index < shard.starts.length; index += 1) {
      const reference = referenceOf(shard, index);
      places.set(reference.uuid, { shard, index, reference });
      slugs.set(reference.full_slug, reference.uuid);
      if (typeof reference.path === "string") paths.set(withoutSlashes(reference.path), reference.uuid);
      ids.set(reference.id, reference.uuid);
      if (reference.component !== "") components.add(reference.component);
    }
  }
  return { places, uuids: [...places.keys()].sort(), components: [...components].sort(), slugs, paths, ids };
}

/** Finds a plain uuid's record in the shard whose prefix covers it. */
function storyFinder(
  shards: readonly ShardBytes[],
  entries: readonly { prefix: string }[],
): (uuid: string) => Place | undefined {
  const places = new Map<ShardBytes, Map<string, Place>>();
  return (uuid) => {
    const shard = shards[shardOfKey(entries, uuid) ?? -1];
    if (shard === undefined) return undefined;
    let known = places.get(shard);
    if (known === undefined) {
      known = new Map(Array.from(shard.starts, (_, index) => [uuidAt(shard, index), { shard, index }]));
      places.set(shard, known);
    }
    return known.get(uuid);
  };
}

function uuidAt(shard: ShardBytes, index: number): string {
  const uuid = valueAt(shard.bytes, findPath(shard.bytes, shard.starts[index]!, fields.uuid));
  return typeof uuid === "string" ? uuid : "";
}

/** The reference of record `index` in a shard of stories. */
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
    ...pathMember(text("path")),
    component: text("component"),
    is_startpage: read("isStartpage") === true,
  };
}

function pathMember(path: string): { path?: string } {
  return path.trim() === "" ? {} : { path };
}

function withoutSlashes(path: string): string {
  return path.trim().replace(/^\/+|\/+$/g, "");
}

/** The other spelling of a start page: `articles` for `articles/`, and vice versa. */
function otherSlashForm(fullSlug: string): string {
  return fullSlug.endsWith("/") ? fullSlug.slice(0, -1) : `${fullSlug}/`;
}
