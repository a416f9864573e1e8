import type { Problem } from "../../lib/errors.js";
import { parts as partNames } from "../../snapshot/layout.js";
import type { CrawlRun, Round } from "./crawl-run.js";
import { missingPart, type OtherParts, type PartReading, type SpaceReading, tornPart } from "./parts/part-reading.js";
import { readSpaceRecord } from "./parts/read-space-record.js";
import { readSpaceParts } from "./parts/space-parts.js";
import type { Pin } from "./run/pin.js";
import { type OnFaults, pinUpstream } from "./run/pinned-upstream.js";
import { collectRecordProblems } from "./run/record-problems.js";

/** Reads and stages the other parts, once per cv; again if an answer was torn or of another cv. */
export async function readOtherParts(run: CrawlRun, { number, pin }: Round): Promise<void> {
  const { context, workspace } = run;
  const { upstream, config, probe, rules } = context;
  const { cv } = pin;
  if (context.due.published.length === 0 || rules.partsAreRead(run.parts, cv)) return;
  const faults = collectRecordProblems();
  const space = await readSpace(run, pin, faults.note);
  const isOlder = isOlderThan(space?.record.me?.version, cv);
  // A space that stays behind the cv is no reason to read for ever.
  if (isOlder && run.parts === undefined) pin.taint(otherCv(space?.record.me?.version, cv));
  // Only at the cv that the sync began with: the edges may have a newer one under this address.
  const isRecheck = context.due.recheck && cv !== null && cv === probe.cv;
  const recheckCv = isRecheck ? Math.floor((probe.dateMs ?? Date.now()) / 1000) : undefined;
  const pinned = pinUpstream(upstream, pin, recheckCv, faults.note);
  // A later round may hurry and fill the edges with outdated copies: not under the next sync's first addresses.
  const variation = (isRecheck ? pinned.variation : run.began.partsVariation) + number;
  const before = (part: string) =>
    Math.max(context.previous?.parts[part]?.records ?? 0, workspace.parts[part]?.records ?? 0);
  const read = await readSpaceParts({
    ...{ pinned: { ...pinned, variation }, config, before, rules },
    taxonomies: context.taxonomies,
  });
  const readings = withoutOlder(read.readings, pinned.strayCvs, cv);
  for (const { isTorn, reason } of readings) if (isTorn) pin.taintListing(`${reason}.`);
  const isSettled = !isOlder && pinned.strayCvs.length === 0 && !readings.some(({ isTorn }) => isTorn);
  const parts: OtherParts = { cv, isSettled, items: read.items, readings, space, problems: [] };
  const staged = { ...workspace.parts };
  for (const reading of readings) await stagePart(run, parts, reading);
  for (const { version, tags } of run.ledgers) {
    const part = partNames.tags(version);
    const isRead = readings.some((one) => one.part === part && one.lines !== undefined);
    if (isRead) tags.noteRead(staged[part], workspace.parts[part]);
  }
  // As for tags: the trees before stay the baseline until the stories were compared.
  run.termsBaseline ??= staged[partNames.terms] ?? workspace.parts[partNames.terms];
  if (space !== undefined) await stageSpace(run, parts, space);
  parts.problems.push(...faults.list());
  run.parts = parts;
}

/** The space's record. The edges cache it briefly: one from before the cv matured may be older. */
async function readSpace(
  { context, parts }: CrawlRun,
  pin: Pin,
  onFaults: OnFaults,
): Promise<SpaceReading | undefined> {
  const { upstream, config, space } = context;
  const spaceCv = space?.record.me?.version ?? pin.cv;
  if (parts === undefined && spaceCv === pin.cv) return space;
  return readSpaceRecord(pinUpstream(upstream, pin, undefined, onFaults), config);
}

/** The readings; none, if an answer was of an older cv. */
function withoutOlder(readings: PartReading[], cvs: readonly number[], cv: number | null): PartReading[] {
  const older = cvs.find((one) => isOlderThan(one, cv));
  if (older === undefined) return readings;
  return readings.map((reading) =>
    reading.lines === undefined ? reading : tornPart(reading.part, otherCv(older, cv)),
  );
}

function isOlderThan(one: number | null | undefined, cv: number | null): boolean {
  return one !== null && one !== undefined && cv !== null && one < cv;
}

function otherCv(one: number | null | undefined, cv: number | null): string {
  return `an answer was served at cv ${one} instead of ${cv}`;
}

/** If a piece of the space is unreadable, keeps the older record. Without one, uses the pieces. */
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
    message: `Redacted in the record of the space, as a possible personal address or secret: ${named}.`,
    hint: "",
  };
}

async function stagePart({ workspace }: CrawlRun, { problems }: OtherParts, reading: PartReading): Promise<void> {
  if (reading.lines === undefined) problems.push(missingPart(reading, workspace.parts[reading.part]));
  else await workspace.replace(reading.part, reading.lines);
}
