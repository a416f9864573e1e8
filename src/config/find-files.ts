import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/**
 * The files that a pattern names: `*` and `?` stand for characters of one name, `**` for folders at any depth, neither for
 * names that begin with a dot, nor for `node_modules`.
 *
 * @param pattern path with `/` between names, relative to `baseDir` or absolute
 * @returns absolute paths, sorted
 * @throws the error of the system for a folder that cannot be read
 */
export async function findFiles(pattern: string, baseDir: string): Promise<string[]> {
  const names = pattern.split("/").filter((name, index) => index === 0 || (name !== "" && name !== "."));
  const found = names[0] === "" ? await below("/", names.slice(1)) : await below(resolve(baseDir), names);
  return [...new Set(found)].sort();
}

/** Whether the text is a pattern: anything else is the path of one file. */
export function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

async function below(folder: string, [name, ...rest]: readonly string[]): Promise<string[]> {
  if (name === undefined) return [];
  if (name === "**") {
    const folders = (await entriesOf(folder)).filter((entry) => entry.isDirectory() && isListed(entry.name));
    const deeper = folders.map((entry) => below(join(folder, entry.name), ["**", ...rest]));
    return (await Promise.all([below(folder, rest.length === 0 ? ["*"] : rest), ...deeper])).flat();
  }
  const paths = isPattern(name) ? await matching(folder, name) : [join(folder, name)];
  if (rest.length > 0) return (await Promise.all(paths.map((path) => below(path, rest)))).flat();
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
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Symbolic links are followed. */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
