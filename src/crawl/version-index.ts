import { OffprintError } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import { readPart } from "../snapshot/read-part.js";
import { diffIndex, type IndexDiff, type KnownLine } from "./diff.js";
import type { Index } from "./index-row.js";
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
      const { rows, pages } = await sweepLinks(upstream, pin, version.version, config.source.include, round);
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
  const known = new Map<string, KnownLine>();
  const entry = run.context.previous?.parts[part];
  if (run.full && !first && entry !== undefined) {
    // Confirming everything: every story is asked for whatever its line says, and vanished ones still show.
    for await (const { key, line } of readPart(run.context.store, part, entry)) {
      known.set(key, { text: "", isFolder: isFolder(line) });
    }
  }
  for await (const { key, line } of run.workspace.all(part)) known.set(key, { text: line, isFolder: isFolder(line) });
  if (run.full) {
    // A record without a line has lost it in a generation that could not settle it: nothing else shows that it may have to go.
    for (const { name } of editions) {
      for await (const { key } of run.workspace.all(partNames.stories(name))) {
        if (known.get(key)?.isFolder !== false) known.set(key, { text: "", isFolder: false });
      }
    }
  }
  for (const uuid of unlinedOf(run, version)) known.set(uuid, { text: "", isFolder: false });
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

/** Whether a line of the index is a folder. */
export function isFolder(line: string): boolean {
  // Nearly all lines are told by their text: where it is not there, the field cannot be either.
  return line.includes('"is_folder":true') && (JSON.parse(line) as { is_folder?: unknown }).is_folder === true;
}
