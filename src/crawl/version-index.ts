import type { Version } from "../config/config.js";
import { OffprintError } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import { readPart } from "../snapshot/read-part.js";
import { diffIndex, type IndexDiff, type KnownLine } from "./diff.js";
import type { Index } from "./index-row.js";
import { KnownRow } from "./known-row.js";
import type { Pin } from "./pin.js";
import { isNotFound } from "./read-parts.js";
import { type CrawlRun, unlinedOf, type VersionRun } from "./run.js";
import { sweepLinks } from "./sweep-links.js";
import { unlessForced } from "./unless-forced.js";

/**
 * Sweeps the index of every version that is due.
 * @returns how many pages that took, by version. An upstream without a links listing leaves `run.derived` set.
 */
export async function readIndexes(run: CrawlRun, pin: Pin, round: number): Promise<Map<string, number>> {
  const { upstream, config, onProgress } = run.context;
  const sweeps = new Map<string, number>();
  for (const version of run.versions) {
    if (!version.due || run.derived) continue;
    try {
      const known = new Map<string, KnownRow>();
      // Both at once: a page that comes before the lines that it repeats is merely parsed.
      const [sweep, reading] = await Promise.allSettled([
        sweepLinks(upstream, pin, version.version, config.source.include, round, known),
        fillKnownRows(run, version.version, known),
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
export async function diffVersion(run: CrawlRun, { version, first }: VersionRun, index: Index): Promise<IndexDiff> {
  const part = partNames.links(version);
  await run.workspace.fold();
  const rows = await knownRows(run, version);
  const unlined = unlinedOf(run, version);
  const known = new Map<string, KnownLine>(rows);
  const entry = run.context.previous?.parts[part];
  if (run.full && !first && entry !== undefined) {
    // Confirming everything: every story is asked for whatever its line says, and vanished ones still show.
    for await (const { key, line } of readPart(run.context.store, part, entry)) {
      if (!known.has(key)) known.set(key, { text: "", isFolder: new KnownRow(key, line).isFolder });
    }
  }
  for (const uuid of unlined) known.set(uuid, { text: "", isFolder: false });
  const diff = diffIndex(known, index);
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
async function knownRows(run: CrawlRun, version: Version): Promise<ReadonlyMap<string, KnownRow>> {
  const before = run.known.get(version);
  if (before !== undefined && before.entry === run.workspace.parts[partNames.links(version)]) return before.rows;
  const rows = new Map<string, KnownRow>();
  await fillKnownRows(run, version, rows);
  return rows;
}

async function fillKnownRows(run: CrawlRun, version: Version, rows: Map<string, KnownRow>): Promise<void> {
  const part = partNames.links(version);
  const entry = run.workspace.parts[part];
  for await (const lines of run.workspace.shards(part)) {
    for (const { key, line } of lines) rows.set(key, new KnownRow(key, line));
  }
  run.known.set(version, { entry, rows });
}
