import { OffprintError } from "../lib/errors.js";
import type { Manifest } from "../snapshot/manifest.js";
import { defaultLanguage } from "../snapshot/manifest.js";
import { readPart } from "../snapshot/read-part.js";
import type { Store } from "../snapshot/store/store.js";
import { type Base, replacedBase } from "./base.js";
import type { CrawlResult } from "./crawl/crawl.js";
import { type Scope, wasRead } from "./crawl/due.js";
import { withTerms } from "./crawl/run/editions.js";
import { asksForTaxonomies, knownTaxonomies, type TaxonomyScope } from "./crawl/run/taxonomy-scope.js";
import { type Due, dueOf } from "./decide.js";
import { checkLanguages } from "./listed-languages.js";
import { settleMs } from "./open-source.js";
import { createBrake } from "./removals.js";
import { prepareRendering } from "./render-content.js";
import { demoSource, isSameSpace } from "./space-identity.js";
import type { SyncContext } from "./sync-context.js";
import type { ProbeAnswer } from "./upstream/upstream.js";

/** The base is empty if another space takes its place. @throws `SPACE_MISMATCH`; as {@link checkLanguages} */
export async function askSpace(context: SyncContext, due: Due): Promise<Due> {
  const { config, options } = context;
  const { base, scope: known, work } = due;
  const { previous } = base;
  const isElsewhere = previous !== undefined && previous.space.source !== config.source.url;
  const isDue = isElsewhere || work.published.length > 0;
  const isIncluded = config.source.include.space;
  const asks = isIncluded ? isDue : namesNewLanguage(known, previous);
  const asked = asks ? await (await import("./crawl/parts/read-space-record.js")).readScope(context, previous) : known;
  const scope = isIncluded ? asked : known;
  const isSame = isSameSpace(previous, config.source.url, scope.space?.record, options.replace === true);
  const before = isSame ? previous?.space.languages : undefined;
  const unsure = asks ? checkLanguages(config, asked.listed, before ?? []) : [];
  const taxonomies = isDue ? await taxonomiesOf(context, due, isSame) : known.taxonomies;
  const specs = scope.specs.map((spec) => withTerms(spec, taxonomies));
  return dueOf(context, {
    ...due,
    base: isSame ? base : replacedBase(base),
    scope: { ...scope, specs, taxonomies, problems: [...scope.problems, ...unsure] },
  });
}

/** What the last generation knows of taxonomies, or what the space says. */
async function taxonomiesOf(context: SyncContext, due: Due, isSame: boolean): Promise<TaxonomyScope> {
  const { config, options, source } = context;
  const { base, scope, probe, nowMs } = due;
  const known = isSame ? scope.taxonomies : knownTaxonomies(config, undefined);
  const askedAtMs = isSame ? (base.state.checkedMs.taxonomies ?? null) : null;
  if (!asksForTaxonomies(config, known, { askedAtMs, full: options.full === true, nowMs })) return known;
  const [{ askTaxonomies }, { pinUpstream }, { createPin }] = await Promise.all([
    import("./crawl/parts/taxonomies.js"),
    import("./crawl/run/pinned-upstream.js"),
    import("./crawl/run/pin.js"),
  ]);
  const asked = await askTaxonomies(pinUpstream(source.upstream, createPin(probe.cv, source.pacing)), config);
  if (asked.kind === "terms" && base.previous !== undefined) {
    const message = "the space has taxonomies that the snapshot lacks: reading all stories with their terms";
    context.onProgress({ kind: "note", message });
  }
  return asked;
}

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

function namesNewLanguage({ specs }: Scope, previous: Manifest | undefined): boolean {
  return specs.some((spec) => spec.language !== defaultLanguage && wasRead(spec, previous) === undefined);
}

/** Reads what is due and stages it. @throws OffprintError of the upstream */
export async function readSpace(context: SyncContext, due: Due, store: Store): Promise<CrawlResult> {
  const { config, source, options, onProgress } = context;
  const { base, probe, scope, work, looks } = due;
  refuseOlderCv(context, base, probe);
  const [{ crawl }, { countAskedForAssets }] = await Promise.all([
    import("./crawl/crawl.js"),
    import("./bring-asset-metadata.js"),
  ]);
  const result = await crawl({
    config,
    upstream: source.upstream,
    store,
    pacing: source.pacing,
    previous: base.usable,
    probe,
    due: work,
    specs: scope.specs,
    space: scope.space,
    taxonomies: scope.taxonomies,
    askedForAssets: await countAskedForAssets(context, base),
    looks: looks.due,
    auditCursor: base.state.auditCursor,
    settleMs: settleMs(config, context.url),
    full: options.full === true,
    brake: createBrake(options, onProgress),
    dryRun: options.dryRun === true,
    onProgress(event) {
      if (event.kind === "stage" && event.stage === "settle") prepareRendering(config);
      onProgress(event);
    },
    rules: options.rules,
  });
  return { ...result, problems: [...scope.problems, ...result.problems] };
}

/** @throws OffprintError `UPSTREAM_INCONSISTENT`: an older cv is an old copy, unless someone says otherwise */
function refuseOlderCv({ options, config }: SyncContext, { previous, state }: Base, { cv }: ProbeAnswer): void {
  if (previous === undefined || cv === null || options.full || config.source.url === demoSource) return;
  const known = Math.max(previous.cv ?? 0, state.cv ?? 0);
  if (cv >= known) return;
  throw new OffprintError("UPSTREAM_INCONSISTENT", `The upstream is at cv ${cv}, but was at ${known} before.`, {
    hint: "A cache in between may serve an old copy. If the space was restored, or got a Minimum Cache TTL, run `offprint sync --full`.",
  });
}
