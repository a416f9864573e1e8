import type { Config, Version } from "../../../config/config.js";
import type { Store } from "../../../snapshot/store/store.js";
import { type Finding, findingOf, nameFindings, selectFindings } from "../finding.js";
import { builtRules } from "../rules/built-rules.js";
import { type CheckResult, onCurrentGeneration } from "../run-check.js";
import { builtFacts, chosenGeneration, filesHash, lastBuild, type NotedBuild, noteBuild } from "./built-generation.js";
import type { BuiltReport, BuiltSite } from "./built-site.js";
import { readBuiltSite } from "./read-built-site.js";
import { canonicalForeign, hreflangOneSided, pageAssetMissing, redirectDead } from "./rules/address-rules.js";
import { countPages, type PageCounts, pageGone, pageMissing, pagesFewer, pageUnread } from "./rules/page-rules.js";
import { pageTextMissing, shellUntranslated } from "./rules/text-rules.js";
import { readSiteFiles } from "./site-files.js";

export interface BuiltCheckOptions {
  config: Config;
  /** Of the built site. */
  folder: string;
  version?: Version | undefined;
  /** Only findings that the last checked build did not have. */
  isNew?: boolean | undefined;
  known?: ReadonlySet<string> | undefined;
  /** True if rules are left out: then the build is no measure for the next one. */
  isPart?: boolean | undefined;
}

const siteRules: readonly ((site: BuiltSite) => BuiltReport[])[] = [
  ...[pageMissing, pageGone, pageTextMissing, pageAssetMissing, redirectDead],
  ...[hreflangOneSided, canonicalForeign, shellUntranslated, pageUnread],
];

/** Holds the HTML that a build left against the snapshot. Undefined: no snapshot. @throws OffprintError `USAGE` */
export async function runBuiltCheck(store: Store, options: BuiltCheckOptions): Promise<CheckResult | undefined> {
  const { config, version } = options;
  const files = await readSiteFiles(options.folder);
  const { generation: named, origin } = await builtFacts(files);
  return onCurrentGeneration(store, async (current) => {
    const { manifest, note } = await chosenGeneration(store, current, named);
    const site = await readBuiltSite({ store, manifest, config, version, files, origin });
    const counts = countPages(site);
    const hash = filesHash(files, manifest.generation);
    const last = await lastBuild(store, hash);
    const all = findingsOf(site, counts, last);
    const before = new Set(options.isNew ? last?.ids : []);
    const isKnown = ({ id }: Finding) => options.known?.has(id) === true || before.has(id);
    const selected = selectFindings(all, config.check, isKnown);
    // A build that lost pages is no measure for the next one, unless that is ignored.
    const lost = selected.findings.some(({ code, level }) => code === "PAGES_FEWER" && level === "error");
    const noted = { files: hash, generation: manifest.generation, counts, ids: all.map(({ id }) => id) };
    if (!lost && !options.isPart) await noteBuild(store, noted);
    return {
      ...selected,
      findings: await nameFindings({ store, manifest, config }, selected.findings),
      generation: manifest.generation,
      since: options.isNew ? (last?.generation ?? null) : null,
      stories: site.stories.length,
      editions: [...new Set(site.stories.map(({ edition }) => edition.name))],
      built: { folder: files.folder, pages: files.pages.length, notes: notesOf(site, note), counts },
    };
  });
}

function findingsOf(site: BuiltSite, counts: PageCounts, last: NotedBuild | undefined): Finding[] {
  const reports = siteRules.flatMap((rule) => rule(site));
  return [...reports, ...pagesFewer(counts, last?.counts ?? {})].map(builtFinding);
}

const rules = new Map(builtRules.map((rule) => [rule.code, rule]));

function builtFinding({ code, story: told, subject = "", ...report }: BuiltReport): Finding {
  const language = told?.edition.language ?? "";
  const story = told && { uuid: told.uuid, slug: told.slug, url: told.url, language, edition: told.edition.name };
  const identity = { subject: told?.uuid ?? subject, language, place: report.field ?? "" };
  return findingOf(rules.get(code)!, { ...report, ...identity, story: story ?? null });
}

function notesOf({ files: { links } }: BuiltSite, generation: string): string[] {
  if (links.length === 0) return [generation];
  const named = links.slice(0, 3).join(", ");
  return [
    generation,
    `Not followed: ${links.length === 1 ? "a symbolic link" : `${links.length} symbolic links`} (${named}).`,
  ];
}
