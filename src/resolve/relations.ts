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
}

/** Which fields hold relations: every field of a block whose values are uuids, a set of `component.field`, or none. */
export type RelationFields = "all" | "none" | ReadonlySet<string>;

export interface RelationOptions {
  fields: RelationFields;
  /** 0: references; n: targets embedded n levels deep. */
  depth: number;
  /** The story of the edition with this uuid, or undefined. */
  reference(uuid: string): RelationReference | undefined;
  /** The whole story; called only for a story that is embedded. */
  story(uuid: string): StoryRecord | undefined;
  /** How many stories one story embeds at most, at all depths together; all further ones become references. */
  maxEmbedded: number;
  /** Called once when there are more. */
  exceeded?(): void;
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
  let embedded = 0;
  const story = (uuid: string): StoryRecord | undefined => {
    embedded += 1;
    if (embedded === options.maxEmbedded + 1) options.exceeded?.();
    return embedded > options.maxEmbedded ? undefined : options.story(uuid);
  };
  return resolveLevel(content, [self], options.depth, { ...options, story });
}

function resolveLevel(
  content: unknown,
  ancestors: readonly string[],
  depth: number,
  options: RelationOptions,
): unknown {
  if (options.fields === "none") return content;
  return rewriteValue(content, (value, place) => {
    if (!uuid.is(value) || !isRelation(place, options.fields)) return value;
    const reference = options.reference(value);
    if (reference === undefined) {
      if (ancestors.length === 1) options.dangling?.(value, place.path());
      return value;
    }
    const embedded = depth > 0 && !ancestors.includes(value) ? options.story(value) : undefined;
    if (embedded === undefined) return onlyReference(reference);
    const inner = resolveLevel(embedded.content, [...ancestors, value], depth - 1, options);
    return isObject(inner) ? { ...embedded, content: inner } : embedded;
  });
}

/** Whether the value is a field of a block, or an item of a list that is such a field. */
function isRelation(place: Place, fields: RelationFields): boolean {
  const { component, field } = place;
  if (fields === "none" || component === undefined || field === undefined) return false;
  if (blockKeys.has(field)) return false;
  return fields === "all" || fields.has(`${component}.${field}`);
}

function onlyReference(reference: RelationReference): RelationReference {
  const { uuid, full_slug, name, component } = reference;
  return { uuid, full_slug, name, component };
}
