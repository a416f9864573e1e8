import { readFileSync } from "node:fs";

/** The root is two folders above `src/config` and `dist/cli`, three above `dist/src/config`. */
export function packageFile(path: string): string {
  for (const up of ["../../", "../../../"]) {
    try {
      return readFileSync(new URL(up + path, import.meta.url), "utf8");
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
    }
  }
  throw new Error(`${path} is missing from this installation`);
}
