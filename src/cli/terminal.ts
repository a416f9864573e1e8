import { styleText } from "node:util";
import { redact } from "../redact.js";
import type { Host } from "./host.js";

export type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan";

/** The only place that prints. Data goes to stdout, everything else to stderr, and no secret to either. */
export interface Terminal {
  /** Whether a person is watching: stderr is a terminal, outside CI. */
  interactive: boolean;
  /** `--verbose` */
  verbose: boolean;
  /** A line of data on stdout; with `--json` only {@link Terminal.document} is printed there. */
  data(line: string): void;
  /** The one document of `--json`; of a space among several, a line of its own that begins with the name. */
  document(value: object): void;
  /** With `--json`: one of several values, each on a line of its own. */
  jsonLine(value: object): void;
  /** A line for people, on stderr. */
  say(line: string): void;
  /** A line that `--quiet` does not silence. */
  warn(line: string): void;
  /** A line for `--verbose`. */
  detail(line: string): void;
  /** Whether a line is drawn that is overwritten while something runs: somebody watches, and did not forbid it. */
  drawsProgress: boolean;
  /** Whether somebody forbade all progress: `--no-progress`. */
  noProgress: boolean;
  /** The line that is overwritten while something runs, as it fits into so many columns; undefined removes it. */
  progress(line: ((width: number) => string) | undefined): void;
  paint(style: Style, text: string): string;
  /** The same terminal for what concerns one space among several: every line begins with its label, and none is overwritten. */
  ofSpace(space: SpaceLines): Terminal;
}

/** How the lines of one space among several are told from those of others. */
export interface SpaceLines {
  name: string;
  /** What every line for people begins with. */
  label: string;
  /** See {@link TerminalOptions.spelled}. */
  spelled(text: string): string;
}

export interface TerminalOptions {
  /** Spells the commands of a line, or of a `hint` in a document, as they have to be typed. */
  spelled(text: string): string;
  quiet: boolean;
  verbose: boolean;
  json: boolean;
  color: boolean;
  /** Default: true. */
  progress?: boolean;
}

/** A terminal that does not tell its width has so many columns. */
const usualColumns = 80;
const fewestColumns = 20;

export function createTerminal(host: Pick<Host, "env" | "stdout" | "stderr">, options: TerminalOptions): Terminal {
  const { env, stderr, stdout } = host;
  const { quiet, verbose, json, color, progress = true } = options;
  const interactive = stderr.isTTY === true && !env.CI && env.TERM !== "dumb" && !quiet;
  const colored = color && !env.NO_COLOR && (stderr.isTTY === true || Boolean(env.FORCE_COLOR));
  const drawsProgress = interactive && progress && !json;
  let shown = false;
  const clear = (): void => {
    if (shown) stderr.write("\r\u001b[2K");
    shown = false;
  };
  const show = (line: ((width: number) => string) | undefined): void => {
    if (!drawsProgress) return;
    if (line === undefined) {
      clear();
      return;
    }
    // The last column stays free: some terminals begin a new line behind it.
    const width = Math.max(fewestColumns, stderr.columns || usualColumns) - 1;
    const text = redact(line(width));
    stderr.write(`\r\u001b[2K${text.length > width ? `${text.slice(0, width - 1)}…` : text}`);
    shown = true;
  };
  const terminalOf = ({ spelled }: Pick<TerminalOptions, "spelled">, space?: SpaceLines): Terminal => {
    const label = space?.label ?? "";
    const line = (text: string): void => {
      clear();
      stderr.write(`${redact(label + spelled(text))}\n`);
    };
    const spelledHint = (key: string, item: unknown) =>
      key === "hint" && typeof item === "string" ? spelled(item) : item;
    const documentText = (value: object): string =>
      space === undefined
        ? JSON.stringify(value, spelledHint, 2)
        : JSON.stringify({ space: space.name, ...value }, spelledHint);
    return {
      interactive: interactive && space === undefined,
      verbose,
      drawsProgress: drawsProgress && space === undefined,
      noProgress: !progress,
      data(text) {
        clear();
        if (!json) stdout.write(`${redact(label + text)}\n`);
      },
      document(value) {
        clear();
        if (json) stdout.write(`${redact(documentText(value))}\n`);
      },
      jsonLine(value) {
        clear();
        if (json) stdout.write(`${redact(JSON.stringify(value, spelledHint))}\n`);
      },
      say(text) {
        if (!quiet) line(text);
      },
      warn: line,
      detail(text) {
        if (verbose) line(text);
      },
      progress: space === undefined ? show : () => {},
      paint: (style, text) => (colored ? styleText(style, text) : text),
      ofSpace: (other) => terminalOf(other, other),
    };
  };
  return terminalOf(options);
}

/**
 * Text from outside (names, slugs, messages of a server) as a terminal may show it: control, format and direction
 * characters are escaped, so that no name can move the cursor or hide what follows.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
