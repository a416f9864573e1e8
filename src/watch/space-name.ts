import { basename, dirname } from "node:path";
import { configFileName } from "../config/load-config.js";

/**
 * The name of the only space of a configuration, for metrics and reports: that of the file, or of its folder where the file
 * has its ordinary name. Letters, digits, `-`, `_` and `.`, at most 64.
 *
 * @param file absolute path of the configuration file
 */
export function spaceNameOf(file: string): string {
  const written = basename(file);
  const name = written === configFileName ? basename(dirname(file)) : written.replace(/\.ya?ml$/i, "");
  const safe = name
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64)
    .replace(/[.-]+$/, "");
  return safe === "" ? "space" : safe;
}
