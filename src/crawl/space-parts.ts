import type { Config } from "../config/config.js";
import type { TagsQuery } from "../contract/endpoints.js";
import { filterCondition } from "../contract/filter-query.js";
import type { DatasourceRecord, DimensionRecord } from "../contract/records.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { RecordText } from "../upstream/answer.js";
import { readPages } from "../upstream/pages.js";
import { duplicateFault } from "../upstream/record-faults.js";
import { type PartReadings, readPartRecords } from "./part-reading.js";
import type { PinnedUpstream } from "./pinned-upstream.js";

/** A kind of parts that is beside the stories and is read whole, whenever the cv moves. */
interface SpacePart {
  isWanted(include: Config["source"]["include"]): boolean;
  read(pinned: PinnedUpstream, config: Config): Promise<PartReadings>;
}

/** Datasources and entries a page: the documented maximum. */
const datasourcesPerPage = 1_000;

/** Every kind, in the order of the bill. */
const spaceParts: readonly SpacePart[] = [
  { isWanted: ({ datasources }) => datasources !== "none", read: readDatasources },
  { isWanted: ({ tags }) => tags, read: readTags },
  { isWanted: ({ experiments }) => experiments, read: readExperiments },
];

/** Reads datasources with the entries of every dimension, tags and experiments, as far as they are wanted. */
export async function readSpaceParts(pinned: PinnedUpstream, config: Config): Promise<PartReadings> {
  const wanted = spaceParts.filter(({ isWanted }) => isWanted(config.source.include));
  const read = await Promise.all(wanted.map((part) => part.read(pinned, config)));
  return { readings: read.flatMap(({ readings }) => readings), items: read.flatMap(({ items }) => items) };
}

/** A little less where that makes the address a new one. */
function perPageOf({ variation }: PinnedUpstream): number {
  return datasourcesPerPage - variation;
}

async function readDatasources(pinned: PinnedUpstream, config: Config): Promise<PartReadings> {
  let listPages = 0;
  const perPage = perPageOf(pinned);
  const list = await readPartRecords(partNames.datasources, () =>
    readPages(perPage, (page, per_page) => {
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
  const entries = await Promise.all(records.map(({ value }) => readEntries(pinned, value)));
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

/**
 * Datasources without those that another one has the id or the slug of. The one with the lowest id has the slug: the
 * oldest is the one that a site has known by it.
 */
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

/** The dimensions of a datasource, each id once. */
function dimensionsOf(datasource: DatasourceRecord): DimensionRecord[] {
  const dimensions = datasource.dimensions ?? [];
  const first = new Map([...dimensions].reverse().map((dimension) => [dimension.id, dimension]));
  return dimensions.filter((dimension) => first.get(dimension.id) === dimension);
}

/** The entries of a datasource, without a dimension and in each. */
async function readEntries(pinned: PinnedUpstream, datasource: DatasourceRecord) {
  const { id, slug } = datasource;
  let requests = 0;
  const readings = await Promise.all(
    [null, ...dimensionsOf(datasource)].map(async (dimension) => {
      const ofDimension = { dimension: dimension?.entry_value };
      const { reading } = await readPartRecords(partNames.entries(id, dimension?.id ?? null), () =>
        readPages(perPageOf(pinned), (page, per_page) => {
          requests++;
          return pinned.datasourceEntries({ datasource: slug, ...ofDimension, page, per_page });
        }),
      );
      return reading;
    }),
  );
  return { readings, requests };
}

/** A condition that every tag meets makes the address a new one: the listing has no pages. */
function variedTags({ variation }: PinnedUpstream): Pick<TagsQuery, "filter_query"> | undefined {
  if (variation === 0) return undefined;
  return { filter_query: { all: [filterCondition("name", "not_in", `-${variation}-`)], any: [] } };
}

async function readTags(pinned: PinnedUpstream, { source: { versions } }: Config): Promise<PartReadings> {
  const readings = await Promise.all(
    versions.map(async (version) => {
      const read = async () => (await pinned.tags({ version, ...variedTags(pinned) })).records;
      return (await readPartRecords(partNames.tags(version), read)).reading;
    }),
  );
  return { readings, items: [{ what: "tags", requests: readings.length }] };
}

async function readExperiments(pinned: PinnedUpstream): Promise<PartReadings> {
  const read = async () => (await pinned.experiments({})).records;
  const { reading } = await readPartRecords(partNames.experiments, read);
  return { readings: [reading], items: [{ what: "experiments", requests: 1 }] };
}
