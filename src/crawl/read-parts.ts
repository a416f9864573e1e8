import type { Config, Version } from "../config/config.js";
import type { DatasourceRecord, ExperimentRecord, TagRecord } from "../contract/records.js";
import { isOffprintError, type Problem } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { PartEntry, SpacePartRecord } from "../snapshot/manifest.js";
import type { RecordText } from "../upstream/answer.js";
import { readPages } from "../upstream/pages.js";
import { UpstreamError } from "../upstream/upstream-error.js";
import type { PinnedUpstream } from "./pinned-upstream.js";
import type { PlanItem } from "./plan.js";

/** Datasources and entries a page: the documented maximum. */
const datasourcesPerPage = 1_000;

/** What a read of one part came to: its lines, or why it is not there. */
export interface PartReading {
  part: string;
  /** undefined: not included, for `reason`. */
  lines?: string[];
  reason?: string;
}

/** Everything beside the stories, as read in one round. */
export interface PartReadings {
  readings: PartReading[];
  tags: Map<Version, TagRecord[]>;
  experiments: ExperimentRecord[];
  items: PlanItem[];
}

/** Reads datasources with the entries of every dimension, tags and experiments. */
export async function readParts(pinned: PinnedUpstream, config: Config): Promise<PartReadings> {
  const result: PartReadings = { readings: [], tags: new Map(), experiments: [], items: [] };
  const [datasources, tags, experiments] = await Promise.all([
    config.source.include.datasources === "none" ? undefined : readDatasources(pinned, config),
    config.source.include.tags ? readTags(pinned, config) : undefined,
    config.source.include.experiments ? readExperiments(pinned) : undefined,
  ]);
  if (datasources !== undefined) {
    result.readings.push(...datasources.readings);
    result.items.push(...datasources.items);
  }
  if (tags !== undefined) {
    result.readings.push(...tags.readings);
    result.tags = tags.tags;
    result.items.push({ what: "tags", requests: tags.readings.length });
  }
  if (experiments !== undefined) {
    result.readings.push(experiments.reading);
    result.experiments = experiments.experiments;
    result.items.push({ what: "experiments", requests: 1 });
  }
  return result;
}

async function readDatasources(
  pinned: PinnedUpstream,
  config: Config,
): Promise<{ readings: PartReading[]; items: PlanItem[] }> {
  let listPages = 0;
  const list = await readable(partNames.datasources, () =>
    readPages<DatasourceRecord>(datasourcesPerPage, (page, per_page) => {
      listPages++;
      return pinned.datasources({ page, per_page });
    }),
  );
  if (list.records === undefined)
    return { readings: [list.missing], items: [{ what: "datasources", requests: 1, perPage: datasourcesPerPage }] };

  const wanted = config.source.include.datasources;
  const records = list.records.filter(({ value }) => !Array.isArray(wanted) || wanted.includes(value.slug));
  let entryPages = 0;
  const slices = records.flatMap(({ value }) => [
    { datasource: value, dimension: null },
    ...(value.dimensions ?? []).map((dimension) => ({ datasource: value, dimension })),
  ]);
  const entries = await Promise.all(
    slices.map(async ({ datasource, dimension }) => {
      const part = partNames.entries(datasource.id, dimension?.id ?? null);
      const read = await readable(part, () =>
        readPages(datasourcesPerPage, (page, per_page) => {
          entryPages++;
          return pinned.datasourceEntries({
            datasource: datasource.slug,
            ...(dimension === null ? {} : { dimension: dimension.entry_value }),
            page,
            per_page,
          });
        }),
      );
      return read.records === undefined ? read.missing : { part, lines: texts(read.records) };
    }),
  );
  return {
    readings: [{ part: partNames.datasources, lines: texts(records) }, ...entries],
    items: [
      { what: "datasources", requests: listPages, perPage: datasourcesPerPage },
      { what: `datasource entries (${slices.length} lists)`, requests: entryPages, perPage: datasourcesPerPage },
    ],
  };
}

async function readTags(
  pinned: PinnedUpstream,
  config: Config,
): Promise<{ readings: PartReading[]; tags: Map<Version, TagRecord[]> }> {
  const tags = new Map<Version, TagRecord[]>();
  const readings = await Promise.all(
    config.source.versions.map(async (version): Promise<PartReading> => {
      const part = partNames.tags(version);
      const read = await readable(part, async () => (await pinned.tags({ version })).records);
      if (read.records === undefined) return read.missing;
      tags.set(
        version,
        read.records.map(({ value }) => value),
      );
      return { part, lines: texts(read.records) };
    }),
  );
  return { readings, tags };
}

