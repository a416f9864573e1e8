import { absent, type Codec, isBlank } from "./codec.js";
import { joinItems, splitItems } from "./comma-list.js";

/** One item of `resolve_relations`: the field of a component that names stories. */
export interface RelationField {
  component: string;
  field: string;
}

/**
 * The fields of `resolve_relations` (seed section 4.1): `post.author,post.categories`. An item that is not
 * `component.field` is ignored, as documented; when no item is left the parameter counts as absent.
 */
export const relationFields: Codec<RelationField[]> = {
  kind: "text",
  about: "<component>.<field> pairs, separated by commas",
  encode: (fields) => joinItems(fields.map(encodeField)),
  decode(text) {
    const fields: RelationField[] = [];
    for (const part of splitItems(text)) {
      const [component = "", field = "", ...more] = part.split(".");
      if (isName(component) && isName(field) && more.length === 0) fields.push({ component, field });
    }
    return fields.length === 0 ? absent : { value: fields };
  },
};

function encodeField({ component, field }: RelationField): string {
  if (!isName(component) || !isName(field))
    throw new RangeError(`"${component}.${field}" is not a component and a field`);
  return `${component}.${field}`;
}

function isName(name: string): boolean {
  return !isBlank(name) && name === name.trim() && !name.includes(".");
}
