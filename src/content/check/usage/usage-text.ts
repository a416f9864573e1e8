import { printable } from "../../../lib/printable.js";
import type { FieldFill, Usage, UsageOverview } from "./usage.js";

interface TextOptions {
  /** Every line; by default the first of each list. */
  all?: boolean;
}

const mostLines = 25;

/** Who uses one thing, for people. */
export function usageText({ kind, name, times, users, fields, values }: Usage, options: TextOptions): string {
  const stories = users.length === 1 ? "1 story" : `${users.length} stories`;
  const lines = users.map(({ url, slug, times: own, fields: places }) => {
    const many = own > 1 ? ` ${own}×` : "";
    return `  ${url}  (${slug})${many}${places.length === 0 ? "" : `: ${places.join(", ")}`}`;
  });
  return printed([
    `${kind} ${name}: used ${times} ${times === 1 ? "time" : "times"} in ${stories}.`,
    ...section("Fields", (fields ?? []).map(fillLine), options),
    ...section(
      "Values",
      (values ?? []).map(({ value, times: own }) => `  ${value}: ${own}`),
      options,
    ),
    ...section("Stories", lines, options),
  ]);
}

/** What there is, and what nobody uses. */
export function overviewText(overview: UsageOverview, options: TextOptions): string {
  const { blocks, datasources, tags, assets, stories, generation } = overview;
  return printed([
    `Generation ${generation}: ${stories} stories, ${assets} assets.`,
    ...section(
      "Content types and blocks",
      blocks.map(
        ({ component, times, stories: own }) =>
          `  ${component}: ${times}${own > 0 ? ` (${own} ${own === 1 ? "story" : "stories"})` : ""}`,
      ),
      options,
    ),
    ...section(
      "Datasources",
      datasources.map(({ slug, values, fields }) => `  ${slug}: ${values} values; ${fields.join(", ") || "no field"}`),
      options,
    ),
    ...section(
      "Tags",
      tags.map(({ name, times }) => `  ${name}: ${times}`),
      options,
    ),
    "",
    ...unusedLines(overview, options),
  ]);
}

/** What nobody uses. */
export function unusedText(overview: UsageOverview, options: TextOptions): string {
  return printed(unusedLines(overview, options));
}

function unusedLines({ unused }: UsageOverview, options: TextOptions): string[] {
  const lists = [
    ["Fields that are always empty", unused.fields],
    ["Assets that no story uses", unused.assets],
    ["Datasources that no field chooses from", unused.datasources],
    ["Tags that no story has", unused.tags],
    ["Stories that no other one leads to", unused.stories],
  ] as const;
  return lists.flatMap(([title, names]) =>
    section(
      title,
      names.map((name) => `  ${name}`),
      options,
    ),
  );
}

function fillLine({ field, present, filled }: FieldFill): string {
  const share = present === 0 ? 0 : Math.round((filled / present) * 100);
  return `  ${field}: filled in ${filled} of ${present} (${share} %)`;
}

function section(title: string, lines: readonly string[], { all = false }: TextOptions): string[] {
  if (lines.length === 0) return [];
  const shown = all ? lines : lines.slice(0, mostLines);
  const more = lines.length - shown.length;
  return [`${title} (${lines.length}):`, ...shown, ...(more > 0 ? [`  … and ${more} more; --all shows them`] : [])];
}

function printed(lines: readonly string[]): string {
  return lines.map(printable).join("\n");
}
