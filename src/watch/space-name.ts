import { basename, dirname, extname } from "node:path";

/** What the configuration file is called where nothing else is said: it tells nothing of the space. */
const ordinaryName = "sync.config";

/**
 * The name of the only space of a configuration, for metrics and reports: that of the file, or of its folder where the file
 * has its ordinary name. Letters, digits, `-` and `_`, at most 64.
 *
 * @param file absolute path of the configuration file
 */
export function spaceNameOf(file: string): string {
  const name = basename(file, extname(file));
  const chosen = name === ordinaryName ? basename(dirname(file)) : name;
  return (
    chosen
      .replace(/[^A-Za-z0-9_-]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 64) || "space"
  );
}
