import { printable } from "../../../lib/printable.js";
import { plural } from "../../../lib/quantity-text.js";
import type { FindingStory } from "../finding.js";
import type { FieldFill, Usage, UsageOverview, User } from "./usage.js";

interface TextOptions {
  /** Every line; by default the first of each list. */
  all?: boolean;
}

const mostLines = 25;

export function usageText(usage: Usage, options: TextOptions): string {
  const { kind, name, times, users, fields, values, untranslated } = usage;
  const stories = plural(users.length, "story", "stories");
  const used =
    untranslated === undefined
      ? `used ${plural(times, "time")} in ${stories}`
      : `${users.length} of ${untranslated.of} stories translated (${percent(users.length, untranslated.of)})`;
  return printed([
    `${kind} ${name}: ${used}.`,
    ...section("Fields, in the default language", fields ?? [], fillLine, options),
    ...section("Values", values ?? [], ({ value, times: own }) => `${value}: ${own}`, options),
    ...section("Not in this language", untranslated?.missing ?? [], userLine, options),
    ...section("With the content of the default language", untranslated?.same ?? [], userLine, options),
    ...section(untranslated === undefined ? "Stories" : "Translated", users, userLine, options),
  ]);
}

export function overviewText(overview: UsageOverview, options: TextOptions): string {
  const { blocks, datasources, tags, terms, languages, assets, stories, generation } = overview;
  return printed([
    `Generation ${generation}: ${plural(stories, "story", "stories")}, ${plural(assets, "asset")}.`,
    ...section("Content types and blocks", blocks, blockLine, options),
    ...section("Datasources", datasources, sourceLine, options),
    ...section("Tags", tags, ({ name, times }) => `${name}: ${times}`, options),
    ...section("Terms", terms, termLine, options),
    ...(languages.length > 1 ? section("Languages", languages, languageLine, options) : []),
    "",
    ...unusedLines(overview, options),
  ]);
}

export function unusedText(overview: UsageOverview, options: TextOptions): string {
  return printed(unusedLines(overview, options));
}

function unusedLines({ unused }: UsageOverview, options: TextOptions): string[] {
  const lists = [
    ["Fields that are always empty", unused.fields],
    ["Assets that no story uses", unused.assets],
    ["Datasources that no field seems to choose from", unused.datasources],
    ["Tags that no story has", unused.tags],
    ["Terms that no story has", unused.terms],
    ["Stories that no other story links to", unused.stories],
  ] as const;
  return lists.flatMap(([title, names]) => section(title, names, (name) => name, options));
}

function userLine({ url, slug, times = 1, fieldTitles = [] }: FindingStory & Partial<User>): string {
  const many = times > 1 ? ` ${times}×` : "";
  const ofSlug = url === `/${slug}` ? "" : `  (${slug})`;
  return `${url}${ofSlug}${many}${fieldTitles.length === 0 ? "" : `: ${fieldTitles.join(", ")}`}`;
}

function blockLine({ component, times, stories }: UsageOverview["blocks"][number]): string {
  const ofStories = plural(stories, "story", "stories");
  if (stories === 0) return `${component}: ${times}`;
  return stories === times ? `${component}: ${ofStories}` : `${component}: ${times}, of which ${ofStories}`;
}

function termLine({ path, name, times }: UsageOverview["terms"][number]): string {
  return path.endsWith(`/${name}`) ? `${path}: ${times}` : `${path} (${name}): ${times}`;
}

function languageLine({ language, stories }: UsageOverview["languages"][number]): string {
  return `${language}: ${stories}`;
}

function sourceLine({ slug, values, fields }: UsageOverview["datasources"][number]): string {
  return `${slug}: ${plural(values, "value")}; ${fields.join(", ") || "no field"}`;
}

/** A block that was saved before the field existed lacks it, and counts as empty. */
function fillLine({ field, present, filled, blocks }: FieldFill): string {
  const all = Math.max(present, blocks);
  return `${field}: filled in ${filled} of ${all} (${percent(filled, all)})`;
}

function percent(part: number, all: number): string {
  return `${all === 0 ? 0 : Math.round((part / all) * 100)} %`;
}

function section<T>(title: string, items: readonly T[], lineOf: (item: T) => string, options: TextOptions): string[] {
  if (items.length === 0) return [];
  const shown = options.all ? items : items.slice(0, mostLines);
  const more = items.length - shown.length;
  const lines = shown.map((item) => `  ${lineOf(item)}`);
  return [`${title} (${items.length}):`, ...lines, ...(more > 0 ? [`  … and ${more} more; --all shows them`] : [])];
}

function printed(lines: readonly string[]): string {
  return lines.map(printable).join("\n");
}
