import { readPart } from "../snapshot/read-part.js";
import type { Base } from "./base.js";
import { knownTaxonomies } from "./crawl/run/taxonomy-scope.js";
import type { SyncContext } from "./sync-context.js";
import type { ProbeAnswer } from "./upstream/upstream.js";

/** Why to read at an unmoved cv, which a changed term may not move. One request, and one for each taxonomy. */
export async function lookAtTaxonomies(
  { config, source, output, options }: SyncContext,
  { usable }: Base,
  { cv, dateMs }: ProbeAnswer,
): Promise<string | undefined> {
  const known = knownTaxonomies(config, usable);
  if (known.kind !== "terms" || usable === undefined) return undefined;
  const [{ readTaxonomies }, { pinUpstream }, { createPin }, { crawlRules }] = await Promise.all([
    import("./crawl/parts/taxonomies.js"),
    import("./crawl/run/pinned-upstream.js"),
    import("./crawl/run/pin.js"),
    import("./crawl/rules.js"),
  ]);
  // The edges may have a copy of the address with the pinned cv.
  const nowS = Math.floor((dateMs ?? Date.now()) / 1000);
  const pinned = pinUpstream(source.upstream, createPin(cv, source.pacing), nowS);
  const rules = { ...crawlRules, ...options.rules };
  const { readings } = await readTaxonomies({ pinned, before: () => 0, rules }, known);
  for (const { part, lines } of readings) {
    if (lines === undefined) continue;
    const entry = usable.parts[part];
    const stored: string[] = [];
    if (entry !== undefined) for await (const { line } of readPart(output.store, part, entry)) stored.push(line);
    if (stored.join("\n") !== lines.join("\n")) return `the ${part} changed at an unmoved cv`;
  }
  return undefined;
}
