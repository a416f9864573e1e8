import { type Codec, isBlank } from "./codec.js";
import { commaList } from "./comma-list.js";

/** One key of `sort_by` (seed section 4.1): `content.price:asc:float:nulls_first`. */
export interface SortKey {
  /** A story property, or `content` and the path of a field: `["content", "price"]`. */
  property: string[];
  direction: "asc" | "desc";
  /** How values are compared; custom fields compare as strings unless a cast is given. */
  cast: "string" | "int" | "float";
  /** Where null and empty values go, for both directions. */
  nulls: "first" | "last";
}

const about = "sort keys <property>:<asc|desc>[:int|:float][:nulls_first|:nulls_last], separated by commas";

/** The keys of `sort_by`, most significant first. */
export const sortKeys: Codec<SortKey[]> = commaList(about, "is not one of the", {
  encode: encodeKey,
  decode: decodeKey,
});

function encodeKey({ property, direction, cast, nulls }: SortKey): string {
  if (!isProperty(property)) throw new RangeError(`"${property.join(".")}" is not a property to sort by`);
  const castPart = cast === "string" ? "" : `:${cast}`;
  const nullsPart = nulls === "first" ? ":nulls_first" : "";
  return `${property.join(".")}:${direction}${castPart}${nullsPart}`;
}

function decodeKey(text: string): SortKey | undefined {
  const [name = "", direction, ...suffixes] = text.split(":");
  const property = name.split(".");
  if (!isProperty(property) || (direction !== "asc" && direction !== "desc")) return undefined;
  const cast = suffixes[0] === "int" || suffixes[0] === "float" ? suffixes[0] : "string";
  if (cast !== "string") suffixes.shift();
  const nulls = suffixes[0] === "nulls_first" ? "first" : "last";
  if (suffixes[0] === "nulls_first" || suffixes[0] === "nulls_last") suffixes.shift();
  return suffixes.length === 0 ? { property, direction, cast, nulls } : undefined;
}

function isProperty(property: readonly string[]): boolean {
  return property.length > 0 && property.every((part) => !isBlank(part) && part === part.trim() && !/[.:,]/.test(part));
}
