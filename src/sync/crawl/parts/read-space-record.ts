import type { Config } from "../../../config/config.js";
import type { SpaceRecord } from "../../../contract/records.js";
import { parseExact, printExact } from "../../../lib/json/exact-json.js";
import { parts as partNames } from "../../../snapshot/layout.js";
import type { SpacePartRecord } from "../../../snapshot/manifest.js";
import type { PinnedUpstream, SpaceAnswer } from "../run/pinned-upstream.js";
import { type PartReading, readPartRecords, unlessRefused } from "./part-reading.js";

/** The space's own record; its `version` is a cv. */
export interface SpaceReading {
  reading: PartReading;
  record: SpacePartRecord;
  requests: number;
  redacted: string[];
  /** Why a piece could not be read. An older whole record is better than one without it. */
  refused: { part: string; reason: string } | undefined;
}

/** `spaces/me`, and the configured management records that are not refused. */
export async function readSpaceRecord(pinned: PinnedUpstream, { source }: Config): Promise<SpaceReading> {
  const part = partNames.space;
  const redacted: string[] = [];
  const bodyOf = <T>(piece: string, answer: SpaceAnswer<T>): T => {
    redacted.push(...(answer.redacted ?? []).map((field) => `${piece}.${field}`));
    return answer.body;
  };
  const { reading: me, records } = await readPartRecords(part, async () => [bodyOf("me", await pinned.spaceMe())]);
  const record: SpacePartRecord = {};
  let requests = 1;
  let refused = me.lines === undefined ? me : undefined;
  /** One management read; undefined if the upstream refuses it. */
  const manage = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    requests++;
    const { answer, reason } = await unlessRefused(read, what);
    if (reason !== undefined) refused = { part, reason };
    return answer;
  };
  if (records[0] !== undefined) record.me = records[0].value;
  const { management } = source;
  const hasInfo =
    management?.oauthToken !== undefined || (management?.token !== undefined && management.url !== undefined);
  const info = hasInfo ? await manage("the management read of the space", () => pinned.spaceInfo()) : undefined;
  if (info !== undefined) record.info = bodyOf("info", info);
  const endpoints = [];
  for (const id of management?.webhookEndpoints ?? []) {
    const endpoint = await manage(`webhook endpoint ${id}`, () => pinned.webhookEndpoint(id));
    if (endpoint !== undefined) endpoints.push(bodyOf(`webhookEndpoints[${endpoints.length}]`, endpoint));
  }
  if (endpoints.length > 0) record.webhookEndpoints = endpoints;
  const isEmpty = Object.keys(record).length === 0;
  const reading = isEmpty && refused !== undefined ? refused : { part, lines: [lineOf(record, records[0]?.text)] };
  return { reading, record, requests, redacted, refused };
}

/** Without `version`: it moves with every publish, and the line of an unchanged space must not. */
function lineOf(record: SpacePartRecord, meText: string | undefined): string {
  if (meText === undefined) return printExact(record);
  return printExact({ ...record, me: { ...(parseExact(meText) as SpaceRecord), version: null } });
}

/** A minimum cache time holds the cv back: a publish during the round moves only this version. */
export async function closingVersion(pinned: Pick<PinnedUpstream, "spaceMe">): Promise<number | null | undefined> {
  return (await unlessRefused(() => pinned.spaceMe())).answer?.body.value.version;
}
