import type { CrawlRun } from "./crawl-run.js";
import { relatedStories } from "./related-stories.js";
import { readsRelated } from "./story-filter.js";
import type { StoryLedger } from "./story-ledger.js";

/**
 * Brings what is wanted of a version in line with what its staged stories name, where `source.include.related` is set: rows of
 * named stories join the index, and staged stories that nobody names any more are left out. One level: what a story names
 * that is read for its relation alone is not read for that.
 *
 * Which stories are held and which are named follows from what is staged alone, so that an interruption at any place is made
 * up for by the next round.
 *
 * @returns uuids of named stories that are to be asked for although no row shows it, or that have no staged row
 */
export async function relate({ context, workspace }: CrawlRun, ledger: StoryLedger): Promise<string[]> {
  const { config } = context;
  if (!readsRelated(config.source.include)) return [];
  await workspace.fold();
  const { named, held, included } = await relatedStories(config, workspace, ledger.editions);
  ledger.index.relate(named);
  for (const uuid of held) if (!named.has(uuid)) ledger.leaveOut(uuid);
  await workspace.fold();
  const { rows } = ledger.index;
  const { rows: staged } = await ledger.index.staged();
  return [...named].filter((uuid) => {
    const row = rows.get(uuid);
    if (row === undefined || row.isFolder) return false;
    // Of a story with a staged row and no record nobody knows whether it was left out for its content type.
    return !staged.has(uuid) || (!held.has(uuid) && !included.has(uuid));
  });
}
