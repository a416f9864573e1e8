import { globalRules, rules } from "./all-rules.js";
import type { CheckedEdition } from "./facts/checked-space.js";
import type { GlobalReport, Rule } from "./facts/rule.js";
import { type Finding, findingOf, findingStory, sortFindings } from "./finding.js";
import type { ReadSpace } from "./read-checked-space.js";
import { altMissing, assetIdOf } from "./rules/local-rules.js";

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
