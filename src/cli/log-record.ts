import { printable } from "../lib/printable.js";
import { redact } from "../lib/redact/redact.js";

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a line of `--log-format json` says. */
export interface LogEntry {
  level: LogLevel;
  message: string;
  /** Milliseconds since the epoch; default: now. */
  atMs?: number | undefined;
  /** Default: that of the terminal, as is `run`. */
  space?: string | undefined;
  run?: string | undefined;
  code?: string | undefined;
  hint?: string | undefined;
}

/** The line as an object. Its texts hold no secret and no control character, so a reader may print them. Pure. */
export function logRecord({ atMs = Date.now(), level, ...texts }: LogEntry, spelled: (text: string) => string): object {
  const plain = (text: string | undefined) => (text ? printable(redact(spelled(text))) : undefined);
  const { space, code, run, message, hint } = texts;
  return {
    time: new Date(atMs).toISOString(),
    level,
    space: plain(space),
    code: plain(code),
    run: plain(run),
    message: plain(message) ?? "",
    hint: plain(hint),
  };
}
