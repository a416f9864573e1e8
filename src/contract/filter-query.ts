import { absent, type BracketCodec, type BracketPair, type Decoded, isBlank } from "./codec.js";
import { parseDateTime } from "./date-time.js";

/**
 * Seed section 4.2. `in_array` is the older `any_in_array`; `exists` is only in the published OpenAPI description.
 */
export const filterOperations = [
  "in",
  "not_in",
  "like",
  "not_like",
  "any_in_array",
  "all_in_array",
  "is",
  "gt_date",
  "lt_date",
  "gt_int",
  "lt_int",
  "gt_float",
  "lt_float",
  "in_array",
  "exists",
] as const;
export type FilterOperation = (typeof filterOperations)[number];

export const isStates = [
  "empty_array",
  "not_empty_array",
  "empty",
  "not_empty",
  "true",
  "false",
  "null",
  "not_null",
] as const;

/** One condition: `filter_query[body.0.name][in]=a,b`. */
export interface FilterCondition {
  /** Names of fields and array positions, outermost first: `["body", "0", "name"]`. */
  path: string[];
  operation: FilterOperation;
  /** A list operation's values, trimmed; otherwise the text as the only item. */
  values: string[];
  /** The text after the equals sign, unaltered. For `[]=a&…[]=b`, the values joined with commas. */
  text: string;
}

/** Selects a story if all of `all` hold and, if `any` has groups, one whole group holds. */
export interface FilterQuery {
  all: FilterCondition[];
  any: FilterCondition[][];
}

const listOperations: ReadonlySet<FilterOperation> = new Set([
  "in",
  "not_in",
  "any_in_array",
  "all_in_array",
  "in_array",
]);
const operationByName = new Map<string, FilterOperation>(filterOperations.map((name) => [name, name]));
const isStateNames: ReadonlySet<string> = new Set(isStates);

/** The condition on the dotted path: `filterCondition("seo.title", "in", "a,b")`. */
export function filterCondition(path: string, operation: FilterOperation, text: string): FilterCondition {
  return { path: path.split("."), operation, values: listOperations.has(operation) ? listValues(text) : [text], text };
}

function listValues(text: string): string[] {
  return text.split(",").map((value) => value.trim());
}

/**
 * Conditions keep the order of the request. Each `[__or][]` opens its own group of one, because
 * brackets cannot group; an explicit group number is answered with 500. A list is one text with
 * commas (`[in]=a,b`) or an array (`[in][]=a&[in][]=b`), in which a comma belongs to the value.
 */
export const filterQuery: BracketCodec<FilterQuery> = {
  kind: "brackets",
  about: `[<field>][<operation>] or [__or][][<field>][<operation>], a list also as [<field>][<operation>][]; operations: ${filterOperations.join(", ")}`,
  encode({ all, any }) {
    return [...all.flatMap((condition) => encodeCondition([], condition)), ...any.flatMap(encodeGroup)];
  },
  decode(pairs) {
    const filter: FilterQuery = { all: [], any: [] };
    // In __or, array items belong together until another group begins.
    const [arrays, groupArrays] = [new Map<string, FilterCondition>(), new Map<string, FilterCondition>()];
    for (const pair of pairs) {
      const decoded = decodePair(pair);
      if (!("value" in decoded)) return decoded;
      const { or, isItem, condition } = decoded.value;
      const name = JSON.stringify([condition.path, condition.operation]);
      const known = or ? groupArrays : arrays;
      const array = isItem ? known.get(name) : undefined;
      if (array !== undefined) {
        if (!listOperations.has(array.operation)) {
          return { problem: `the operation ${array.operation} takes one value, not an array` };
        }
        addItem(array, condition.text);
        continue;
      }
      if (or) groupArrays.clear();
      if (isItem) known.set(name, condition);
      if (or) filter.any.push([condition]);
      else filter.all.push(condition);
    }
    return filter.all.length + filter.any.length === 0 ? absent : { value: filter };
  },
};

function addItem(array: FilterCondition, text: string): void {
  array.values.push(text.trim());
  array.text += `,${text}`;
}

function encodeGroup(group: readonly FilterCondition[]): BracketPair[] {
  const [condition, ...more] = group;
  if (condition === undefined || more.length > 0) throw new RangeError("an __or group has exactly one condition");
  return encodeCondition(["__or", ""], condition);
}

function encodeCondition(before: readonly string[], condition: FilterCondition): BracketPair[] {
  const { path, operation, values, text } = condition;
  const problem = pathProblem(path) ?? textProblem(operation, text);
  if (problem !== undefined) throw new RangeError(problem);
  const keys = [...before, path.join("."), operation];
  const isText = !listOperations.has(operation) || sameValues(listValues(text), values);
  return isText ? [{ keys, text }] : values.map((value) => ({ keys: [...keys, ""], text: value }));
}

function sameValues(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** One `name=text` pair. `isItem`: the name ends in `[]`, so it is one value of an array. */
function decodePair({
  keys,
  text,
}: BracketPair): Decoded<{ or: boolean; isItem: boolean; condition: FilterCondition }> {
  const or = keys[0] === "__or";
  if (or && keys[1] !== "") {
    return { problem: "a group of filter_query[__or] is written [], without a number", status: 500 };
  }
  const [field, operationName, ...more] = or ? keys.slice(2) : keys;
  const isItem = more.length === 1 && more[0] === "";
  if (field === undefined || operationName === undefined || (more.length > 0 && !isItem)) {
    return { problem: `filter_query[${keys.join("][")}] is not filter_query[<field>][<operation>]` };
  }
  const operation = operationByName.get(operationName);
  if (operation === undefined) {
    return { problem: `"${operationName}" is not a filter operation: ${filterOperations.join(", ")}` };
  }
  const condition = filterCondition(field, operation, text);
  if (isItem) condition.values = [listOperations.has(operation) ? text.trim() : text];
  const problem = pathProblem(condition.path) ?? textProblem(operation, text);
  return problem === undefined ? { value: { or, isItem, condition } } : { problem };
}

function pathProblem(path: readonly string[]): string | undefined {
  const wrong = path.length === 0 || path[0] === "__or" || path.some((name) => isBlank(name) || /[.[\]]/.test(name));
  return wrong
    ? `"${path.join(".")}" is not a field, or names of fields and array positions with dots between`
    : undefined;
}

/** Numbers are not checked: a text that is not a number selects nothing, without an error. */
function textProblem(operation: FilterOperation, text: string): string | undefined {
  if (operation === "is" && !isStateNames.has(text)) {
    return `"${text}" is not a value of the operation is: ${isStates.join(", ")}`;
  }
  if ((operation === "gt_date" || operation === "lt_date") && parseDateTime(text) === undefined) {
    return `"${text}" is not a date as yyyy-MM-dd HH:mm`;
  }
  return undefined;
}
