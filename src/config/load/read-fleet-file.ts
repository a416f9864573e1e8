import { OffprintError } from "../../lib/errors.js";
import { isObject } from "../../lib/shape.js";
import type { KeyPath } from "../config-document.js";
import { type ConfigFile, type FoundProblem, invalidConfig, problemsOfFile } from "../config-file.js";
import { configSchema } from "../schema/config-schema.js";
import { fleetSchema } from "../schema/fleet-schema.js";
import { placeProblems, schemaProblems, valueAt } from "./config-problems.js";
import { checkSelection, type Fleet, isSpaceName, spaceNameText } from "./fleet.js";
import { folderClashes } from "./folder-clashes.js";
import {
  type FileProblem,
  type FlagValue,
  type FleetReading,
  type FoundSpace,
  readSpace,
  readWorker,
  registerSecrets,
  type WrittenSpace,
} from "./read-space.js";
import { readSpaceFiles } from "./read-space-files.js";
import { spaceValues } from "./space-values.js";

export async function readFleetFile(main: ConfigFile, reading: FleetReading): Promise<Fleet> {
  const { document } = main;
  const names = [...new Set(document.keys(["spaces"]))];
  registerSecrets(main, [["defaults"], ...names.map((name) => ["spaces", name])]);
  const keys = readFleetKeys(main);
  const others = await readSpaceFiles(main, keys.patterns, reading);
  const inline = names.map((name): FoundSpace => {
    const at = ["spaces", name];
    return { name, at, file: main, namedAt: at };
  });
  const found = [...inline, ...others.spaces];
  checkSelection(
    reading.select,
    found.map(({ name }) => name),
  );
  const selected = found.filter(({ name }) => reading.isSelected(name));
  if (selected.length > 1) checkOutputFlag(reading.flags, selected.length);

  const checked = found.filter(isMapping).map((space) => {
    const isSelected = reading.isSelected(space.name);
    const flags = isSelected ? reading.flags : [];
    const tokenOptional = reading.tokenOptional || !isSelected;
    return { ...space, ...readSpace(writtenSpace(space), { flags, tokenOptional }) };
  });
  const spaces = checked.flatMap(({ config, ...space }) => (config === undefined ? [] : [{ ...space, config }]));
  const problems = [
    ...keys.problems,
    ...others.problems,
    ...nameProblems(main, found),
    ...(found.length === 0 && keys.problems.length + others.problems.length === 0 ? [withoutSpaces(main)] : []),
    ...(await folderClashes(spaces)),
  ];
  const all = [
    ...checked.flatMap(({ ofFlags }) => ofFlags),
    ...[main, ...others.files].flatMap((file) => {
      const ofSpaces = checked.filter((space) => space.file === file).flatMap(({ ofFile }) => ofFile);
      const ofFile = placeProblems(
        problems.filter((problem) => problem.file === file),
        file.document,
      );
      return problemsOfFile(file.name, [...file.document.problems, ...ofFile, ...ofSpaces]);
    }),
  ];
  if (all.length > 0) throw invalidConfig(onceEach(all));
  return {
    spaces: spaces
      .filter(({ name }) => reading.isSelected(name))
      .map(({ name, config, file }) => ({ name, config, file: file.path })),
    concurrency: keys.concurrency,
    isFleet: true,
    worker: keys.worker,
    notes: onceEach(checked.flatMap(({ notes }) => notes)),
  };
}

function readFleetKeys(file: ConfigFile) {
  const { values = {} } = file.document;
  const isKeyOfSpace = (key: string) => Object.hasOwn(configSchema.schema.properties ?? {}, key);
  const beside = Object.keys(values).filter(isKeyOfSpace);
  const hint = "Move it below defaults:, where it applies to every space.";
  const misplaced = beside.map((key) => ({
    path: [key],
    message: "applies to one space, but this file has several",
    hint,
    atKey: true as const,
  }));
  const { worker: _, ...others } = values;
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => !isKeyOfSpace(key)));
  const workers = readWorker(file);
  const parsed = fleetSchema.read(rest);
  const misfits = "misfits" in parsed ? schemaProblems(parsed.misfits, rest) : [];
  const problems = [...misplaced, ...workers.problems, ...misfits].map((problem) => ({ ...problem, file }));
  // Read `files` even if other keys are wrong, to report all problems together.
  const files = fleetSchema.read({ files: values.files });
  const patterns = "value" in files ? (files.value.files ?? []) : [];
  const concurrency = "value" in parsed ? parsed.value.fleet.concurrency : 1;
  return { concurrency, worker: workers.worker, patterns, problems };
}

function withoutSpaces(file: ConfigFile): FileProblem {
  const hint = "Write them below spaces:, each with its name, or name their files with files:.";
  return { file, path: [], message: "no space is configured here", hint, atKey: true };
}

/** True if the space can be checked. Anything but a mapping is reported elsewhere. */
function isMapping({ file: { document }, at }: FoundSpace): boolean {
  return [at, ...(at.length > 0 ? [["defaults"]] : [])].every((path) => {
    const value = valueAt(document.values, path);
    return value === undefined || isObject(value);
  });
}

function writtenSpace({ name, at, file }: FoundSpace): WrittenSpace {
  const { values } = file.document;
  if (at.length === 0) return { values: values ?? {}, file, placeOf: (path) => path };
  const mappingAt = (path: KeyPath) => {
    const value = valueAt(values, path);
    return isObject(value) ? value : {};
  };
  const [own, defaults] = [mappingAt(at), mappingAt(["defaults"])];
  return {
    values: spaceValues(name, own, defaults),
    file,
    placeOf(path) {
      const isDefault = valueAt(own, path) === undefined && valueAt(defaults, path) !== undefined;
      return isDefault ? ["defaults", ...path] : [...at, ...path];
    },
  };
}

function nameProblems(file: ConfigFile, spaces: readonly FoundSpace[]): FileProblem[] {
  const taken = new Map<string, string>();
  return spaces.flatMap(({ name, at, file: own, namedAt: path }): FileProblem[] => {
    const subject = at.length > 0 ? "" : `names ${own.name}, and ${name} `;
    const problem = (message: string, hint: string) => [
      { file, path, message: subject + message, hint, atKey: true as const },
    ];
    if (!isSpaceName(name)) return problem("is not a valid space name", `Use ${spaceNameText}.`);
    const other = taken.get(name.toLowerCase());
    taken.set(name.toLowerCase(), other ?? name);
    if (other === undefined) return [];
    return problem(
      other === name ? "is the name of another space" : `differs from the space ${other} only in upper and lower case`,
      "Give each space a unique name.",
    );
  });
}

function checkOutputFlag(flags: readonly FlagValue[], count: number): void {
  if (!flags.some(({ path: [section] }) => section === "output")) return;
  throw new OffprintError("USAGE", `--output sets one folder, but there are ${count} spaces.`, {
    hint: "Select one of them with --space, or write output.dir in the configuration.",
  });
}

/** Removes duplicates: each space reports the problems of the defaults. */
function onceEach(problems: readonly FoundProblem[]): FoundProblem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}
