import { redact } from "../redact.js";
import { isObject, type Misfit, object, pathText, type Shape, shapeBy, wholeNumber } from "../shape.js";
import type { RecordTable } from "./describe-record.js";
import {
  datasource,
  datasourceEntry,
  experiment,
  link,
  space,
  spaceInfo,
  story,
  tag,
  webhookEndpoint,
} from "./record-table.js";
import type { AssetMetadataRecord } from "./records.js";

/**
 * What is wrong with a value that should be a record; undefined when nothing is. Only what this program relies on is
 * looked at.
 */
export type RecordProblem = (value: unknown) => string | undefined;

/** How the records of an answer are looked at. */
export interface RecordCheck<T> {
  readonly shape: Shape<T>;
  /** The usable part of a record that does not have the shape; undefined: nothing of it can be used. */
  usable(value: unknown): T | undefined;
  /**
   * What is wrong with each field that is not as it has to be.
   *
   * @param isSecret no value is shown
   */
  problems(value: unknown, isSecret?: boolean): string[];
}

/** The check of a table's records. */
export function checkOf<T>({ shape, usable, misfits }: RecordTable<T>): RecordCheck<T> {
  return { shape, usable, problems: (value, isSecret) => misfits(value).map((misfit) => misfitText(misfit, isSecret)) };
}

export const storyProblem = problemOf(story);
export const linkProblem = problemOf(link);
export const datasourceProblem = problemOf(datasource);
export const datasourceEntryProblem = problemOf(datasourceEntry);
export const experimentProblem = problemOf(experiment);
export const tagProblem = problemOf(tag);
export const spaceProblem = problemOf(space);
export const spaceInfoProblem = problemOf(spaceInfo);
export const webhookEndpointProblem = problemOf(webhookEndpoint);

function problemOf({ shape }: { readonly shape: Shape<unknown> }): RecordProblem {
  return (record) => {
    const misfit = shape.misfit(record);
    return misfit && misfitText(misfit);
  };
}

function misfitText({ path, value, expected }: Misfit, isSecret = false): string {
  if (isSecret) return `${path.length === 0 ? "it" : pathText(path)} is not ${expected}`;
  return path.length === 0
    ? `${shown(value)} is not ${expected}`
    : `${pathText(path)} is ${shown(value)}, not ${expected}`;
}

/** Metadata of an asset: all but its id is handed on as it comes. */
export const assetMetadata: RecordCheck<AssetMetadataRecord> = {
  shape: shapeBy(object<{ id: number }>({ id: wholeNumber }).misfit),
  usable: () => undefined,
  problems: (value) => [problemOf({ shape: object({ id: wholeNumber }) })(value) ?? ""],
};

/** The value as a message shows it, cut short. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  // Before it is cut: what is left of a token would not be found any more.
  const text = redact(JSON.stringify(typeof value === "string" ? value.slice(0, 4_000) : value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
