import type { Config } from "../../../config/config.js";
import type { TagsQuery } from "../../../contract/endpoints.js";
import { filterCondition } from "../../../contract/filter-query.js";
import type { DatasourceRecord, DimensionRecord } from "../../../contract/records.js";
import { parts as partNames } from "../../../snapshot/layout.js";
import type { RecordText } from "../../upstream/answer.js";
import { duplicateFault } from "../../upstream/record-faults.js";
import type { PinnedUpstream } from "../run/pinned-upstream.js";
import type { TaxonomyScope } from "../run/taxonomy-scope.js";
import { type PartReadings, readPartRecords } from "./part-reading.js";
import { type ListRules, type ListToRead, readList, readWhole } from "./read-list.js";
import { readTaxonomies } from "./taxonomies.js";

export interface PartsReader {
  pinned: PinnedUpstream;
  config: Config;
  /** How many records the base or an earlier round has of a part; 0 if there are none. */
  before(part: string): number;
  rules: ListRules;
  taxonomies: TaxonomyScope;
}

/** Datasources and entries per page: the documented maximum. */
const datasourcesPerPage = 1_000;

/** Reads the kinds of parts that are read whole whenever the cv moves. */
export async function readSpaceParts(reader: PartsReader): Promise<PartReadings> {
  const { datasources, tags, experiments, taxonomies } = reader.config.source.include;
  const read = await Promise.all([
    ...(datasources === "none" ? [] : [readDatasources(reader)]),
    ...(tags ? [readTags(reader)] : []),
    ...(experiments ? [readExperiments(reader)] : []),
    ...(taxonomies ? [readTaxonomies(reader, reader.taxonomies)] : []),
  ]);
  return { readings: read.flatMap(({ readings }) => readings), items: read.flatMap(({ items }) => items) };
}

function listOf({ pinned: { variation }, before, rules }: PartsReader, part: string, what: string): ListToRead {
  return { what, perPage: datasourcesPerPage, variation, before: before(part), rules };
}

async function readDatasources(reader: PartsReader): Promise<PartReadings> {
  const { pinned, config } = reader;
  let listPages = 0;
  const perPage = datasourcesPerPage;
  const part = partNames.datasources;
  const list = await readPartRecords(part, () =>
    readList(listOf(reader, part, "the datasources"), (page, per_page) => {
      listPages++;
      return pinned.datasources({ page, per_page });
    }),
  );
  if (list.reading.lines === undefined) {
    return { readings: [list.reading], items: [{ what: "datasources", requests: 1, perPage }] };
  }
  const wanted = config.source.include.datasources;
  const records = distinct(pinned, list.records).filter(
    ({ value }) => !Array.isArray(wanted) || wanted.includes(value.slug),
  );
  const entries = await Promise.all(records.map(({ value }) => readEntries(reader, value)));
  const lists = entries.flatMap(({ readings }) => readings);
  return {
    readings: [{ part: partNames.datasources, lines: records.map(({ text }) => text) }, ...lists],
    items: [
      { what: "datasources", requests: listPages, perPage },
      {
        what: `datasource entries (${lists.length} lists)`,
        requests: entries.reduce((sum, { requests }) => sum + requests, 0),
        perPage,
      },
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

async function readEntries(reader: PartsReader, datasource: DatasourceRecord) {
  const { pinned } = reader;
  const { id, slug } = datasource;
  let requests = 0;
  const readings = await Promise.all(
    [null, ...dimensionsOf(datasource)].map(async (dimension) => {
      const ofDimension = { dimension: dimension?.entry_value };
      const part = partNames.entries(id, dimension?.id ?? null);
      const what = `the entries of datasource ${JSON.stringify(slug)}`;
      const { reading } = await readPartRecords(part, () =>
        readList(listOf(reader, part, what), (page, per_page) => {
          requests++;
          return pinned.datasourceEntries({ datasource: slug, ...ofDimension, page, per_page });
        }),
      );
      return reading;
    }),
  );
  return { readings, requests };
}

/** Adds a condition that every tag meets, for a new address: the listing has no pages. */
function variedTags(variation: number): Pick<TagsQuery, "filter_query"> | undefined {
  if (variation === 0) return undefined;
  return { filter_query: { all: [filterCondition("name", "not_in", `-${variation}-`)], any: [] } };
}

async function readTags(reader: PartsReader): Promise<PartReadings> {
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

async function readExperiments(reader: PartsReader): Promise<PartReadings> {
  const read = async (isAgain: boolean) =>
    (await reader.pinned.experiments(isAgain ? { version: "published" } : {})).records;
  const { reading, requests } = await readWhole(reader, partNames.experiments, "the experiments", read);
  return { readings: [reading], items: [{ what: "experiments", requests }] };
}
