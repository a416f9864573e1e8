import type { Problem } from "../errors.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { CrawlRun, Round } from "./crawl-run.js";
import type { OtherParts } from "./other-parts.js";
import { missingPart, type PartReading } from "./part-reading.js";
import { pinUpstream } from "./pinned-upstream.js";
import { readSpaceRecord, type SpaceReading } from "./read-space-record.js";
import { collectRecordProblems } from "./record-problems.js";
import { readSpaceParts } from "./space-parts.js";

/** Reads datasources, entries, tags, experiments and the space, and stages them: once for each cv that is read at. */
export async function readOtherParts(run: CrawlRun, { number, pin }: Round): Promise<void> {
  const { context, workspace } = run;
  const { upstream, config, probe } = context;
  const { cv } = pin;
  if (context.due.published.length === 0 || (run.parts !== undefined && run.parts.cv === cv)) return;
  // The edges keep spaces/me for a moment: what was read before the cv was old enough may be of the cv before.
  const spaceCv = context.space?.record.me?.version ?? cv;
  const isCurrent = run.parts === undefined && spaceCv === cv;
  const faults = collectRecordProblems();
  const space = isCurrent
    ? context.space
    : await readSpaceRecord(pinUpstream(upstream, pin, undefined, faults.note), config);
  // Only at the cv that the sync began with: a newer one may be in the edges under this address.
  const isRecheck = context.due.recheck && cv !== null && cv === probe.cv;
  const recheckCv = isRecheck ? Math.floor((probe.dateMs ?? Date.now()) / 1000) : undefined;
  const pinned = pinUpstream(upstream, pin, recheckCv, faults.note);
  // A later round may hurry, and so fill the edges with what a second write makes old at once: not under the addresses that
  // the first round of the next sync reads.
  const read = await readSpaceParts({ ...pinned, variation: pinned.variation + number }, config);
  const parts: OtherParts = { cv, ...read, space, problems: [] };
  const before = { ...workspace.parts };
  for (const reading of read.readings) await stagePart(run, parts, reading);
  for (const { version, tags } of run.ledgers) {
    const part = partNames.tags(version);
    const isRead = read.readings.some((one) => one.part === part && one.lines !== undefined);
    if (isRead) tags.noteRead(before[part], workspace.parts[part]);
  }
  if (space !== undefined) await stageSpace(run, parts, space);
  parts.problems.push(...faults.list());
  run.parts = parts;
}

/** Where a piece of the space could not be read, the older record is kept. Where there is none, the pieces are taken. */
async function stageSpace(run: CrawlRun, parts: OtherParts, space: SpaceReading): Promise<void> {
  const { reading, refused, redacted } = space;
  if (redacted.length > 0) parts.problems.push(spaceRedacted(redacted));
  if (refused === undefined) return stagePart(run, parts, reading);
  const isKept = run.workspace.parts[partNames.space] !== undefined;
  if (isKept || reading.lines === undefined) return stagePart(run, parts, refused);
  parts.problems.push(missingPart(refused, undefined));
  await run.workspace.replace(partNames.space, reading.lines);
}

const namedFields = 10;

function spaceRedacted(fields: readonly string[]): Problem {
  const more = fields.length - namedFields;
  const named = `${fields.slice(0, namedFields).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return {
    code: "SPACE_REDACTED",
    message: `The record of the space has what looks like a person's address or a secret, and was redacted: ${named}.`,
    hint: "",
  };
}

async function stagePart({ workspace }: CrawlRun, { problems }: OtherParts, reading: PartReading): Promise<void> {
  if (reading.lines === undefined) problems.push(missingPart(reading, workspace.parts[reading.part]));
  else await workspace.replace(reading.part, reading.lines);
}
