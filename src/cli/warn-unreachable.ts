import { printable } from "../lib/printable.js";
import type { LocalCopies } from "../snapshot/open-readable.js";
import type { Terminal } from "./terminal.js";

/** Says, once, that what is read of a store is what this machine has of it. */
export function warnUnreachable(terminal: Terminal): NonNullable<LocalCopies["onUnreachable"]> {
  return ({ message, code }, { generation, committedAt }) =>
    terminal.warn(
      `${terminal.paint("yellow", "!")} ${printable(message)} Going on with generation ${generation} of ${committedAt}, which is on this machine. [${code}]`,
    );
}
