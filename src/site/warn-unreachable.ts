import type { OffprintError } from "../lib/errors.js";
import type { Manifest } from "../snapshot/manifest.js";

/** Generations that this process has warned of: a build opens a snapshot many times. */
const told = new Set<string>();

/** Warns, once for each generation, that what is read of a store is what this machine has of it. */
export function warnUnreachable({ message }: OffprintError, { generation, committedAt, checksum }: Manifest): void {
  if (told.has(checksum)) return;
  told.add(checksum);
  process.emitWarning(
    `${message} Reading generation ${generation} of ${committedAt}, which is on this machine.`,
    "OffprintWarning",
    "STORE_UNREACHABLE",
  );
}
