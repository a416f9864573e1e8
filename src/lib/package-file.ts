import { readdirSync, readFileSync } from "node:fs";

/** The root is two folders above `src/config` and `dist/cli`, three above `dist/src/config`. */
export function packageFile(path: string): string {
  return atRoot(path, (place) => readFileSync(place, "utf8"));
}

/** The paths of the files in a folder of the package, with `/` between segments. Sorted. */
export function packageFiles(folder: string): string[] {
  const entries = atRoot(`${folder}/`, (place) => readdirSync(place, { recursive: true, withFileTypes: true }));
  const root = entries.map(({ parentPath }) => parentPath).reduce((a, b) => (a.length <= b.length ? a : b));
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length).replaceAll("\\", "/").replace(/^\/+/, ""))
    .sort();
}

function atRoot<T>(path: string, read: (place: URL) => T): T {
  for (const up of ["../../", "../../../"]) {
    try {
      return read(new URL(up + path, import.meta.url));
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
    }
  }
  throw new Error(`${path} is missing from this installation`);
}
