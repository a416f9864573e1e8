import { datasourcesTag, datasourceTag } from "../../../content/resolve/cache-tags.js";
import { type DatasourceEntriesQuery, type DatasourcesQuery, endpoints } from "../../../contract/endpoints.js";
import type { DatasourceRecord } from "../../../contract/records.js";
import { parts } from "../../../snapshot/layout.js";
import type { GenerationView } from "../generation-view.js";
import { patternProblem } from "../query/query-cost.js";
import { type BodyPiece, errorAnswer, jsonAnswer, listPieces, notFound, pageOf, type ReplicaAnswer } from "./answer.js";

/** GET /v2/cdn/datasources (docs/interface-reference.md, section 4.6), in upstream order. */
export function answerDatasources({ reader, records, cv }: GenerationView, query: DatasourcesQuery): ReplicaAnswer {
  const datasources = reader.datasources();
  if (datasources === undefined) return notFound();
  const problem = patternProblem({ search_term: query.search });
  if (problem !== undefined) return errorAnswer(422, { error: problem });
  const isSelected = datasourceTest(query);
  const selected = records(parts.datasources).filter((_, index) => isSelected(datasources[index]!));
  const page = pageOf(selected, query, endpoints.datasources.paging);
  const answer = jsonAnswer(["{", ...listPieces("datasources", page.records), `,"cv":${cv}}`], page.headers);
  return { ...answer, tags: [datasourcesTag] };
}

/** GET /v2/cdn/datasources/:id (docs/interface-reference.md, section 4.7), by id or slug. */
export function answerDatasource({ reader, records, cv }: GenerationView, identifier: string): ReplicaAnswer {
  const datasource = findDatasource(reader.datasources(), identifier);
  if (datasource === undefined) return notFound();
  const bytes = records(parts.datasources)[reader.datasources()!.indexOf(datasource)]!;
  return { ...jsonAnswer(['{"datasource":', bytes, `,"cv":${cv}}`]), tags: [datasourcesTag] };
}

/** GET /v2/cdn/datasource_entries. Unknown dimension: plain values; unknown datasource: 404. */
export function answerEntries(view: GenerationView, query: DatasourceEntriesQuery): ReplicaAnswer {
  const { records, cv } = view;
  const asked = askedDatasources(view, query.datasource);
  const entries: BodyPiece[] = [];
  for (const datasource of asked ?? []) {
    const part = entriesPart(view, datasource, query.dimension);
    if (part !== undefined) for (const bytes of records(part)) entries.push(bytes);
    else if (query.datasource !== undefined) return notFound();
  }
  if (asked === undefined) return notFound();
  const page = pageOf(entries, query, endpoints.datasourceEntries.paging);
  const answer = jsonAnswer(["{", ...listPieces("datasource_entries", page.records), `,"cv":${cv}}`], page.headers);
  // The slug that was asked for decides too: a datasource of that slug comes before one of that id.
  const slugs = query.datasource === undefined ? [] : [query.datasource, ...asked.map(({ slug }) => slug)];
  return { ...answer, tags: slugs.length === 0 ? [datasourcesTag] : slugs.map(datasourceTag) };
}

function datasourceTest({ search, by_ids: ids }: DatasourcesQuery): (datasource: DatasourceRecord) => boolean {
  const wantedIds = ids && new Set(ids);
  const wanted = search?.toLowerCase() ?? "";
  return ({ id, name, slug }) =>
    (wantedIds === undefined || wantedIds.has(id)) && [name, slug].some((text) => text.toLowerCase().includes(wanted));
}

function findDatasource(
  datasources: readonly DatasourceRecord[] | undefined,
  identifier: string,
): DatasourceRecord | undefined {
  return (
    datasources?.find(({ slug }) => slug === identifier) ?? datasources?.find(({ id }) => String(id) === identifier)
  );
}

function askedDatasources(
  { reader }: GenerationView,
  identifier: string | undefined,
): readonly DatasourceRecord[] | undefined {
  if (identifier === undefined) return reader.datasources();
  const datasource = findDatasource(reader.datasources(), identifier);
  return datasource === undefined ? undefined : [datasource];
}

/** The part with the rows of the dimension if it has any, else the plain ones. */
function entriesPart(
  { reader }: GenerationView,
  datasource: DatasourceRecord,
  dimension: string | undefined,
): string | undefined {
  const known = datasource.dimensions?.find(({ entry_value }) => entry_value === dimension);
  for (const dimensionId of known === undefined ? [null] : [known.id, null]) {
    const part = parts.entries(datasource.id, dimensionId);
    if (Object.hasOwn(reader.manifest.parts, part)) return part;
  }
  return undefined;
}
