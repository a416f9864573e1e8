import { inMap } from "../../../lib/collections/in-map.js";

interface Grouped {
  code: string;
  message: string;
  hint: string;
}

/** What one rule says. */
export interface FindingGroup<F extends Grouped> {
  code: string;
  /** Of all its findings, if they have the same. */
  hint: string;
  /** Findings with the same message and hint, in the order of the first of each. */
  sentences: { message: string; hint: string; findings: F[] }[];
}

/** Findings by rule, then by what they say, in the order of the first of each. */
export function groupFindings<F extends Grouped>(findings: readonly F[]): FindingGroup<F>[] {
  const rules = new Map<string, Map<string, F[]>>();
  for (const finding of findings) {
    const sentences = inMap(rules, finding.code, () => new Map<string, F[]>());
    inMap(sentences, `${finding.message}\n${finding.hint}`, () => [] as F[]).push(finding);
  }
  return [...rules].map(([code, found]) => {
    const lists = [...found.values()];
    const hint = lists[0]?.[0]?.hint ?? "";
    const isShared = lists.every(([first]) => first?.hint === hint);
    const sentences = lists.map((list) => {
      return { message: list[0]!.message, hint: isShared ? "" : list[0]!.hint, findings: list };
    });
    return { code, hint: isShared ? hint : "", sentences };
  });
}