async function readExperiments(
  pinned: PinnedUpstream,
): Promise<{ reading: PartReading; experiments: ExperimentRecord[] }> {
  const part = partNames.experiments;
  const read = await readable(part, async () => (await pinned.experiments({})).records);
  if (read.records === undefined) return { reading: read.missing, experiments: [] };
  return { reading: { part, lines: texts(read.records) }, experiments: read.records.map(({ value }) => value) };
}

/** What the space says about itself; its `version` is a cv. */
export interface SpaceReading {
  reading: PartReading;
  record: SpacePartRecord;
  requests: number;
  problems: Problem[];
  /** Why a piece of it could not be read. An older whole record is better than a newer one without the piece. */
  refused?: PartReading;
}

/**
 * Reads `spaces/me` and, where they are configured, the management reads; one that is refused is left out. Secrets were
 * dropped by the client.
 */
export async function readSpace(pinned: PinnedUpstream, config: Config): Promise<SpaceReading> {
  const record: SpacePartRecord = {};
  const pieces: string[] = [];
  const problems: Problem[] = [];
  let requests = 1;
  let refused: PartReading | undefined;
  const me = await readable(partNames.space, async () => [await pinned.spaceMe()]);
  if (me.records === undefined) refused = me.missing;
  /** One management read, or undefined where the upstream refuses it. */
  const manage = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    requests++;
    try {
      return await read();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused = { part: partNames.space, reason: `the upstream answered ${error.status} to ${what}` };
      return undefined;
    }
  };
  if (me.records?.[0] !== undefined) {
    record.me = me.records[0].value;
    // Its version is a cv and moves with every publish; the manifest holds it, so the record says the same as before.
    pieces.push(`"me":${JSON.stringify({ ...record.me, version: null })}`);
  }
  const management = config.source.management;
  if (management !== undefined) {
    if (management.oauthToken !== undefined || (management.token !== undefined && management.url !== undefined)) {
      const info = await manage("the management read of the space", () => pinned.spaceInfo());
      if (info !== undefined) {
        record.info = info;
        pieces.push(`"info":${JSON.stringify(info)}`);
      }
    }
    const endpoints = [];
    for (const id of management.webhookEndpoints) {
      const endpoint = await manage(`webhook endpoint ${id}`, () => pinned.webhookEndpoint(id));
      if (endpoint !== undefined) endpoints.push(endpoint);
    }
    if (endpoints.length > 0) {
      record.webhookEndpoints = endpoints;
      pieces.push(`"webhookEndpoints":${JSON.stringify(endpoints)}`);
    }
  }
  const reading: PartReading =
    pieces.length === 0 && refused !== undefined
      ? refused
      : { part: partNames.space, lines: [`{${pieces.join(",")}}`] };
  return { reading, record, requests, problems, ...(refused === undefined ? {} : { refused }) };
}

/** Reads a part. One that the token may not read, or that the upstream does not have, is noted as missing. */
async function readable<T>(
  part: string,
  read: () => Promise<RecordText<T>[]>,
): Promise<{ records: RecordText<T>[] } | { records: undefined; missing: PartReading }> {
  try {
    return { records: await read() };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { records: undefined, missing: { part, reason: `the upstream answered ${error.status}` } };
  }
}

const refusals = new Set([400, 401, 402, 403, 404, 422]);

/** Whether the upstream answered that it does not give what was asked for, or not in this way. */
export function isRefusal(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.status !== null && refusals.has(error.status);
}

function texts(records: readonly RecordText<unknown>[]): string[] {
  return records.map(({ text }) => text);
}

/** The note for a part that could not be read, and whether what was read before is kept instead. */
export function missingPart(reading: PartReading, kept: PartEntry | undefined): Problem {
  const reason = reading.reason ?? "it could not be read";
  return kept === undefined
    ? { code: "PART_NOT_INCLUDED", message: `${reading.part} is not included: ${reason}.`, hint: "" }
    : {
        code: "PART_KEPT",
        message: `${reading.part} could not be read (${reason}); what was read before is kept.`,
        hint: "Check what the token may read.",
      };
}

/** Whether an error means that this upstream has no such record, or no such path at all. */
export function isNotFound(error: unknown): boolean {
  return isOffprintError(error, "UPSTREAM_NOT_FOUND");
}

/** Whether this upstream does not have an address, or not with the parameters that it is asked with. */
export function isRefusedAddress(error: unknown): boolean {
  return isNotFound(error) || isOffprintError(error, "UPSTREAM_INVALID_REQUEST");
}
