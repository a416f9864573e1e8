import { inMap } from "../../../lib/collections/in-map.js";
import { numberHash } from "../../../lib/number-hash.js";
import { proseLetters } from "../facts/translations.js";
import type { HtmlPage } from "./html-page.js";

/** The prose that pages of the default language share: header, footer, labels. */
export interface SharedShell {
  /** How much of it a page has, 0 to 1; 0 if there is none. */
  shareOf(page: HtmlPage): number;
}

/** Fewer pages show nothing that is shared. */
const leastPages = 3;
const sharedBy = 0.9;

/** @param pages some pages of the default language */
export function sharedShell(pages: readonly HtmlPage[]): SharedShell {
  const counts = new Map<number, { pages: number; weight: number }>();
  for (const page of pages) {
    for (const [hash, line] of linesOf(page)) {
      inMap(counts, hash, () => ({ pages: 0, weight: proseLetters(line) })).pages += 1;
    }
  }
  const isShared = ({ pages: having, weight }: { pages: number; weight: number }) =>
    weight > 0 && having >= Math.max(leastPages, pages.length * sharedBy);
  const shared = new Map([...counts].filter(([, count]) => isShared(count)));
  const total = [...shared.values()].reduce((sum, { weight }) => sum + weight, 0);
  return {
    shareOf(page) {
      if (total === 0) return 0;
      const own = [...linesOf(page).keys()].reduce((sum, hash) => sum + (shared.get(hash)?.weight ?? 0), 0);
      return own / total;
    },
  };
}

function linesOf({ text }: HtmlPage): Map<number, string> {
  const lines = text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  return new Map(lines.filter((line) => line !== "").map((line) => [numberHash(line), line]));
}

/** The value that most have; undefined without any. */
export function commonest<T>(values: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
