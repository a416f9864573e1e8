import type { FieldSource } from "./shard-rows.js";

/** The fields that {@link slugReader} reads. */
export const slugFields = [["full_slug"], ["default_full_slug"], ["lang"]] as const;

/**
 * Reads the full slugs under which a story is found. Most stories have one. A story in another language has its own
 * first, with the prefix of the language (`de/ueber-uns`), then the same without the prefix (`ueber-uns`), then that
 * of the default language (`about`), which the record holds in `default_full_slug` where slugs are translated.
 */
export function slugReader(source: FieldSource): (row: number) => readonly string[] {
  const [own, ofDefault, lang] = slugFields.map((path) => source.field(path));
  return (row) => slugsOf(own!(row), ofDefault!(row), lang!(row));
}

function slugsOf(own: unknown, ofDefault: unknown, lang: unknown): string[] {
  const slug = typeof own === "string" ? own : "";
  const prefix = typeof lang === "string" && lang !== "default" ? `${lang}/` : undefined;
  const plain = prefix !== undefined && slug.startsWith(prefix) ? [slug.slice(prefix.length)] : [];
  if (typeof ofDefault !== "string" || ofDefault === "") return [slug, ...plain];
  return plain[0] === ofDefault ? [slug, ofDefault] : [slug, ...plain, ofDefault];
}
