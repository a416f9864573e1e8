import type { Config } from "../config/config.js";
import { OffprintError } from "../errors.js";

/** The error of a command that needs a snapshot where there is none. */
export function missingSnapshot(config: Config): OffprintError {
  return new OffprintError("SNAPSHOT_MISSING", `There is no snapshot in ${config.output.dir}.`, {
    hint: "Run `offprint sync` first, or name the folder with --output.",
  });
}
