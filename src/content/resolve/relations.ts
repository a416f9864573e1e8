import type { StoryRecord } from "../../contract/records.js";
import { blockKeys } from "./content-shape.js";
import type { RelationStep } from "./resolve-content.js";

/** Replaces the uuid of a related story that is not embedded. */
export interface RelationReference {
  uuid: string;
  full_slug: string;
  name: string;
  component: string;
  url: string;
}

/** Which fields hold relations: every field of a block whose values are uuids, a set of `component.field`, or none. */
export type RelationFields = "all" | "none" | ReadonlySet<string>;

export interface RelationOptions {
  fields: RelationFields;
  /** 0: references; n: targets embedded n levels deep. */
  depth: number;
  /** The reference to the story with this uuid, as a new object; undefined if the edition lacks it. */
  reference(uuid: string): RelationReference | undefined;
  story(uuid: string): StoryRecord | undefined;
  /** A story as it is embedded; it has the `url` of its reference. @param relations the step for the relations in it */
  embed(story: StoryRecord & { url: string }, relations: RelationStep): unknown;
  refer(reference: RelationReference): unknown;
  /** How many stories one story embeds at most, at all depths together; all further ones become references. */
  maxEmbedded: number;
  /** How many bytes they may have, with the references in them; default: any number. */
  maxEmbeddedBytes?: number;
  storyBytes?(uuid: string): number;
  /** Called once when there are more. */
  exceeded?(): void;
  /** True if the story has room for this many more characters; where it has not, a uuid stays as it is. Default: yes. */
  hasRoom?(characters: number): boolean;
  /** Called for each value that names no story of the edition; the value stays as it is. */
  dangling?(uuid: string, path: string): void;
}

/** Takes `resolve.relations` of the configuration: `all`, `none`, or a list of `component.field`. */
export function relationFields(setting: "all" | "none" | readonly string[]): RelationFields {
  return typeof setting === "string" ? setting : new Set(setting);
}

/**
 * Replaces uuids by references or by the stories themselves. A story inside itself becomes a reference: cycles end.
 * @param self uuid of the story that the content belongs to
 */
export function relationStep(self: string, options: RelationOptions): RelationStep | undefined {
  const { fields, maxEmbedded, maxEmbeddedBytes = Number.POSITIVE_INFINITY } = options;
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
  const level = (ancestors: readonly string[], depth: number): RelationStep => {
    const isEmbedded = ancestors.length > 1;
    return (uuid, component, field, place) => {
      if (!isRelation(component, field, fields)) return uuid;
      const reference = options.reference(uuid);
      if (reference === undefined) {
        if (!isEmbedded) options.dangling?.(uuid, place.path());
        return uuid;
      }
      const { full_slug, name, url } = reference;
      const found = depth > 0 && !ancestors.includes(uuid) ? story(uuid) : undefined;
      if (found !== undefined) return options.embed({ ...found, url }, level([...ancestors, uuid], depth - 1));
      // About how long it is as JSON.
      const characters = 110 + full_slug.length + name.length + reference.component.length + url.length;
      if (isEmbedded) bytes += characters;
      return options.hasRoom?.(characters) === false ? uuid : options.refer(reference);
    };
  };
  return fields === "none" ? undefined : level([self], options.depth);
}

export function isRelation(component: string, field: string, fields: RelationFields): boolean {
  if (fields === "none" || blockKeys.has(field)) return false;
  return fields === "all" || fields.has(`${component}.${field}`);
}
