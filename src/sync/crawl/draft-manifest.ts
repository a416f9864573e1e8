import { taxonomyTerm } from "../../contract/record-table.js";
import { parts as partNames } from "../../snapshot/layout.js";
import type { EditionEntry, Level, PartEntry } from "../../snapshot/manifest.js";
import { kindOf } from "../../snapshot/part-kinds.js";
import type { ManifestDraft } from "../../snapshot/write/commit.js";
import type { CrawlRun } from "./crawl-run.js";
import { wasRead } from "./due.js";
import { type Index, storyRows } from "./index/index-row.js";
import { isMissing, readingsOf, recordsRead } from "./parts/part-reading.js";
import type { EditionSpec } from "./run/editions.js";

export interface Reading {
  outcome: "clean" | "interval" | "unclean" | "planned";
  /** The cv that the first round began at. */
  from: number | null;
  /** The cv that the last round ended at. */
  cv: number | null;
}

/** The draft of everything that the crawl has staged. The workspace must be folded. */
export function draftManifest(run: CrawlRun, reading: Reading): ManifestDraft {
  const { previous, config, specs } = run.context;
  const { cv } = reading;
  // One pass over all rows, for the editions of all languages.
  const newest = new Map(run.ledgers.map(({ version, index }) => [version, newestDates(index.rows)]));
  const editions = specs.map((spec) => editionEntry(run, spec, reading, newest.get(spec.version)));
  const space = run.parts?.space;
  const languages = [...new Set(specs.map(({ language }) => language))].filter((code) => code !== "default");
  return {
    space: {
      id: space?.record.me?.id ?? space?.record.info?.id ?? previous?.space.id ?? null,
      name: space?.record.me?.name ?? space?.record.info?.name ?? previous?.space.name ?? null,
      source: config.source.url,
      languages: space?.record.me?.language_codes ?? previous?.space.languages ?? languages,
    },
    cv,
    startedAt: run.began.at,
    editions,
    parts: draftParts(run),
    notIncluded: run.parts === undefined ? (previous?.notIncluded ?? []) : missing(run),
    held: false,
    ...(run.context.settleMs === 0 ? {} : { confirmed: false, assumedLagMs: lagThatShows(run.context.settleMs) }),
  };
}

/** The longest lag that the closing probe still detects: a cv counts whole seconds. */
function lagThatShows(settleMs: number): number {
  return Math.max(0, settleMs - 1_000);
}

function editionEntry(
  run: CrawlRun,
  spec: EditionSpec,
  { outcome, from, cv }: Reading,
  { newestPublishedAt, newestUpdatedAt }: NewestDates = { newestPublishedAt: null, newestUpdatedAt: null },
): EditionEntry {
  const { previous } = run.context;
  const before = wasRead(spec, previous);
  // A release has no ledger: no index shows it.
  const ledger = run.ledgers.find(({ editions }) => editions.includes(spec));
  if (ledger !== undefined && !ledger.due && before !== undefined) return before;
  const isDerived = ledger === undefined || ledger.derived;
  const isConfirmed = before === undefined || ledger?.full === true || isDerived;
  const seen = ledger?.audit.isBlind === true ? ["content"] : [];
  const blindTo = new Set([...seenBlind(before), ...seen, ...blindBySettings(run), ...blindToTerms(run, before)]);
  return {
    name: spec.name,
    version: spec.version,
    release: spec.release,
    language: spec.language,
    ...(spec.fallbackLang === undefined ? {} : { fallback: spec.fallbackLang }),
    ...(outcome === "clean"
      ? { level: cleanLevel(run, spec, cv) }
      : { level: "interval", interval: { from: outcome === "interval" ? from : sinceOf(before, from), to: cv } }),
    cv,
    confirmedSince: isConfirmed ? run.began.cv : (before?.confirmedSince ?? null),
    settings: spec.settings,
    index: isDerived ? "stories" : "links",
    blindTo: [...blindTo].sort(),
    newestPublishedAt,
    newestUpdatedAt,
  };
}

/** Since when an unread edition is unchanged: the previous generation's time. */
function sinceOf(before: EditionEntry | undefined, from: number | null): number | null {
  return before === undefined ? from : (before.interval?.from ?? before.cv);
}

