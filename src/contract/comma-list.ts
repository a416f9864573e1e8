import { absent, type BracketCodec, type Codec, isBlank, parseDigits } from "./codec.js";
import { kinds } from "./record-kinds.js";

/** White space around an item and empty items are dropped; a list without items counts as absent. */
export const texts: Codec<string[]> = commaList("a comma-separated list of texts", "does not belong in", {
  encode: (item) => item,
  decode: (item) => item,
});

const groupsAtMost = 100;

/** Groups of texts: each group is a comma-separated list, and several groups are an array, `name[]=a,b&name[]=c`. */
export const textGroups: BracketCodec<string[][]> = {
  kind: "brackets",
  about: "a comma-separated list of texts, any of which fits; as an array, one of each list",
  schema: { type: ["string", "array"], items: { type: "string" } },
  encode(groups) {
    if (groups.length === 0) throw new RangeError("an empty list cannot be sent: it would count as absent");
    return groups.map((items) => ({ keys: groups.length > 1 ? [""] : [], text: joinItems(items) }));
  },
  decode(pairs) {
    const deep = pairs.find(({ keys }) => keys.length > 1);
    if (deep !== undefined) return { problem: "an array has one pair of brackets" };
    if (pairs.length > groupsAtMost) return { problem: `an array has at most ${groupsAtMost} lists` };
    const last = pairs.findLast(({ keys }) => keys.length === 0);
    const given = pairs.filter((pair) => pair === last || pair.keys.length === 1);
    const groups = given.map(({ text }) => splitItems(text)).filter((items) => items.length > 0);
    return groups.length === 0 ? absent : { value: groups };
  },
};

export const ids: Codec<number[]> = commaList("a comma-separated list of whole numbers", "does not belong in", {
  encode(item) {
    if (!Number.isSafeInteger(item) || item < 0) throw new RangeError(`${item} is not an id`);
    return String(item);
  },
  decode: parseDigits,
});

/** Writes and reads one item of a list; `read` returns undefined for a malformed one. */
interface ListItem<T> {
  encode(item: T): string;
  decode(text: string): T | undefined;
}

/** @param isWrong how an item that cannot be read is refused, before `about`; null: it is left out */
export function commaList<T>(about: string, isWrong: string | null, item: ListItem<T>): Codec<T[]> {
  return {
    kind: "text",
    about,
    encode: (items) => joinItems(items.map((each) => item.encode(each))),
    decode(text) {
      const items: T[] = [];
      for (const part of splitItems(text)) {
        const value = item.decode(part);
        if (value !== undefined) items.push(value);
        else if (isWrong !== null) return { problem: `"${part}" ${isWrong} ${about}` };
      }
      return items.length === 0 ? absent : { value: items };
    },
  };
}

/** The items between the commas, trimmed, without empty ones. */
function splitItems(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** @throws RangeError for an empty list (it would select everything), or an unspeakable item */
function joinItems(items: readonly string[]): string {
  if (items.length === 0) throw new RangeError("an empty list cannot be sent: it would count as absent");
  for (const item of items) {
    if (!isListItem(item)) throw new RangeError(`"${item}" cannot be an item of a comma-separated list`);
  }
  return items.join(",");
}

function isListItem(item: string): boolean {
  return !isBlank(item) && !item.includes(",") && item === item.trim();
}

/** Whether a request can name the text as an item of a list. */
export function canStandInList(item: string): boolean {
  return isListItem(item) && kinds.name.is(item);
}

/** One item of `resolve_relations`: a component's field that refers to stories. */
export interface RelationField {
  component: string;
  field: string;
}

/** `post.author,post.categories` (seed section 4.1). Other items are ignored, as documented. */
export const relationFields: Codec<RelationField[]> = commaList(
  "<component>.<field> pairs, separated by commas",
  null,
  {
    encode: encodeField,
    decode(text) {
      const [component = "", field = "", ...more] = text.split(".");
      return isName(component) && isName(field) && more.length === 0 ? { component, field } : undefined;
    },
  },
);

function encodeField({ component, field }: RelationField): string {
  if (!isName(component) || !isName(field))
    throw new RangeError(`"${component}.${field}" is not a component and a field`);
  return `${component}.${field}`;
}

function isName(name: string): boolean {
  return !isBlank(name) && name === name.trim() && !name.includes(".");
}
