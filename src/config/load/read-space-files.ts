import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isOffprintError } from "../../lib/errors.js";
import type { KeyPath } from "../config-document.js";
import { type ConfigFile, readConfigFile } from "../config-file.js";
import { nameOfFile } from "./fleet.js";
import {
  type FileProblem,
  type FleetReading,
  type FoundSpace,
  fleetKeyOf,
  mayBeUnset,
  registerSecrets,
} from "./read-space.js";

export interface SpaceFiles {
  files: ConfigFile[];
  spaces: FoundSpace[];
  problems: FileProblem[];
}

/** Reads files by pattern, then by name, each once. Mistakes in a pattern or a file become problems. */
export async function readSpaceFiles(
  main: ConfigFile,
  patterns: readonly string[],
  reading: FleetReading,
): Promise<SpaceFiles> {
  const found: SpaceFiles = { files: [], spaces: [], problems: [] };
  const isList = Array.isArray(main.document.values?.files);
  const seen = new Set<string>();
  for (const [index, pattern] of patterns.entries()) {
    const namedAt = isList ? ["files", index] : ["files"];
    const paths = await pathsOf(pattern, main, namedAt, { problems: found.problems, onFile: reading.onFile });
    for (const path of paths) {
      if (seen.has(path)) continue;
      seen.add(path);
      await readSpaceFile(path, { main, namedAt, reading }, found);
    }
  }
  return found;
}

async function pathsOf(
  pattern: string,
  main: ConfigFile,
  path: KeyPath,
  { problems, onFile = () => {} }: { problems: FileProblem[]; onFile: FleetReading["onFile"] },
): Promise<readonly string[]> {
  if (!isPattern(pattern)) return [resolve(main.baseDir, pattern)];
  try {
    // Below `**` there may be any number of folders.
    const paths = await findFiles(pattern, main.baseDir, pattern.includes("**") ? () => {} : onFile);
    const hint = "A pattern is relative to the folder of this file; * matches any part of one name.";
    if (paths.length === 0) problems.push({ file: main, path, message: "matches no file", hint });
    return paths;
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    problems.push({ file: main, path, message: `cannot be searched: ${why}` });
    return [];
  }
}

async function readSpaceFile(
  path: string,
  { main, namedAt, reading }: { main: ConfigFile; namedAt: KeyPath; reading: FleetReading },
  found: SpaceFiles,
): Promise<void> {
  const refuse = (message: string, hint?: string) =>
    found.problems.push({ file: main, path: namedAt, message, ...(hint !== undefined && { hint }) });
  if (path === main.path) {
    refuse("names this file itself", "Keep the files of the spaces in a separate folder.");
    return;
  }
  const name = nameOfFile(path);
  const isSelected = reading.isSelected(name);
  try {
    // mayBeUnset() expects keys below `spaces:`, which a file with one space does not have.
    const file = await readConfigFile(path, reading, (keys) =>
      isSelected
        ? mayBeUnset(keys, { ...reading, isSelected: () => true })
        : mayBeUnset(["spaces", name, ...keys], { ...reading, isSelected: () => false }),
    );
    found.files.push(file);
    registerSecrets(file, [[]]);
    const key = fleetKeyOf(file);
    if (key !== undefined) {
      const message = `makes this a file with several spaces, but ${main.name} lists it as one space`;
      const hint = "List the files of its spaces there, or remove this one.";
      found.problems.push({ file, path: [key], message, hint, atKey: true });
    } else if (file.document.values !== undefined) {
      found.spaces.push({ name, at: [], file, namedAt });
    }
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    if (error.code === "TOO_MANY_OPEN_FILES") throw error;
    refuse(`names a file that cannot be read: ${error.message}`);
  }
}

/** `*` and `?` match within a name, `**` folders; none a leading dot or `node_modules`. @returns sorted paths */
async function findFiles(pattern: string, baseDir: string, onPath: (path: string) => void): Promise<string[]> {
  const names = pattern.split("/").filter((name, index) => index === 0 || (name !== "" && name !== "."));
  const [folder, rest] = names[0] === "" ? ["/", names.slice(1)] : [resolve(baseDir), names];
  const found = await below(folder, rest, onPath);
  return [...new Set(found)].sort();
}

function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** @param onPath called with each folder whose names matter, and each path that may be a file */
async function below(
  folder: string,
  [name, ...rest]: readonly string[],
  onPath: (path: string) => void,
): Promise<string[]> {
  if (name === undefined) return [];
  if (name === "**") {
    const folders = (await entriesOf(folder)).filter((entry) => entry.isDirectory() && isListed(entry.name));
    const deeper = folders.map((entry) => below(join(folder, entry.name), ["**", ...rest], onPath));
    return (await Promise.all([below(folder, rest.length === 0 ? ["*"] : rest, onPath), ...deeper])).flat();
  }
  if (isPattern(name)) onPath(folder);
  const paths = isPattern(name) ? await matching(folder, name) : [join(folder, name)];
  if (rest.length > 0) return (await Promise.all(paths.map((path) => below(path, rest, onPath)))).flat();
  paths.forEach(onPath);
  const areFiles = await Promise.all(paths.map(isFile));
  return paths.filter((_, index) => areFiles[index]);
}

async function matching(folder: string, pattern: string): Promise<string[]> {
  const source = [...pattern].map((character) =>
    character === "*" ? ".*" : character === "?" ? "." : character.replace(/[\\^$.|+()[\]{}]/, "\\$&"),
  );
  const expression = new RegExp(`^${source.join("")}$`, "su");
  const names = (await entriesOf(folder)).map(({ name }) => name);
  return names
    .filter((name) => expression.test(name) && (isListed(name) || pattern.startsWith(".")))
    .map((name) => join(folder, name));
}

function isListed(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}

async function entriesOf(folder: string) {
  return (await ifThere(readdir(folder, { withFileTypes: true }))) ?? [];
}

/** Follows symbolic links. */
async function isFile(path: string): Promise<boolean> {
  return (await ifThere(stat(path)))?.isFile() === true;
}

async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code)))
      return undefined;
    throw error;
  }
}
