import type { Config } from "../../../config/config.js";
import type { ExperimentsQuery, TagsQuery } from "../../../contract/endpoints.js";
import { filterCondition } from "../../../contract/filter-query.js";
import type { DatasourceRecord, DimensionRecord } from "../../../contract/records.js";
import { parts as partNames } from "../../../snapshot/layout.js";
import type { RecordText } from "../../upstream/answer.js";
import { duplicateFault } from "../../upstream/record-faults.js";
import type { PinnedUpstream } from "../run/pinned-upstream.js";
import type { TaxonomyScope } from "../run/taxonomy-scope.js";
import { type PartReadings, readPartRecords } from "./part-reading.js";
import { type ListRules, type ListToRead, readList, readUnpaged } from "./read-list.js";
import { readTaxonomies } from "./taxonomies.js";

/** A kind of parts that is read whole whenever the cv moves. */
interface SpacePart {
  isWanted(include: Config["source"]["include"]): boolean;
  read(reader: PartsReader): Promise<PartReadings>;
}

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

const spaceParts: readonly SpacePart[] = [
  { isWanted: ({ datasources }) => datasources !== "none", read: readDatasources },
  { isWanted: ({ tags }) => tags, read: readTags },
  { isWanted: ({ experiments }) => experiments, read: readExperiments },
  { isWanted: ({ taxonomies }) => taxonomies, read: (reader) => readTaxonomies(reader, reader.taxonomies) },
];

export async function readSpaceParts(reader: PartsReader): Promise<PartReadings> {
  const wanted = spaceParts.filter(({ isWanted }) => isWanted(reader.config.source.include));
  const read = await Promise.all(wanted.map((part) => part.read(reader)));
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

async function readTags({ pinned, config, before, rules }: PartsReader): Promise<PartReadings> {
  let requests = 0;
  const readings = await Promise.all(
    config.source.versions.map(async (version) => {
      const part = partNames.tags(version);
      const read = async (variation: number) => {
        requests++;
        return (await pinned.tags({ version, ...variedTags(variation) })).records;
      };
      const list = { what: `the ${version} tags`, before: before(part), rules };
      const records = () => readUnpaged(list, (isAgain) => read(2 * pinned.variation + (isAgain ? 1 : 0)));
      return (await readPartRecords(part, records)).reading;
    }),
  );
  return { readings, items: [{ what: "tags", requests }] };
}

async function readExperiments({ pinned, before, rules }: PartsReader): Promise<PartReadings> {
  const part = partNames.experiments;
  let requests = 0;
  const read = async (query: ExperimentsQuery) => {
    requests++;
    return (await pinned.experiments(query)).records;
  };
  const list = { what: "the experiments", before: before(part), rules };
  const records = () => readUnpaged(list, (isAgain) => read(isAgain ? { version: "published" } : {}));
  const { reading } = await readPartRecords(part, records);
  return { readings: [reading], items: [{ what: "experiments", requests }] };
}
