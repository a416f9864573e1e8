import type { FieldSource } from "./shard-rows.js";

/** The fields that {@link slugReader} reads. */
export const slugFields = [["full_slug"], ["default_full_slug"], ["lang"]] as const;

/**
 * Reads the full slugs under which a story is found: its own first, the one in the default language last. Mostly
 * they are one. A language prefixes the slug (`de/about`); where slugs are translated too (`de/ueber-uns`), the
 * record tells the original in `default_full_slug`, and the translated slug without the prefix (`ueber-uns`) stands
 * between the two.
 */
export function slugReader(source: FieldSource): (row: number) => readonly string[] {
  const [own, ofDefault, lang] = slugFields.map((path) => source.field(path));
  return (row) => slugsOf(own!(row), ofDefault!(row), lang!(row));
}

function slugsOf(own: unknown, ofDefault: unknown, lang: unknown): string[] {
  const slug = String(own ?? "");
  const prefix = `${String(lang)}/`;
  const plain = lang !== "default" && slug.startsWith(prefix) ? [slug.slice(prefix.length)] : [];
  if (typeof ofDefault !== "string" || ofDefault === "") return [slug, ...plain];
  return plain[0] === ofDefault ? [slug, ofDefault] : [slug, ...plain, ofDefault];
}
