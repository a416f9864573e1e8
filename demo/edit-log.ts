import { isObject } from "../src/lib/shape.js";
import { demoEditsFile } from "../src/snapshot/layout.js";
import type { Store } from "../src/snapshot/store/store.js";
import { type DemoEdit, type EditLog, invalidEdits } from "./edits.js";
import { editKinds } from "./prepared-changes.js";
import { space } from "./space.js";

const format = 1;
/** How far in the future a cv may lie, in seconds: clocks differ, but sync waits until the time of a cv has come. */
const aheadLimit = 60;

/** The log of a demo space that nobody has edited. */
export const emptyLog: EditLog = { cv: space.cv, edits: [] };

/**
 * Reads the edits that an output folder keeps. Without a log there are none.
 *
 * @param nowMs Milliseconds since the epoch.
 * @throws OffprintError `DEMO_EDITS_INVALID` where the file is not a log of this format, or has a cv in the future
 */
export async function loadEdits(store: Store, nowMs: number): Promise<EditLog> {
  const bytes = await store.get(demoEditsFile);
  if (bytes === undefined) return emptyLog;
  const log = parseLog(Buffer.from(bytes).toString());
  const latest = latestCv(nowMs);
  let last = space.cv - 1;
  for (const cv of [log.cv, ...log.edits.map((edit) => edit.cv)]) {
    if (cv <= last) throw invalidEdits(`In ${demoEditsFile}, cv ${cv} is not later than the one before`);
    if (cv > latest) throw invalidEdits(`In ${demoEditsFile}, cv ${cv} lies in the future`);
    last = cv;
  }
  return log;
}

/** Replaces the log by one rename. @throws OffprintError `NO_SPACE`, `OUTPUT_UNUSABLE` */
export async function saveEdits(store: Store, { cv, edits }: EditLog): Promise<void> {
  await store.replace(demoEditsFile, Buffer.from(`${JSON.stringify({ format, cv, edits }, null, 2)}\n`));
}

/**
 * The cv of an edit that is made now, in whole seconds: later than every known one, so that two edits in one second have
 * two. It lies two seconds back where it can, because sync waits until a cv is two seconds old.
 *
 * @param known Cvs that the space had before. Those that lie too far in the future come from a wrong clock and do not count.
 */
export function nextCv(nowMs: number, known: readonly number[]): number {
  const credible = known.filter((cv) => cv <= latestCv(nowMs));
  return Math.max(Math.floor(nowMs / 1000) - 2, ...credible.map((cv) => cv + 1));
}

function latestCv(nowMs: number): number {
  return Math.max(space.cv, nowMs / 1000) + aheadLimit;
}

function parseLog(text: string): EditLog {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidEdits(`${demoEditsFile} is no JSON`, cause);
  }
  if (!isObject(value)) throw invalidEdits(`${demoEditsFile} holds no log`);
  if (value.format !== format)
    throw invalidEdits(`${demoEditsFile} has format ${JSON.stringify(value.format)}, not ${format}`);
  const { cv, edits } = value;
  if (!Number.isSafeInteger(cv) || !Array.isArray(edits)) throw invalidEdits(`${demoEditsFile} lacks cv or edits`);
  const wrong = edits.findIndex((edit) => !isEdit(edit));
  if (wrong >= 0) throw invalidEdits(`Edit ${wrong + 1} of ${demoEditsFile} is of no known kind, or lacks a field`);
  return { cv: cv as number, edits };
}

function isEdit(value: unknown): value is DemoEdit {
  return (
    isObject(value) &&
    editKinds.some((kind) => kind === value.kind) &&
    Number.isSafeInteger(value.step) &&
    (value.step as number) >= 0 &&
    typeof value.target === "string" &&
    Number.isSafeInteger(value.cv)
  );
}
