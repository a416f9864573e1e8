import type { ShapingConfig } from "../content/tree/content-settings.js";
import { isPage, isSettingsType } from "../content/tree/pageless-stories.js";
import { mapBounded } from "../lib/concurrency/map-bounded.js";
import type { OpenEdition } from "./snapshot-editions.js";
import { rowFilter } from "./story-resolution.js";

/** Records read at a time. */
const concurrency = 8;

/**
 * The uuids of the stories of an edition that are no pages: those of settings, as in the content tree
 * (`content.types.<type>.markdown`). Reads only stories of types that are called like settings.
 */
export async function pagelessRows(
  edition: OpenEdition,
  config: Pick<ShapingConfig, "content" | "resolve">,
): Promise<ReadonlySet<string>> {
  const { stories, entry } = edition;
  const { types } = config.content;
  const component = stories.components.filter((type) => {
    const setting = Object.hasOwn(types, type) ? types[type]?.page : undefined;
    return setting === undefined ? isSettingsType(type) : !setting;
  });
  if (component.length === 0) return new Set();
  const rows = await stories.rows(rowFilter({ component }));
  const pageless = await mapBounded(rows, concurrency, async (row) => {
    const stored = await stories.record(row.uuid);
    return isPage(row, entry, { config, read: { story: () => stored?.story } }) ? [] : [row.uuid];
  });
  return new Set(pageless.flat());
}
