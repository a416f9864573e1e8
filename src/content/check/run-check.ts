import { access } from "node:fs/promises";
import type { Config, Version } from "../../config/config.js";
import { isOffprintError, OffprintError } from "../../lib/errors.js";
import { currentManifest, listGenerations, readManifest } from "../../snapshot/current-manifest.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { isAbsent } from "../../snapshot/store/file-error.js";
import type { Store } from "../../snapshot/store/store.js";
import { driftRule, globalRules, rules } from "./all-rules.js";
import { type FactCache, openFactCache } from "./fact-cache.js";
import type { CheckedEdition } from "./facts/checked-space.js";
import type { GlobalReport, Rule } from "./facts/rule.js";
import {
  type Finding,
  findingOf,
  findingStory,
  nameFindings,
  type SelectedFindings,
  selectFindings,
  sortFindings,
} from "./finding.js";
import { type ReadSpace, type ReadSpaceOptions, readSpace } from "./read-checked-space.js";
import { altMissing, assetIdOf } from "./rules/local-rules.js";
import { noteShape } from "./shape-note.js";

export interface CheckOptions {
  config: Config;
  version?: Version | undefined;
  /** Only findings that this generation did not have; `previous`: the newest kept one before the current one. */
  since?: number | "previous" | undefined;
  known?: ReadonlySet<string> | undefined;
}

export interface CheckResult extends SelectedFindings {
  generation: number;
  /** Only findings new since this generation; null: all. */
  since: number | null;
  stories: number;
  editions: string[];
  /** Only of a check of a built site. */
  built?: CheckedBuild;
}

export interface CheckedBuild {
  /** Absolute path of the built site. */
  folder: string;
  /** HTML files. */
  pages: number;
  /** What the site was held against, and what was not read. */
  notes: string[];
  /** Pages and stories by edition and type; "": pages of no story. */
  counts: Readonly<Record<string, { pages: number; stories: number }>>;
}

/** How often a check restarts after its generation was pruned. */
const attempts = 3;

/** Starts again if the generation is pruned; undefined: no snapshot. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function runCheck(store: Store, options: CheckOptions): Promise<CheckResult | undefined> {
  return onReadSpace(store, options, async (space, cache) => {
    const { manifest } = space;
    const earlier = await earlierFindings(store, manifest, cache, options);
    const all = await findingsOf(store, space, options);
    await noteShape(store, manifest.generation, all);
    const isKnown = ({ id }: Finding) => options.known?.has(id) === true || earlier?.ids.has(id) === true;
    const selected = selectFindings(all, options.config.check, isKnown);
    return {
      ...selected,
      findings: await nameFindings({ store, manifest, config: options.config }, selected.findings),
      generation: manifest.generation,
      since: earlier?.generation ?? null,
      stories: space.editions.reduce((sum, { count }) => sum + count, 0),
      editions: space.editions.map(({ entry }) => entry.name),
    };
  });
}

/** What `work` makes of all that is known of the current generation; undefined: no snapshot. */
export async function onReadSpace<T>(
  store: Store,
  options: ReadSpaceOptions,
  work: (space: ReadSpace, cache: FactCache) => Promise<T>,
): Promise<T | undefined> {
  return onCurrentGeneration(store, async (manifest) => {
    const cache = await openFactCache(store, options.config.resolve);
    const space = await readSpace(store, manifest, cache, options);
    const result = await work(space, cache);
    await cache.save();
    return result;
  });
}

/** Reads the current generation; starts again if it was pruned. */
export async function onCurrentGeneration<T>(
  store: Store,
  read: (manifest: Manifest) => Promise<T>,
): Promise<T | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const manifest = await currentManifest(store);
    if (manifest === undefined) return undefined;
    try {
      return await read(manifest);
    } catch (error) {
      if (!isOffprintError(error, "SNAPSHOT_DAMAGED")) throw error;
      const now = await currentManifest(store);
      if (now === undefined || now.generation === manifest.generation) throw error;
      if (attempt < attempts) continue;
      throw new OffprintError("SNAPSHOT_MISSING", `Generation ${manifest.generation} was pruned while it was read.`, {
        hint: "Run it again when no sync is running, or raise output.keepGenerations.",
      });
    }
  }
}

