import type { Config, Version } from "../../../config/config.js";
import type { StoriesQuery } from "../../../contract/endpoints.js";
import { defaultLanguage } from "../../../snapshot/base-edition.js";
import type { EditionSpec } from "./editions.js";
import { readsRelated } from "./story-filter.js";

/** The parameters that select an edition and content types (none: all of them); paging and cv are the caller's. */
export function editionQuery(
  edition: EditionSpec,
  contentTypes: readonly string[],
): StoriesQuery & { version: Version } {
  return {
    version: edition.version,
    from_release: edition.release ?? undefined,
    language: edition.language === defaultLanguage ? undefined : edition.language,
    fallback_lang: edition.fallbackLang,
    content_type: contentTypes.length === 1 ? contentTypes[0] : undefined,
    filter_query: contentTypes.length > 1 ? componentIn(contentTypes) : undefined,
  };
}

/**
 * The content types that stories are asked for by uuid with: a story of another type may be wanted because others name it
 * (`source.include.related`), and then no request filters by type.
 */
export function askedTypes(include: Config["source"]["include"]): readonly string[] {
  return readsRelated(include) ? [] : include.contentTypes;
}

function componentIn(contentTypes: readonly string[]): NonNullable<StoriesQuery["filter_query"]> {
  const values = [...contentTypes].sort();
  return { all: [{ path: ["component"], operation: "in", values, text: values.join(",") }], any: [] };
}
