import type { Config } from "../config/config.js";
import { storeAddressText } from "../config/schema/store-address.js";
import { OffprintError } from "../lib/errors.js";

/** The error of a command that needs a snapshot where there is none. */
export function missingSnapshot(config: Config): OffprintError {
  const { dir, store } = config.output;
  if (store === undefined) {
    return new OffprintError("SNAPSHOT_MISSING", `There is no snapshot in ${dir}.`, {
      hint: "Run `offprint sync` first, or name the folder with --output.",
    });
  }
  return new OffprintError("SNAPSHOT_MISSING", `There is no snapshot in ${storeAddressText(store)}.`, {
    hint: "Run `offprint sync` first, on the machine that has the token of the space, or check output.store.",
  });
}