type NewestDates = Pick<EditionEntry, "newestPublishedAt" | "newestUpdatedAt">;

function newestDates(index: Index): NewestDates {
  let [published, updated] = ["", ""];
  for (const { publishedAt, updatedAt } of storyRows(index)) {
    if (publishedAt && publishedAt > published) published = publishedAt;
    if (updatedAt && updatedAt > updated) updated = updatedAt;
  }
  return { newestPublishedAt: published || null, newestUpdatedAt: updated || null };
}

/** Changes that the index was seen to miss, apart from those that follow from the settings. */
function seenBlind(before: EditionEntry | undefined): string[] {
  return (before?.blindTo ?? []).filter((kind) => !["tags", "alternates", "taxonomies"].includes(kind));
}

/** If trees do not name their stories, no request of an unmoved cv shows that a term was assigned. */
function blindToTerms({ context, parts }: CrawlRun, before: EditionEntry | undefined): string[] {
  const { taxonomies, rules } = context;
  if (taxonomies.kind === "none") return [];
  if (parts === undefined) return (before?.blindTo ?? []).filter((kind) => kind === "taxonomies");
  const trees = recordsRead(parts, partNames.terms, taxonomyTerm);
  const isShown = taxonomies.kind === "terms" && trees !== undefined && rules.termsByStory(trees) !== undefined;
  return isShown ? [] : ["taxonomies"];
}

/** Kinds of changes that no row shows, and nothing else is read to detect. */
function blindBySettings({ context, workspace }: CrawlRun): string[] {
  const { include, versions } = context.config.source;
  const hasTags = versions.every((version) => workspace.parts[partNames.tags(version)] !== undefined);
  const bySlug = include.startsWith.length + include.excludeSlugs.length > 0;
  return [
    // If not all stories are read, tag counts do not show that a tag was renamed to an existing one.
    ...(include.tags && hasTags && !bySlug && include.contentTypes.length === 0 ? [] : ["tags"]),
    // A neighbour out of scope has no row here, but alternates of stories in scope still name it.
    ...(bySlug ? ["alternates"] : []),
  ];
}

/** `exact` needs a pinning cv that equals the space's own version: else a publish may show before the cv moves. */
function cleanLevel(run: CrawlRun, spec: EditionSpec, cv: number | null): Level {
  if (spec.version !== "published" || cv === null) return "stable";
  const versions = [run.parts?.space?.record.me?.version, run.closingVersion];
  return versions.every((version) => version === undefined || version === null || version === cv) ? "exact" : "stable";
}

/** The parts of this generation: those of its editions, and all others that were read or kept. */
function draftParts(run: CrawlRun): Record<string, PartEntry> {
  const { specs, config } = run.context;
  const stories = new Set(specs.flatMap(({ name }) => [partNames.stories(name), partNames.variants(name)]));
  const links = new Set(config.source.versions.map((version) => partNames.links(version)));
  // If datasources could not be read, keep the entries.
  const keepsEntries = isMissing(run.parts, partNames.datasources);
  const others = run.parts === undefined ? undefined : new Set(readingsOf(run.parts).map(({ part }) => part));
  const named: [string, PartEntry][] = Object.entries(run.workspace.parts).filter(([part]) => {
    const kind = kindOf(part);
    if (kind === "stories" || kind === "variants") return stories.has(part);
    if (kind === "links") return links.has(part);
    if (keepsEntries && kind === "entries") return true;
    return part === partNames.assets || others === undefined || others.has(part);
  });
  for (const part of [...specs.map(({ name }) => partNames.stories(name)), ...links]) {
    if (!named.some(([name]) => name === part)) named.push([part, { records: 0, shards: [] }]);
  }
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function missing({ parts, workspace }: CrawlRun): { part: string; reason: string }[] {
  return (parts === undefined ? [] : readingsOf(parts))
    .filter(({ part, lines }) => lines === undefined && workspace.parts[part] === undefined)
    .map(({ part, reason }) => ({ part, reason: reason ?? "it could not be read" }))
    .sort((a, b) => (a.part < b.part ? -1 : 1));
}
