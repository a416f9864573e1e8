import { redact, registerSecret } from "../../lib/redact/redact.js";
import { isObject } from "../../lib/shape.js";
import type { ConfigDocument, KeyPath } from "../config-document.js";
import { type ConfigFile, problemsOfFile, type ReadingPlace } from "../config-file.js";
import { configSchema, type WrittenConfig } from "../schema/config-schema.js";
import { fleetKeys, worker } from "../schema/fleet-schema.js";
import { queueSecrets } from "../schema/queue-address.js";
import { demoToken, isDemoTokenElsewhere } from "../schema/source-url.js";
import { checkConfig, windowsFolders } from "./check-config.js";
import {
  placeProblems,
  queuePath,
  schemaProblems,
  secretPaths,
  type ValueProblem,
  valueAt,
} from "./config-problems.js";
import type { WorkerSetting } from "./fleet.js";
import { resolveConfig } from "./resolve-config.js";
import { withValue } from "./space-values.js";

export interface WrittenSpace {
  values: Readonly<Record<string, unknown>>;
  file: Pick<ConfigFile, "baseDir" | "document" | "name">;
  /** Maps a path of `values` to its path in the file. */
  placeOf(path: KeyPath): KeyPath;
}

export interface FlagValue {
  name: string;
  path: readonly [string, string];
  value: unknown;
}

export interface FleetReading extends ReadingPlace {
  flags: readonly FlagValue[];
  tokenOptional: boolean;
  isSelected(name: string): boolean;
  /** Names of the selected spaces. Empty: all. */
  select: readonly string[];
}

export interface FoundSpace {
  name: string;
  /** Path of its configuration in its file. Empty if the space has its own file. */
  at: KeyPath;
  file: ConfigFile;
  /** Path at which the file with several spaces names it. */
  namedAt: KeyPath;
}

export interface FileProblem extends ValueProblem {
  file: ConfigFile;
}

export function fleetKeyOf({ document }: Pick<ConfigFile, "document">): string | undefined {
  return document.keys([]).find((key) => (fleetKeys as readonly string[]).includes(key));
}

const tokenPath = ["source", "token"] as const;

/** In the token if `tokenOptional`, and in secrets of spaces not selected. @param keys path without list positions */
export function mayBeUnset(
  keys: readonly string[],
  { tokenOptional, isSelected }: { tokenOptional: boolean; isSelected(name: string): boolean },
): boolean {
  const [top, name = ""] = keys;
  const own = top === "spaces" ? keys.slice(2) : top === "defaults" ? keys.slice(1) : keys;
  const isAt = (path: KeyPath) => path.every((key, index) => key === own[index]);
  if (tokenOptional && isAt(tokenPath)) return true;
  return top === "spaces" && !isSelected(name) && secretPaths.some(isAt);
}

/** @param options.tokenOptional the token's variable may be unset; the token is then empty */
export function readSpace(
  { values: written, file, placeOf }: WrittenSpace,
  { flags, tokenOptional }: { flags: readonly FlagValue[]; tokenOptional: boolean },
) {
  const { baseDir, document } = file;
  const isOfDemo = isDemoTokenElsewhere(valueAt(written, ["source", "url"]), valueAt(written, tokenPath));
  const isTokenUnset = tokenOptional && (document.isBroken(placeOf(tokenPath)) || isOfDemo);
  const withToken = isTokenUnset && isObject(written.source) ? withValue(written, tokenPath, "unset") : written;
  const values = flags.reduce((merged, { path, value }) => withValue(merged, path, value), withToken);
  const parsed = configSchema.read(values);
  const found = [
    ...("misfits" in parsed ? schemaProblems(parsed.misfits, values) : []),
    ...checkConfig(values as WrittenConfig, baseDir),
  ];
  const flagOf = (path: KeyPath) => flags.find((flag) => flag.path.every((part, index) => part === path[index]));
  const ofFlags = found.flatMap((problem) => {
    const flag = flagOf(problem.path);
    if (flag === undefined) return [];
    return [{ message: `${flag.name} ${redact(problem.message)}`, hint: problem.hint ?? "" }];
  });
  const placed = (problems: readonly ValueProblem[]) => {
    const own = problems.filter(({ path }) => flagOf(path) === undefined);
    return placeProblems(
      own.map((problem) => ({ ...problem, path: placeOf(problem.path) })),
      document,
    );
  };
  const ofFile = placed(found);
  // Values that are allowed, but probably not meant.
  const notes = problemsOfFile(file.name, placed(windowsFolders(values as WrittenConfig)));
  const isInvalid = ofFile.length > 0 || ofFlags.length > 0;
  if (isInvalid || "misfits" in parsed) return { config: undefined, ofFile, ofFlags, notes };
  const config = resolveConfig(parsed.value, baseDir);
  if (isTokenUnset) config.source.token = "";
  return { config, ofFile, ofFlags, notes };
}

/** No later message shows them. @param places paths of the configurations in the file */
export function registerSecrets(
  { document, env }: { document: ConfigDocument; env: Readonly<Record<string, string>> },
  places: readonly KeyPath[],
): void {
  for (const place of places) {
    for (const path of secretPaths) {
      const value = valueAt(document.values, [...place, ...path]);
      for (const secret of Array.isArray(value) ? value : String(value ?? "").split(",")) registerToken(String(secret));
    }
  }
  for (const name of document.variables) {
    if (/token|secret|password|key/i.test(name)) registerToken(env[name] ?? "");
  }
}

/** Skips the demo token: it is public, and messages would mask every "demo" with it. */
function registerToken(secret: string): void {
  const trimmed = secret.trim();
  // A lone surrogate cannot be encoded in a URL, so no request could carry such a token.
  if (trimmed !== demoToken && !/\p{Surrogate}/u.test(trimmed)) registerSecret(trimmed);
}

/** True for the queue's address. Its variables may be unset: only one command needs the queue. */
export function isOfQueue(keys: readonly string[]): boolean {
  return queuePath.every((key, index) => keys[index] === key);
}

/** Registers the queue's password. `worker` is undefined if the file has no settings for it, or invalid ones. */
export function readWorker({ document }: Pick<ConfigFile, "document">): {
  worker: WorkerSetting | undefined;
  problems: ValueProblem[];
} {
  const written = document.values?.worker;
  if (written === undefined) return { worker: undefined, problems: [] };
  const address = valueAt(document.values, queuePath);
  for (const secret of typeof address === "string" ? queueSecrets(address) : []) registerSecret(secret);
  const isUnset = document.isBroken(queuePath);
  const given = isUnset ? { ...(written as object), queue: "redis://unset" } : written;
  const parsed = worker.read(given);
  if ("misfits" in parsed) {
    const misfits = parsed.misfits.map((misfit) => ({ ...misfit, path: ["worker", ...misfit.path] }));
    return { worker: undefined, problems: schemaProblems(misfits, document.values) };
  }
  const { queue, ...setting } = parsed.value;
  return { worker: isUnset ? setting : { ...setting, queue }, problems: [] };
}
