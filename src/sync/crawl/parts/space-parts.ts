import type { Config } from "../../../config/config.js";
import type { TagsQuery } from "../../../contract/endpoints.js";
import { filterCondition } from "../../../contract/filter-query.js";
import type { DatasourceRecord, DimensionRecord } from "../../../contract/records.js";
import { parts as partNames } from "../../../snapshot/layout.js";
import type { RecordText } from "../../upstream/answer.js";
import { duplicateFault } from "../../upstream/record-faults.js";
import type { PinnedUpstream } from "../run/pinned-upstream.js";
import type { TaxonomyScope } from "../run/taxonomy-scope.js";
import type { PartReadings } from "./part-reading.js";
import { listPerPage, type PartReader, readList, readWhole } from "./read-list.js";
import { readTaxonomies } from "./taxonomies.js";

export interface SpaceReader extends PartReader {
  config: Config;
  taxonomies: TaxonomyScope;
}

/** Reads the kinds of parts that are read whole whenever the cv moves. */
export async function readSpaceParts(reader: SpaceReader): Promise<PartReadings> {
  const { datasources, tags, experiments, taxonomies } = reader.config.source.include;
  const read = await Promise.all([
    ...(datasources === "none" ? [] : [readDatasources(reader)]),
    ...(tags ? [readTags(reader)] : []),
    ...(experiments ? [readExperiments(reader)] : []),
    ...(taxonomies ? [readTaxonomies(reader, reader.taxonomies)] : []),
  ]);
  return { readings: read.flatMap(({ readings }) => readings), items: read.flatMap(({ items }) => items) };
}

async function readDatasources(reader: SpaceReader): Promise<PartReadings> {
  const { pinned, config } = reader;
  const part = partNames.datasources;
  const list = await readList(reader, part, "the datasources", (page, per_page) =>
    pinned.datasources({ page, per_page }),
  );
  const item = { what: "datasources", perPage: listPerPage };
  if (list.reading.lines === undefined) return { readings: [list.reading], items: [{ ...item, requests: 1 }] };
  const wanted = config.source.include.datasources;
  const records = distinct(pinned, list.records).filter(
    ({ value }) => !Array.isArray(wanted) || wanted.includes(value.slug),
  );
  const entries = (await Promise.all(records.map(({ value }) => readEntries(reader, value)))).flat();
  const requests = entries.reduce((sum, one) => sum + one.requests, 0);
  return {
    readings: [{ part, lines: records.map(({ text }) => text) }, ...entries.map(({ reading }) => reading)],
    items: [
      { ...item, requests: list.requests },
      { what: `datasource entries (${entries.length} lists)`, requests, perPage: listPerPage },
    ],
  };
}

/** Datasources by id and slug, each once. Sites know the oldest by its slug: lowest id wins. */
function distinct(pinned: PinnedUpstream, records: readonly RecordText<DatasourceRecord>[]) {
  const owners = new Map<string, RecordText<DatasourceRecord>>();
  for (const record of [...records].sort((a, b) => a.value.id - b.value.id)) {
    const { slug } = record.value;
    if (!owners.has(slug)) owners.set(slug, record);
  }
  const ids = new Set<number>();
  return records.filter((record) => {
    const { id, slug } = record.value;
    const taken = owners.get(slug) !== record ? "slug" : ids.has(id) ? "id" : undefined;
    if (taken === undefined) ids.add(id);
    else pinned.noteFaults(partNames.datasources, [duplicateFault(record.value, taken)]);
    return taken === undefined;
  });
}

function dimensionsOf(datasource: DatasourceRecord): DimensionRecord[] {
  const dimensions = datasource.dimensions ?? [];
  const first = new Map([...dimensions].reverse().map((dimension) => [dimension.id, dimension]));
  return dimensions.filter((dimension) => first.get(dimension.id) === dimension);
}

/** The entries of a datasource, and those of each of its dimensions. */
function readEntries(reader: SpaceReader, datasource: DatasourceRecord) {
  const { id, slug } = datasource;
  const what = `the entries of datasource ${JSON.stringify(slug)}`;
  const lists = [null, ...dimensionsOf(datasource)].map((dimension) =>
    readList(reader, partNames.entries(id, dimension?.id ?? null), what, (page, per_page) =>
      reader.pinned.datasourceEntries({ datasource: slug, dimension: dimension?.entry_value, page, per_page }),
    ),
  );
  return Promise.all(lists);
}

/** Adds a condition that every tag meets, for a new address: the listing has no pages. */
function variedTags(variation: number): Pick<TagsQuery, "filter_query"> | undefined {
  if (variation === 0) return undefined;
  return { filter_query: { all: [filterCondition("name", "not_in", `-${variation}-`)], any: [] } };
}

async function readTags(reader: SpaceReader): Promise<PartReadings> {
  const { pinned, config } = reader;
  const lists = await Promise.all(
    config.source.versions.map((version) =>
      readWhole(reader, partNames.tags(version), `the ${version} tags`, async (isAgain) => {
        const variation = 2 * pinned.variation + (isAgain ? 1 : 0);
        return (await pinned.tags({ version, ...variedTags(variation) })).records;
      }),
    ),
  );
  const requests = lists.reduce((sum, list) => sum + list.requests, 0);
  return { readings: lists.map(({ reading }) => reading), items: [{ what: "tags", requests }] };
}

async function readExperiments(reader: SpaceReader): Promise<PartReadings> {
  const read = async (isAgain: boolean) =>
    (await reader.pinned.experiments(isAgain ? { version: "published" } : {})).records;
  const { reading, requests } = await readWhole(reader, partNames.experiments, "the experiments", read);
  return { readings: [reading], items: [{ what: "experiments", requests }] };
}
