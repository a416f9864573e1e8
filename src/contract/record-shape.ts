import type { StoryRecord } from "./records.js";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const kinds = {
  id: { test: (value) => Number.isSafeInteger(value) && Number(value) >= 0, about: "a whole number" },
  uuid: { test: isUuid, about: "a uuid" },
  text: { test: (value) => typeof value === "string", about: "a text" },
  flag: { test: (value) => typeof value === "boolean", about: "true or false" },
  object: { test: isObject, about: "an object" },
  array: { test: Array.isArray, about: "an array" },
} as const satisfies Record<string, { test: (value: unknown) => boolean; about: string }>;

type Kind = keyof typeof kinds;
/** A kind with a question mark may be absent or null; a problem function is asked for each element of an array, which may be absent or null. */
type FieldShape = Kind | `${Kind}?` | RecordProblem;

/** What is wrong with a value that should be a record; undefined when nothing is. */
export type RecordProblem = (value: unknown) => string | undefined;

/** What is wrong with the value as a story (seed section 2.1): only what this program relies on is looked at. */
export const storyProblem: RecordProblem = shape({
  id: "id",
  uuid: "uuid",
  name: "text",
  slug: "text",
  full_slug: "text",
  content: "object?",
  parent_id: "id?",
  lang: "text?",
  group_id: "text?",
  published_at: "text?",
  first_published_at: "text?",
  created_at: "text?",
  updated_at: "text?",
  tag_list: "array?",
  alternates: "array?",
  translated_slugs: "array?",
});

/** What is wrong with the value as a link (seed section 2.3). */
export const linkProblem: RecordProblem = shape({
  id: "id",
  uuid: "uuid",
  slug: "text",
  name: "text",
  is_folder: "flag",
  parent_id: "id?",
  published: "flag?",
  is_startpage: "flag?",
  real_path: "text?",
  alternates: "array?",
});

/** What is wrong with the value as a datasource (seed section 2.4); its dimensions are looked at too. */
export const datasourceProblem: RecordProblem = shape({
  id: "id",
  name: "text",
  slug: "text",
  dimensions: shape({ id: "id", name: "text", entry_value: "text" }),
});

/** What is wrong with the value as a row of a datasource. */
export const datasourceEntryProblem: RecordProblem = shape({
  id: "id",
  name: "text",
  value: "text",
  dimension_value: "text?",
});

/** What is wrong with the value as an experiment (seed section 2.5). */
export const experimentProblem: RecordProblem = shape({
  id: "id",
  name: "text",
  story_ids: "array?",
  variants: "array?",
});

/** What is wrong with the value as metadata of an asset. */
export const assetMetadataProblem: RecordProblem = shape({ id: "id" });

/** What is wrong with the value as a tag. */
export const tagProblem: RecordProblem = shape({ name: "text", taggings_count: "id" });

/** What is wrong with the value as the space that a delivery token may see. */
export const spaceProblem: RecordProblem = shape({ id: "id", name: "text", version: "id?", language_codes: "array?" });

/** What is wrong with the value as space information (seed section 2.6). */
export const spaceInfoProblem: RecordProblem = shape({ id: "id", name: "text", languages: "array?" });

/** What is wrong with the value as a webhook endpoint (seed section 2.7). */
export const webhookEndpointProblem: RecordProblem = shape({ id: "id", actions: "array?" });

export const isStoryRecord = guard<StoryRecord>(storyProblem);

/** Whether the text has the shape of a uuid: 8-4-4-4-12 hexadecimal digits, in any case, of any version. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuidPattern.test(value);
}

/** Whether the value is an object that is neither null nor an array. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shape(fields: Readonly<Record<string, FieldShape>>): RecordProblem {
  const checks = Object.entries(fields).map(([name, field]) => fieldCheck(name, field));
  return (value) => {
    if (!isObject(value)) return `${describe(value)} is not an object`;
    for (const check of checks) {
      const problem = check(value);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

function fieldCheck(name: string, field: FieldShape): (record: Record<string, unknown>) => string | undefined {
  if (typeof field === "function") return (record) => elementsProblem(name, record[name], field);
  const optional = field.endsWith("?");
  const kind = kinds[(optional ? field.slice(0, -1) : field) as Kind];
  return (record) => {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (kind.test(value) || (optional && (value === undefined || value === null))) return undefined;
    return `${name} is ${describe(value)}, not ${kind.about}`;
  };
}

function elementsProblem(name: string, value: unknown, elementProblem: RecordProblem): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) return `${name} is ${describe(value)}, not an array`;
  for (const [i, element] of value.entries()) {
    const problem = elementProblem(element);
    if (problem !== undefined) return `${name}[${i}]: ${problem}`;
  }
  return undefined;
}

/** The value as a message shows it, cut short. */
function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function guard<T>(problem: RecordProblem): (value: unknown) => value is T {
  return (value): value is T => problem(value) === undefined;
}
