import type { Config } from "../../config/config.js";
import type { Problem } from "../../lib/errors.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { Upstream } from "../upstream/upstream.js";
import type { Scope } from "./due.js";
import { readSpaceRecord } from "./parts/read-space-record.js";
import { editionSpecs, languagesOf } from "./run/editions.js";
import { createPin, type Pacing } from "./run/pin.js";
import { pinUpstream } from "./run/pinned-upstream.js";
import { collectRecordProblems } from "./run/record-problems.js";

export async function readScope(
  { config, source: { upstream, pacing } }: { config: Config; source: { upstream: Upstream; pacing: Pacing } },
  previous: Manifest | undefined,
): Promise<Omit<Scope, "taxonomies">> {
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
