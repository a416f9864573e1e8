import { findingLevels } from "../../../content/check/facts/rule.js";
import type { Finding } from "../../../content/check/finding.js";
import type { CheckResult } from "../../../content/check/run-check.js";
import type { UsageOverview } from "../../../content/check/usage/usage.js";
import { slugWithoutLanguage } from "../../../contract/story-address.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { ExplorerSpace } from "./explorer-space.js";
import { awaitedPerGeneration } from "./per-generation.js";
import type { Facet } from "./story-list.js";

export type FindingsKind = "all" | "new";

/** The result of `check`; `pending` while it runs, `absent` if this explorer does not check. */
export type Findings = FoundInCheck | "pending" | "absent";

/** Findings, the worst first. `found` is their total if the list is cut. */
export type FoundInCheck = CheckResult & { found?: number };

const known = new WeakMap<GenerationView, FoundInCheck>();

export function knownFindings({ source }: ExplorerSpace): FoundInCheck | undefined {
  return known.get(source.view());
}

const results = awaitedPerGeneration<FoundInCheck | "absent">(2);

/** Starts the check, or shares a running one. @throws OffprintError as `runCheck` does; the next call retries */
export async function findingsOf(
  { source, check }: ExplorerSpace,
  kind: FindingsKind,
  waitMs: number,
): Promise<Findings> {
  if (check === undefined) return "absent";
  const view = source.view();
  return results(view, kind, waitMs, async () => {
    const found = (await check(kind === "new" ? "previous" : undefined)) ?? "absent";
    if (kind === "all" && found !== "absent") known.set(view, found);
    return found;
  });
}

/** What is used nowhere, as `offprint usage --unused` lists it. */
export type Unused = UsageOverview["unused"];

const unusedResults = awaitedPerGeneration<Unused | "absent">(1);

/** `pending` while it is looked for, `absent` if this explorer does not look. @throws OffprintError as a check does */
export async function unusedOf(
  { source, unused }: ExplorerSpace,
  waitMs: number,
): Promise<Unused | "pending" | "absent"> {
  if (unused === undefined) return "absent";
  return unusedResults(source.view(), "", waitMs, async () => (await unused()) ?? "absent");
}

const offeredFolders = 50;
/** Listed findings of each rule while no rule is selected. */
const perRule = 20;

export const filters = ["level", "rule", "language", "folder", "story"] as const;

export type FindingSelection = Readonly<Record<"show" | (typeof filters)[number], string>>;

type FindingFacets = Record<"levels" | "rules" | "languages" | "folders", Facet[]>;

export function fits({ code, level, story }: Finding, selected: FindingSelection): boolean {
  return (
    (selected.level === "" || level === selected.level) &&
    (selected.rule === "" || code === selected.rule) &&
    (selected.language === "" || story?.language === selected.language) &&
    (selected.story === "" || story?.uuid === selected.story) &&
    (selected.folder === "" || plainSlug(story).startsWith(`${selected.folder}/`))
  );
}

export function facetsOf(findings: readonly Finding[], folder: string): FindingFacets {
  const below = folder === "" ? 0 : folder.length + 1;
  const folderOf = ({ story }: Finding): string | undefined => {
    const [first, ...rest] = plainSlug(story).slice(below).split("/");
    return rest.length === 0 ? undefined : first;
  };
  const levels = counted(findings.map(({ level }) => level));
  return {
    levels: findingLevels.flatMap((level) => levels.filter(({ value }) => value === level)),
    rules: counted(findings.map(({ code }) => code)),
    languages: counted(findings.map(({ story }) => story?.language)),
    folders: counted(findings.map(folderOf)).slice(0, offeredFolders),
  };
}

/** In every language a story is in the same folder. */
function plainSlug(story: Finding["story"]): string {
  return story === null ? "" : slugWithoutLanguage(story.slug, story.language);
}

/** Most frequent first. */
function counted(values: readonly (string | undefined)[]): Facet[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** The first findings of each rule. */
export function firstOfRules(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, number>();
  return findings.filter(({ code }) => {
    const before = seen.get(code) ?? 0;
    seen.set(code, before + 1);
    return before < perRule;
  });
}
