import { OffprintError } from "../src/lib/errors.js";
import { applyChange } from "./apply-change.js";
import { type EditKind, editKinds, preparedChange, targetOf } from "./prepared-changes.js";
import type { SpaceState } from "./space-state.js";

/** An edit of an editor: which of the prepared changes it was, and when. */
export interface DemoEdit {
  kind: EditKind;
  /** Which change of its kind, from 0. */
  step: number;
  /** Uuid of the story or folder; of a datasource entry `labels/cookie.text`. */
  target: string;
  /** Cv of the space since the edit, in seconds since the epoch. */
  cv: number;
}

/** All that editors have done to the demo space since it was last reset. */
export interface EditLog {
  /** Cv of the space before the first of the edits. */
  cv: number;
  /** Oldest first. */
  edits: readonly DemoEdit[];
}

/**
 * The space after all edits of the log. Pure: the same state and log make the same space.
 *
 * @throws OffprintError `DEMO_EDITS_INVALID` where an edit names what the space does not have
 */
export function applyEdits(state: SpaceState, log: EditLog): SpaceState {
  let edited: SpaceState = { ...state, cv: log.cv };
  for (const [index, { kind, step, target, cv }] of log.edits.entries()) {
    const change = preparedChange(kind, step);
    const next = change !== undefined && targetOf(change) === target ? applyChange(edited, change, cv) : undefined;
    if (next === undefined) throw invalidEdits(`Edit ${index + 1} (${kind} ${target}) does not fit this demo space`);
    edited = next;
  }
  return edited;
}

/**
 * The step of the next edit of a kind; undefined where no edit of this kind is left.
 *
 * @param state The space as the log leaves it.
 */
export function nextStep(state: SpaceState, log: EditLog, kind: EditKind): number | undefined {
  const step = timesMade(log, kind);
  const change = preparedChange(kind, step);
  return change !== undefined && applyChange(state, change, cvOf(log)) !== undefined ? step : undefined;
}

/** The kind of the next edit: the one that was made least often, of those that are still possible, in the order of the kinds. */
export function nextKind(state: SpaceState, log: EditLog): EditKind | undefined {
  const left = editKinds.filter((kind) => nextStep(state, log, kind) !== undefined);
  return left.sort((a, b) => timesMade(log, a) - timesMade(log, b))[0];
}

function timesMade(log: EditLog, kind: EditKind): number {
  return log.edits.filter((edit) => edit.kind === kind).length;
}

/** The log with one more edit. */
export function appendEdit(log: EditLog, kind: EditKind, step: number, cv: number): EditLog {
  const change = preparedChange(kind, step);
  if (change === undefined) throw new RangeError(`there is no change ${step} of kind ${kind}`);
  return { ...log, edits: [...log.edits, { kind, step, target: targetOf(change), cv }] };
}

/** The cv of the space as the log leaves it. */
export function cvOf(log: EditLog): number {
  return log.edits.at(-1)?.cv ?? log.cv;
}

/** The error for a log that cannot be used, with what to do about it. */
export function invalidEdits(reason: string, cause?: unknown): OffprintError {
  return new OffprintError("DEMO_EDITS_INVALID", `The edits of the demo space cannot be used. ${reason}.`, {
    hint: "`offprint demo --reset` takes the demo space back to its beginning. The snapshot is unharmed.",
    cause,
  });
}
