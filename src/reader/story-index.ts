import { parseStory } from "../contract/parse-record.js";
import type { StoryRecord } from "../contract/records.js";
import { encodePath, findPath, type PassedMember, valueAt } from "../json/bytes.js";
import { missing } from "../json/characters.js";
import { withExactNumbers } from "../json/exact-json.js";
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
  /** Hash of the shard that holds a story. */
  shard(uuid: string): string | undefined;
  uuidBySlug(fullSlug: string): string | undefined;
  uuidById(id: number): string | undefined;
}

/** Reads what a reference shows out of each record. Whole stories are parsed when they are asked for. */
export function indexStories(shards: readonly ShardBytes[]): StoryIndex {
  const places = new Map<string, { shard: ShardBytes; index: number; reference: StoryReference }>();
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
  return {
    uuids: [...places.keys()].sort(),
    components: [...components].sort(),
    reference: (uuid) => places.get(uuid)?.reference,
    story(uuid, numbers) {
      const place = places.get(uuid);
      if (place === undefined) return undefined;
      return parseStory(recordText(place.shard, place.index), numbers?.exact ? withExactNumbers : undefined);
    },
    bytes(uuid) {
      const place = places.get(uuid);
      return place === undefined ? undefined : recordBytes(place.shard, place.index);
    },
    shard: (uuid) => places.get(uuid)?.shard.hash,
    uuidBySlug: (fullSlug) => slugs.get(fullSlug) ?? slugs.get(otherSlashForm(fullSlug)),
    uuidById: (id) => ids.get(id),
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
