import { redact } from "../redact.js";
import { isObject, object, pathText, type Shape, wholeNumber } from "../shape.js";
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

/**
 * What is wrong with a value that should be a record; undefined when nothing is. Only what this program relies on is
 * looked at.
 */
export type RecordProblem = (value: unknown) => string | undefined;

export const storyProblem = problemOf(story);
export const linkProblem = problemOf(link);
export const datasourceProblem = problemOf(datasource);
export const datasourceEntryProblem = problemOf(datasourceEntry);
export const experimentProblem = problemOf(experiment);
export const assetMetadataProblem = problemOf({ shape: object<{ id: number }>({ id: wholeNumber }) });
export const tagProblem = problemOf(tag);
export const spaceProblem = problemOf(space);
export const spaceInfoProblem = problemOf(spaceInfo);
export const webhookEndpointProblem = problemOf(webhookEndpoint);

function problemOf({ shape }: { readonly shape: Shape<unknown> }): RecordProblem {
  return (record) => {
    const misfit = shape.misfit(record);
    if (misfit === undefined) return undefined;
    const { path, value, expected } = misfit;
    return path.length === 0
      ? `${shown(value)} is not ${expected}`
      : `${pathText(path)} is ${shown(value)}, not ${expected}`;
  };
}

/** The value as a message shows it, cut short. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  // Before it is cut: what is left of a token would not be found any more.
  const text = redact(JSON.stringify(typeof value === "string" ? value.slice(0, 4_000) : value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
