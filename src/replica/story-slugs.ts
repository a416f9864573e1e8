import type { FieldSource } from "./shard-rows.js";

/** The fields that {@link slugReader} reads. */
export const slugFields = [["full_slug"], ["default_full_slug"], ["lang"]] as const;

/**
 * Reads the full slugs of a story: its own, and last the one in the default language. Mostly they are one; a language
 * prefixes the slug (`de/about`), and where slugs are translated too the record tells the original in
 * `default_full_slug`.
 */
export function slugReader(source: FieldSource): (row: number) => readonly string[] {
  const [own, ofDefault, lang] = slugFields.map((path) => source.field(path));
  return (row) => slugsOf(own!(row), ofDefault!(row), lang!(row));
}

function slugsOf(own: unknown, ofDefault: unknown, lang: unknown): string[] {
  const slug = String(own ?? "");
  if (typeof ofDefault === "string" && ofDefault !== "") return [slug, ofDefault];
  const prefix = `${String(lang)}/`;
  return lang !== "default" && slug.startsWith(prefix) ? [slug, slug.slice(prefix.length)] : [slug];
}
