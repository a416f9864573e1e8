import type { Config } from "../../../config/config.js";
import type { SpaceRecord } from "../../../contract/records.js";
import type { Problem } from "../../../lib/errors.js";
import { parseExact, printExact } from "../../../lib/json/exact-json.js";
import { parts as partNames } from "../../../snapshot/layout.js";
import type { Manifest, SpacePartRecord } from "../../../snapshot/manifest.js";
import type { Upstream } from "../../upstream/upstream.js";
import { editionSpecs, languagesOf } from "../run/editions.js";
import { createPin, type Pacing } from "../run/pin.js";
import { type PinnedUpstream, pinUpstream, type SpaceAnswer } from "../run/pinned-upstream.js";
import { collectRecordProblems } from "../run/record-problems.js";
import { readPartRecords, type SpaceReading, unlessRefused } from "./part-reading.js";

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

/** What the space says of itself, and the editions that follow from it. */
export async function readScope(
  { config, source: { upstream, pacing } }: { config: Config; source: { upstream: Upstream; pacing: Pacing } },
  previous: Manifest | undefined,
) {
  const faults = collectRecordProblems();
  const pinned = pinUpstream(upstream, createPin(null, pacing), undefined, faults.note);
  const space = await readSpaceRecord(pinned, config);
  const problems: Problem[] = faults.list();
  if (space.record.me !== undefined && faults.has("language_codes")) {
    // A record that was readable before may be unreadable now.
    const known = [...(space.record.me.language_codes ?? []), ...(previous?.space.languages ?? [])];
    space.record.me = { ...space.record.me, language_codes: [...new Set(known)] };
  }
  const reported = space.record.me?.language_codes ?? space.record.info?.languages?.map(({ code }) => code);
  if (reported === undefined && config.source.languages === "all") {
    problems.push({
      code: "LANGUAGES_UNKNOWN",
      message: "The upstream does not list its languages; only the default language and those known before are read.",
      hint: "Name them in source.languages.",
    });
  }
  const { languages, refused, folded = [] } = languagesOf(config, reported ?? previous?.space.languages ?? []);
  if (refused.length > 0) {
    problems.push({
      code: "PART_NOT_INCLUDED",
      message: `Skipped languages with invalid codes: ${refused.map((code) => JSON.stringify(code)).join(", ")}.`,
      hint: "A language code consists of letters, digits, hyphens and underscores.",
    });
  }
  if (folded.length > 0) {
    problems.push({
      code: "PART_NOT_INCLUDED",
      message: `Skipped languages that differ from another one only in case: ${folded.map((code) => JSON.stringify(code)).join(", ")}.`,
      hint: "Many disks would use one folder for both. Name the one to read in source.languages.",
    });
  }
  const listed = faults.has("language_codes") ? undefined : reported;
  return { specs: editionSpecs(config, languages), space, listed, problems };
}
