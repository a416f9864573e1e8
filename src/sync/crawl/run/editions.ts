import type { Config, LanguageSetting, Version } from "../../../config/config.js";
import { isIncluded } from "../../../content/resolve/left-out.js";
import type { StoriesQuery } from "../../../contract/endpoints.js";
import type { StoryHead } from "../../../contract/records.js";
import { contentHash } from "../../../lib/content-hash.js";
import { editionName } from "../../../snapshot/layout.js";
import { defaultLanguage } from "../../../snapshot/manifest.js";
import type { TaxonomyScope } from "./taxonomy-scope.js";

export interface EditionSpec {
  name: string;
  version: Version;
  release: string | null;
  language: string;
  /** Value of `fallback_lang`, with underscores; undefined: the upstream's default language. */
  fallbackLang: string | undefined;
  /** Whether stories are read with their taxonomy terms. */
  terms?: true;
  /** Hash of all settings that shape this edition. */
  settings: string;
}

const safeLanguage = /^[A-Za-z0-9_-]{1,35}$/;

/** `refused`: no file name can have them. `folded`: equal but for case, which many disks ignore; one of each stays. */
export function languagesOf(
  config: Config,
  spaceLanguages: readonly string[],
): { languages: LanguageSetting[]; refused: string[]; folded?: string[] } {
  if (config.source.languages !== "all") return { languages: config.source.languages, refused: [] };
  const codes = [...new Set(spaceLanguages)].filter((code) => code !== defaultLanguage);
  const safe = codes.filter((code) => safeLanguage.test(code));
  const kept = new Map([[defaultLanguage, defaultLanguage]]);
  for (const code of [...safe].sort()) {
    const folded = code.toLowerCase();
    if (folded !== defaultLanguage && (code === folded || !kept.has(folded))) kept.set(folded, code);
  }
  const isKept = (code: string) => kept.get(code.toLowerCase()) === code;
  return {
    languages: [{ code: defaultLanguage }, ...safe.filter(isKept).map((code) => ({ code }))],
    refused: codes.filter((code) => !safeLanguage.test(code)),
    ...(safe.every(isKept) ? {} : { folded: safe.filter((code) => !isKept(code)) }),
  };
}

/** Each version, then each release, in each language. Releases are read as drafts. */
export function editionSpecs(config: Config, languages: readonly LanguageSetting[]): EditionSpec[] {
  const readings: { version: Version; release: string | null }[] = [
    ...config.source.versions.map((version) => ({ version, release: null })),
    ...config.source.releases.map((release) => ({ version: "draft" as const, release })),
  ];
  return readings.flatMap(({ version, release }) =>
    languages.map((language) => editionSpec(config, version, release, language)),
  );
}

const termsMark = "+terms";

/** The mark makes a sync read all again once a space has taxonomies; without them, the settings stay as they were. */
export function withTerms(spec: EditionSpec, { kind }: TaxonomyScope): EditionSpec {
  const { terms: _, ...plain } = { ...spec, settings: spec.settings.replace(termsMark, "") };
  return kind === "terms" ? { ...plain, terms: true, settings: `${plain.settings}${termsMark}` } : plain;
}

/** Whether two editions differ in nothing that the configuration decides. */
export function isSameSetting(a: string, b: string): boolean {
  return a.replace(termsMark, "") === b.replace(termsMark, "");
}

function editionSpec(config: Config, version: Version, release: string | null, language: LanguageSetting): EditionSpec {
  const { startsWith, excludeSlugs, contentTypes } = config.source.include;
  const fallbackLang = language.fallback?.replaceAll("-", "_");
  const shape = {
    reading: 1,
    version,
    release,
    language: language.code,
    fallback: fallbackLang ?? null,
    startsWith: [...startsWith].sort(),
    excludeSlugs: [...excludeSlugs].sort(),
    contentTypes: [...contentTypes].sort(),
    ...(readsRelated(config.source.include) && { related: config.resolve.relations }),
  };
  return {
    name: editionName(version, release, language.code),
    version,
    release,
    language: language.code,
    fallbackLang,
    settings: contentHash(JSON.stringify(shape)).slice(0, 32),
  };
}

/** The parameters that select an edition and content types (none: all), without paging and cv. */
export function editionQuery(
  edition: EditionSpec,
  contentTypes: readonly string[],
): StoriesQuery & { version: Version } {
  return {
    version: edition.version,
    from_release: edition.release ?? undefined,
    language: edition.language === defaultLanguage ? undefined : edition.language,
    fallback_lang: edition.fallbackLang,
    with_taxonomy_terms: edition.terms,
    content_type: contentTypes.length === 1 ? contentTypes[0] : undefined,
    filter_query: contentTypes.length > 1 ? componentIn(contentTypes) : undefined,
  };
}

/** The content types to request by uuid: none if stories of any type may be wanted as relations. */
export function askedTypes(include: Config["source"]["include"]): readonly string[] {
  return readsRelated(include) ? [] : include.contentTypes;
}

function componentIn(contentTypes: readonly string[]): NonNullable<StoriesQuery["filter_query"]> {
  const values = [...contentTypes].sort();
  return { all: [{ path: ["component"], operation: "in", values, text: values.join(",") }], any: [] };
}

/** The full slug in the default language. Without translatable slugs: `about` for `de/about`. */
export function defaultSlug(
  { default_full_slug, full_slug }: Pick<StoryHead, "default_full_slug" | "full_slug">,
  language: string,
): string {
  return default_full_slug ?? (full_slug.startsWith(`${language}/`) ? full_slug.slice(language.length + 1) : full_slug);
}

/** True if `source.include` selects the story itself, by its slug and content type. Pure. */
export function isIncludedStory(story: StoryHead, language: string, include: Config["source"]["include"]): boolean {
  return isIncludedType(story, include) && isIncluded(defaultSlug(story, language), include);
}

/** True if `source.include` selects this content type. Pure. */
export function isIncludedType({ content }: StoryHead, { contentTypes }: Config["source"]["include"]): boolean {
  return contentTypes.length === 0 || contentTypes.includes(content?.component ?? "");
}

/** True if stories that `include` leaves out can be wanted as relations. */
export function readsRelated({
  related,
  startsWith,
  excludeSlugs,
  contentTypes,
}: Config["source"]["include"]): boolean {
  return related && startsWith.length + excludeSlugs.length + contentTypes.length > 0;
}
