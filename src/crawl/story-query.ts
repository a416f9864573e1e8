import type { Config, Version } from "../config/config.js";
import type { StoriesQuery } from "../contract/endpoints.js";
import { defaultLanguage } from "../snapshot/base-edition.js";
import type { EditionSpec } from "./editions.js";

/** The parameters that select an edition and the content types of the configuration; paging and cv are the caller's. */
export function editionQuery(
  edition: EditionSpec,
  include: Config["source"]["include"],
): StoriesQuery & { version: Version } {
  const { contentTypes } = include;
  return {
    version: edition.version,
    from_release: edition.release ?? undefined,
    language: edition.language === defaultLanguage ? undefined : edition.language,
    fallback_lang: edition.fallbackLang,
    content_type: contentTypes.length === 1 ? contentTypes[0] : undefined,
    filter_query: contentTypes.length > 1 ? componentIn(contentTypes) : undefined,
  };
}

function componentIn(contentTypes: readonly string[]): NonNullable<StoriesQuery["filter_query"]> {
  const values = [...contentTypes].sort();
  return { all: [{ path: ["component"], operation: "in", values, text: values.join(",") }], any: [] };
}
