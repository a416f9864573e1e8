import type { Config, Version } from "../config/config.js";
import type { StoriesQuery } from "../contract/endpoints.js";
import { defaultLanguage, type EditionSpec } from "./editions.js";

/** The parameters that select an edition and the content types of the configuration; paging and cv are the caller's. */
export function editionQuery(
  edition: EditionSpec,
  include: Config["source"]["include"],
): StoriesQuery & { version: Version } {
  const { contentTypes } = include;
  return {
    version: edition.version,
    ...(edition.release === null ? {} : { from_release: edition.release }),
    ...(edition.language === defaultLanguage ? {} : { language: edition.language }),
    ...(edition.fallbackLang === undefined ? {} : { fallback_lang: edition.fallbackLang }),
    ...(contentTypes.length === 1 ? { content_type: contentTypes[0] as string } : {}),
    ...(contentTypes.length > 1 ? { filter_query: componentIn(contentTypes) } : {}),
  };
}

function componentIn(contentTypes: readonly string[]): NonNullable<StoriesQuery["filter_query"]> {
  const values = [...contentTypes].sort();
  return { all: [{ path: ["component"], operation: "in", values, text: values.join(",") }], any: [] };
}
