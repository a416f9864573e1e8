import type { TagsQuery } from "../../../contract/endpoints.js";
import type { FilterCondition } from "../../../contract/filter-query.js";
import type { TagRecord } from "../../../contract/records.js";
import { parts } from "../../../snapshot/layout.js";
import { type RowTest, valueTest } from "../query/filter.js";
import { filterRows } from "../query/filter-rows.js";
import { patternProblem } from "../query/query-cost.js";
import { rowNumbers, rowsAtOnce } from "../query/shard-rows.js";
import type { Sliced } from "../query/slices.js";
import { type StoryRows, slugFields, slugReader } from "../query/story-rows.js";
import { type BodyPiece, errorAnswer, jsonAnswer, listPieces, notFound, type ReplicaAnswer } from "./answer.js";
import { type AnswerContext, chooseVersion, editionHeaders } from "./choose-edition.js";

/** GET /v2/cdn/tags, on one page. `all_tags` has no effect: an unused tag leaves no trace. */
export async function answerTags(context: AnswerContext, query: TagsQuery): Promise<ReplicaAnswer> {
  const edition = chooseVersion(context, query);
  if (edition === undefined) return notFound();
  const { reader, stories, records, slices } = context.view;
  const stored = query.starts_with === undefined ? reader.tags(edition.version) : undefined;
  const tags = stored ?? (await slices.run(countTags(stories(edition.name), query.starts_with)));
  const texts: readonly BodyPiece[] =
    stored === undefined ? tags.map((tag) => JSON.stringify(tag)) : records(parts.tags(edition.version));
  const problem = patternProblem(query);
  if (problem !== undefined) return errorAnswer(422, { error: problem });
  const selected = await slices.run(selectTags(tags, query, texts));
  return jsonAnswer(["{", ...listPieces("tags", selected), "}"], editionHeaders(edition));
}

function* selectTags(
  tags: readonly TagRecord[],
  { filter_query: filter }: TagsQuery,
  pieces: readonly BodyPiece[],
): Sliced<BodyPiece[]> {
  if (filter === undefined) return [...pieces];
  const test = (condition: FilterCondition) => tagTest(tags, condition);
  const tests = { all: filter.all.map(test), any: filter.any.map((group) => group.map(test)) };
  const selected = yield* filterRows(rowNumbers(tags.length), { count: tags.length, size: () => 0 }, tests);
  return Array.from(selected, (row) => pieces[row]!);
}

/** The only field of a tag to filter by is its name; other conditions match no tag. */
function tagTest(tags: readonly TagRecord[], condition: FilterCondition): RowTest {
  if (condition.path.join(".") !== "name") return () => false;
  const matches = valueTest(condition);
  return (row) => matches(tags[row]!.name);
}

function* countTags(rows: StoryRows, startsWith = ""): Sliced<TagRecord[]> {
  const ready = yield* rows.prepare([["tag_list"], ...slugFields]);
  const slugs = slugReader(ready);
  const tagList = ready.field(["tag_list"]);
  const counts = new Map<string, number>();
  for (let row = 0; row < rows.count; row += 1) {
    if (row % rowsAtOnce === 0) yield;
    const tags = tagList(row);
    if (!Array.isArray(tags) || !slugs(row).some((slug) => slug.startsWith(startsWith))) continue;
    for (const tag of tags) counts.set(String(tag), (counts.get(String(tag)) ?? 0) + 1);
  }
  const names = [...counts.keys()].sort();
  return names.map((name) => ({ name, taggings_count: counts.get(name)! }));
}