async function findingsOf(store: Store, space: ReadSpace, { config }: CheckOptions): Promise<Finding[]> {
  const levels: Partial<Record<string, string>> = config.check.rules;
  const isWanted = (code: string) => levels[code] !== "off";
  const ofRules = await checkGeneration(space, isWanted);
  if (!isWanted(driftRule.code) || (await access(config.check.lock).then(() => false, isAbsent))) return ofRules;
  // Most projects have no lock, and a check should not wait for what reads one.
  const { driftFindings } = await import("./drift-findings.js");
  return [...ofRules, ...(await driftFindings(store, space.manifest, config))];
}

/** Everything that the rules find in a generation, at the levels of the rules, sorted. */
export async function checkGeneration(space: ReadSpace, isWanted: (code: string) => boolean): Promise<Finding[]> {
  const found = space.editions.flatMap((edition) => localFindings(edition, space, isWanted));
  for (const rule of globalRules) {
    if (!isWanted(rule.code)) continue;
    await rule.check(space, (report) => found.push(reported(rule, report)));
  }
  return sortFindings(withoutRepetition(found));
}

const byCode = new Map(rules.map((rule) => [rule.code, rule]));

function localFindings(edition: CheckedEdition, space: ReadSpace, isWanted: (code: string) => boolean): Finding[] {
  const found: Finding[] = [];
  for (const { start, facts } of edition.shards) {
    for (const [code, story, path, place, wrong, message] of facts.findings) {
      const rule = byCode.get(code);
      if (rule === undefined || !isWanted(code)) continue;
      const asset = code === altMissing.code ? assetIdOf(wrong) : undefined;
      if (asset !== undefined && space.describedAssets.has(asset)) continue;
      found.push(reported(rule, { story: { edition, at: start + story }, path, place, wrong, message }));
    }
  }
  return found;
}

function reported(rule: Rule, { story: told, subject, path: field, place = "", ...report }: GlobalReport): Finding {
  const story = told === undefined ? null : findingStory(told);
  const language = subject === undefined ? (story?.language ?? "") : "";
  return findingOf(rule, { ...report, story, field, subject: subject ?? story?.uuid ?? "", language, place });
}

/** A list that holds the same value twice gives two equal findings: the second gets another id. */
function withoutRepetition(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const times = (seen.get(finding.id) ?? 0) + 1;
    seen.set(finding.id, times);
    return times === 1 ? finding : { ...finding, id: `${finding.id}-${times}` };
  });
}

/** The earlier findings. Without an earlier generation, every finding is new. */
async function earlierFindings(
  store: Store,
  manifest: Manifest,
  cache: FactCache,
  options: CheckOptions,
): Promise<{ generation: number; ids: ReadonlySet<string> } | undefined> {
  const { since } = options;
  const generation = since === "previous" ? await keptBefore(store, manifest) : since;
  if (generation === undefined) return undefined;
  const earlier = generation === manifest.generation ? manifest : await readManifest(store, generation);
  // It may have been read without drafts: then it had nothing of what is checked.
  const { version } = options;
  const hasVersion = version === undefined || earlier.editions.some((edition) => edition.version === version);
  if (!hasVersion) return { generation, ids: new Set() };
  const space = await readSpace(store, earlier, cache, options);
  return { generation, ids: new Set((await findingsOf(store, space, options)).map(({ id }) => id)) };
}

async function keptBefore(store: Store, { generation, previous }: Manifest): Promise<number | undefined> {
  const kept = (await listGenerations(store)).filter((number) => number < generation);
  return previous !== null && kept.includes(previous) ? previous : kept.at(-1);
}
