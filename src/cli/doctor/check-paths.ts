import { sep } from "node:path";
import type { Config } from "../../config/config.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** Notes paths with `\` on systems where it is part of a name, not a separator. */
export function checkPaths(
  { output, content, assets, types }: Pick<Config, "output" | "content" | "assets" | "types">,
  separator: string = sep,
): Finding[] {
  if (separator === "\\") return [];
  const paths = Object.entries({
    "output.dir": output.dir,
    "content.dir": content.dir,
    "assets.dir": assets.dir,
    "types.file": types.file,
  });
  return paths.flatMap(([key, path]) => {
    if (path?.includes("\\") !== true) return [];
    return [finding("PATH_BACKSLASH", `${key} has a backslash in a name: ${path}`, "Separate folders with /.")];
  });
}
