import type { StoriesQuery } from "../../../contract/endpoints.js";
import { translateFilter } from "./filter.js";
import { costProblem } from "./query-cost.js";
import { searchRows } from "./search.js";
import { neededFields, selectRows } from "./select.js";
import type { Sliced, SliceRunner } from "./slices.js";
import type { StoryRows } from "./story-rows.js";

/** The rows of a list in its order, or why the query is refused: it would cost too much. */
export type Selection = ArrayLike<number> | { refused: string };

/** Selects the stories of a list: makes ready what the query reads, then searches, filters and sorts in slices. */
export async function selectStoryRows(
  rows: StoryRows,
  query: StoriesQuery,
  language: string,
  slices: SliceRunner,
): Promise<Selection> {
  const cost = costProblem(query, rows.count);
  if (cost !== undefined) return { refused: cost };
  const filter = query.filter_query === undefined ? undefined : translateFilter(query.filter_query, language);
  const translated = { ...query, filter_query: filter };
  await rows.prepareOrder();
  if (query.by_uuids !== undefined || query.by_uuids_ordered !== undefined) await rows.prepareUuids();
  return slices.run(searchAndSelect(rows, translated));
}

function* searchAndSelect(rows: StoryRows, query: StoriesQuery): Sliced<ArrayLike<number>> {
  const ready = yield* rows.prepare(neededFields(query));
  const found = query.search_term === undefined ? undefined : yield* searchRows(rows, query.search_term);
  return yield* selectRows({ ...rows, field: ready.field }, query, found);
}
