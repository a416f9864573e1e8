import type { StoryRecord } from "../contract/records.js";
import { isObject, uuid } from "../shape.js";
import { blockKeys } from "./content-shape.js";
import { type Place, rewriteValue } from "./rewrite-value.js";

/** What replaces the uuid of a related story that is not embedded. */
export interface RelationReference {
  uuid: string;
  full_slug: string;
  name: string;
  /** Name of the content type. */
  component: string;
  /** The site's URL of its page. */
  url: string;
}

/** Which fields hold relations: every field of a block whose values are uuids, a set of `component.field`, or none. */
export type RelationFields = "all" | "none" | ReadonlySet<string>;

export interface RelationOptions {
  fields: RelationFields;
  /** 0: references; n: targets embedded n levels deep. */
  depth: number;
  /** The story of the edition with this uuid, or undefined. */
  reference(uuid: string): RelationReference | undefined;
  /** The whole story; called only for a story that is embedded, which gets the `url` of its reference. */
  story(uuid: string): StoryRecord | undefined;
  /** How many stories one story embeds at most, at all depths together; all further ones become references. */
  maxEmbedded: number;
  /** How many bytes they may have, with the references in them; default: any number. */
  maxEmbeddedBytes?: number;
  /** Bytes of a story; default: 0. */
  storyBytes?(uuid: string): number;
  /** Called once when there are more. */
  exceeded?(): void;
  /** Whether the story has room for this many more characters; where it has not, a uuid stays as it is. Default: yes. */
  hasRoom?(characters: number): boolean;
  /** Called for each value that names no story of the edition; the value stays as it is. */
  dangling?(uuid: string, path: string): void;
}

/** Takes `resolve.relations` of the configuration: `all`, `none`, or a list of `component.field`. */
export function relationFields(setting: "all" | "none" | readonly string[]): RelationFields {
  return typeof setting === "string" ? setting : new Set(setting);
}

/**
 * A copy of content in which the uuids of relation fields are replaced by references or by the stories themselves: in
 * the story, in nested blocks, and in blocks of rich text. A story inside itself becomes a reference, so that cycles
 * end.
 *
 * @param self uuid of the story that the content belongs to
 */
export function resolveRelations(content: unknown, self: string, options: RelationOptions): unknown {
  const { maxEmbedded, maxEmbeddedBytes = Number.POSITIVE_INFINITY } = options;
  let embedded = 0;
  let bytes = 0;
  let isFull = false;
  const story = (uuid: string): StoryRecord | undefined => {
    if (isFull) return undefined;
    embedded += 1;
    bytes += options.storyBytes?.(uuid) ?? 0;
    isFull = embedded > maxEmbedded || bytes > maxEmbeddedBytes;
    if (isFull) options.exceeded?.();
    return isFull ? undefined : options.story(uuid);
  };
  const hasRoom = (characters: number, isEmbedded: boolean): boolean => {
    if (isEmbedded) bytes += characters;
    return options.hasRoom?.(characters) ?? true;
  };
  return resolveLevel(content, [self], options.depth, { ...options, story, hasRoom });
}

interface LevelOptions extends Omit<RelationOptions, "hasRoom"> {
  /** @param isEmbedded whether they stand in an embedded story */
  hasRoom(characters: number, isEmbedded: boolean): boolean;
}

function resolveLevel(content: unknown, ancestors: readonly string[], depth: number, options: LevelOptions): unknown {
  if (options.fields === "none") return content;
  return rewriteValue(content, (value, place) => {
    if (!uuid.is(value) || !isRelation(place, options.fields)) return value;
    const reference = options.reference(value);
    if (reference === undefined) {
      if (ancestors.length === 1) options.dangling?.(value, place.path());
      return value;
    }
    const embedded = depth > 0 && !ancestors.includes(value) ? options.story(value) : undefined;
    if (embedded === undefined) {
      return options.hasRoom(charactersOf(reference), ancestors.length > 1) ? onlyReference(reference) : value;
    }
    const { url } = reference;
    const inner = resolveLevel(embedded.content, [...ancestors, value], depth - 1, options);
    return isObject(inner) ? { ...embedded, url, content: inner } : { ...embedded, url };
  });
}

/** Whether the value is a field of a block, or an item of a list that is such a field. */
function isRelation(place: Place, fields: RelationFields): boolean {
  const { component, field } = place;
  if (fields === "none" || component === undefined || field === undefined) return false;
  if (blockKeys.has(field)) return false;
  return fields === "all" || fields.has(`${component}.${field}`);
}

/** About how long a reference is as JSON. */
function charactersOf({ full_slug, name, component, url }: RelationReference): number {
  return 110 + full_slug.length + name.length + component.length + url.length;
}

function onlyReference(reference: RelationReference): RelationReference {
  const { uuid, full_slug, name, component, url } = reference;
  return { uuid, full_slug, name, component, url };
}
