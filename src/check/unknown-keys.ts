import { recordSchemas } from "../contract/record-schemas.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { isObject } from "../shape.js";

const ofStory = keysOf("Story");
const ofLists = { alternates: keysOf("Alternate"), translated_slugs: keysOf("TranslatedSlug") };

function keysOf(record: string): ReadonlySet<string> {
  return new Set(Object.keys(recordSchemas[record]?.properties ?? {}));
}

/** Keys of a story's record that the interface does not describe: `author`, `alternates.locale`. Content is not looked at. */
export function unknownKeys(record: JsonObject): string[] {
  const found = Object.keys(record).filter((key) => !ofStory.has(key));
  for (const [list, known] of Object.entries(ofLists)) {
    const items = record[list];
    if (!Array.isArray(items)) continue;
    const keys = items.flatMap((item) => (isObject(item) ? Object.keys(item) : []));
    found.push(...new Set(keys.filter((key) => !known.has(key)).map((key) => `${list}.${key}`)));
  }
  return found;
}
