import type { Config } from "../config/config.js";
import { storeAddressText } from "../config/schema/store-address.js";
import { OffprintError } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { currentManifest } from "../snapshot/current-manifest.js";
import { openOutput, readOutput } from "../snapshot/open-output.js";
import type { LocalCopies } from "../snapshot/open-readable.js";
import type { CommandContext } from "./context.js";
import type { Terminal } from "./terminal.js";

/** Of the only space. @throws OffprintError SNAPSHOT_MISSING, and as {@link CommandContext.config} does */
export async function currentSnapshot(context: CommandContext) {
  const config = await context.config({ tokenOptional: true });
  const { store } = openOutput(config.output);
  const manifest = await currentManifest(store);
  if (manifest === undefined) throw missingSnapshot(config);
  return { config, store, manifest };
}

/** @throws OffprintError SNAPSHOT_MISSING */
export async function snapshotState(config: Config) {
  const output = openOutput(config.output);
  const { manifest, state } = await readOutput(output);
  if (manifest === undefined) throw missingSnapshot(config);
  return { output, manifest, state };
}

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

/** Warns once that the store is unreachable and reads use this machine's copy. */
export function warnUnreachable(terminal: Terminal): NonNullable<LocalCopies["onUnreachable"]> {
  return ({ message, code }, { generation, committedAt }) =>
    terminal.warn(
      `${terminal.paint("yellow", "!")} ${printable(message)} Using the local generation ${generation} of ${committedAt}. [${code}]`,
    );
}
