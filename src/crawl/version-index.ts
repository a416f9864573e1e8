import type { Version } from "../config/config.js";
import { OffprintError } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import { readPart } from "../snapshot/read-part.js";
import { diffIndex, type IndexDiff, type KnownLine } from "./diff.js";
import type { Index, IndexRow } from "./index-row.js";
import { KnownRow } from "./known-row.js";
import { type KnownRows, knownRows } from "./known-rows.js";
import type { PinnedUpstream } from "./pinned-upstream.js";
import { isNotFound } from "./read-parts.js";
import { type CrawlRun, unlinedOf, type VersionRun } from "./run.js";
import { sweepLinks } from "./sweep-links.js";
import { unlessForced } from "./unless-forced.js";

/** So many page sizes the sweeps of a full reading take turns with: each is another address. */
const sweepVariations = 100;

/**
 * Sweeps the index of every version that is due.
 * @returns how many pages that took, by version. An upstream without a links listing leaves `run.derived` set.
 */
export async function readIndexes(run: CrawlRun, pinned: PinnedUpstream, round: number): Promise<Map<string, number>> {
  const { config, onProgress } = run.context;
  const sweeps = new Map<string, number>();
  for (const version of run.versions) {
    if (!version.due || run.derived) continue;
    try {
      const known = knownRows(run.workspace.parts[partNames.links(version.version)]);
      // Both at once: a page that comes before the lines that it repeats is merely parsed.
      const [sweep, reading] = await Promise.allSettled([
        sweepLinks(
          pinned,
          version.version,
          config.source.include,
          round + (run.variation % sweepVariations),
          known.rows,
        ),
        readKnownLines(run, version.version, known),
      ]);
      if (reading.status === "rejected") throw reading.reason;
      if (sweep.status === "rejected") throw sweep.reason;
      const { rows, pages } = sweep.value;
      sweeps.set(version.version, pages);
      run.index.set(version.version, rows);
      onProgress({ kind: "advance", stage: "index", done: rows.size, total: rows.size });
    } catch (error) {
      if (!isNotFound(error) || hadIndex(run)) throw error;
      run.derived = true;
      sweeps.set(version.version, 1);
    }
  }
  return sweeps;
}

function hadIndex({ context }: CrawlRun): boolean {
  return context.previous?.editions.some(({ index }) => index === "links") === true && !context.full;
}

/**
 * What the index shows against the lines under which everything was read.
 * @throws OffprintError `UPSTREAM_EMPTY` when it shows no story where there were some.
 */
export async function diffVersion(
  run: CrawlRun,
  { version, first, editions }: VersionRun,
  index: Index,
): Promise<IndexDiff> {
  const part = partNames.links(version);
  await run.workspace.fold();
  const staged = await knownLines(run, version);
  const unlined = unlinedOf(run, version);
  if (!run.full && unlined.size === 0)
    return checked(run, version, diffIndex(staged.rows, index, sameAsKnown(staged, index)));
  const known = new Map<string, KnownLine>(staged.rows);
  const entry = run.context.previous?.parts[part];
  if (run.full && !first && entry !== undefined) {
    // Confirming everything: every story is asked for whatever its line says, and vanished ones still show.
    for await (const { key, line } of readPart(run.context.store, part, entry)) {
      if (!known.has(key)) known.set(key, { text: "", isFolder: new KnownRow(key, line).isFolder });
    }
  }
  if (run.full) {
    // A record without a line has lost it in a generation that could not settle it: nothing else shows that it may have to go.
    for (const { name } of editions) {
      for await (const { key } of run.workspace.all(partNames.stories(name))) {
        if (known.get(key)?.isFolder !== false) known.set(key, { text: "", isFolder: false });
      }
    }
  }
  for (const uuid of unlined) known.set(uuid, { text: "", isFolder: false });
  return checked(run, version, diffIndex(known, index));
}

function checked(run: CrawlRun, version: Version, diff: IndexDiff): IndexDiff {
  if (diff.storiesNow === 0 && diff.storiesBefore > 0) {
    unlessForced(
      run.context,
      new OffprintError(
        "UPSTREAM_EMPTY",
        `The upstream lists no ${version} story, where there were ${diff.storiesBefore}.`,
        { hint: "Nothing was changed. If the space was emptied on purpose, run `offprint sync --force-remove`." },
      ),
    );
  }
  return diff;
}

/** The lines that are staged, or were when the generation began; read once for each state of them. */
async function knownLines(run: CrawlRun, version: Version): Promise<KnownRows> {
  const before = run.known.get(version);
  if (before !== undefined && before.entry === run.workspace.parts[partNames.links(version)]) return before;
  const known = knownRows(run.workspace.parts[partNames.links(version)]);
  await readKnownLines(run, version, known);
  return known;
}

async function readKnownLines(run: CrawlRun, version: Version, known: KnownRows): Promise<void> {
  for await (const lines of run.workspace.shards(partNames.links(version))) {
    for (const { key, line } of lines) known.add(key, line);
  }
  run.known.set(version, known);
}

/** Tells lines of the index that are known ones themselves, where it was swept beside these: they need no look-up. */
function sameAsKnown({ rows }: KnownRows, index: Index): (row: IndexRow) => boolean {
  for (const row of index.values()) {
    if (row instanceof KnownRow) return rows.get(row.uuid) === row ? (other) => other instanceof KnownRow : () => false;
  }
  return () => false;
}
