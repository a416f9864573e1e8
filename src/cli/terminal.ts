import { styleText } from "node:util";
import { printableCommand, printableJson, printableLine } from "../lib/printable.js";
import { timeText } from "../lib/quantity-text.js";
import { redact } from "../lib/redact/redact.js";
import { type LogEntry, type LogLevel, logLevels, logRecord } from "./log-record.js";

export type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan";

/** The only place that prints: data to stdout, the rest to stderr. Redacts secrets, escapes text from outside. */
export interface Terminal {
  /** True if a person is watching: stderr is a terminal, outside CI. */
  interactive: boolean;
  verbose: boolean;
  /** A line of data on stdout. With `--json`, only {@link Terminal.document} prints there. */
  data(line: string): void;
  /** Data of several lines. We set the line feeds: each text from outside stays on one line. */
  text(text: string, syntax: TextSyntax): void;
  /** The one document of `--json`. Of one of several spaces, a line that begins with the name. */
  document(value: object): void;
  /** With `--json`: one of several values, one per line. */
  jsonLine(value: object): void;
  say(line: string): void;
  /** A line that `--quiet` does not silence. */
  warn(line: string): void;
  detail(line: string): void;
  /** Writes an entry of the log; undefined if the log is lines for people. */
  log: ((entry: LogEntry) => void) | undefined;
  /** True if a line may be redrawn during work: a person is watching and did not forbid it. */
  drawsProgress: boolean;
  noProgress: boolean;
  /** Redraws the progress line, fitted to the given number of columns. Undefined removes it. */
  progress(line: ((width: number) => string) | undefined): void;
  paint(style: Style, text: string): string;
  /** The same terminal for one of several spaces: every line begins with its label, and none is redrawn. */
  ofSpace(space: SpaceLines): Terminal;
  /** The same terminal for what follows a run: log entries name it. */
  ofRun(run: string | undefined): Terminal;
}

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: { isTTY?: boolean };
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; isTTY?: boolean; columns?: number };
  /** @throws if the working folder was removed */
  cwd(): string;
  on(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown;
  off(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown;
  exit(code: number): void;
}

/** Syntax of a text of several lines, each with its own escapes. `commands` are those of GitHub Actions. */
export type TextSyntax = "plain" | "json" | "commands";

export interface SpaceLines {
  name: string;
  label: string;
  spelled(text: string): string;
}

/** How a command prints: global flags. */
export interface OutputFlags {
  quiet?: boolean;
  verbose?: boolean;
  json?: boolean;
  color: boolean;
  progress?: boolean;
  /** Lines on stderr begin with the time. */
  logTime?: boolean;
  /** `json`: everything on stderr is a JSON object a line. */
  logFormat?: "text" | "json" | undefined;
  /** Of `json`: the least that is written. By default as `verbose` and `quiet` say. */
  logLevel?: LogLevel | undefined;
}

export interface TerminalOptions extends OutputFlags {
  /** Spells the commands of a line, or of a `hint` in a document, as they must be typed. */
  spelled(text: string): string;
}

const usualColumns = 80;
const fewestColumns = 20;

export function createTerminal(host: Pick<Host, "env" | "stdout" | "stderr">, options: TerminalOptions): Terminal {
  const { env, stderr, stdout } = host;
  const { quiet = false, verbose = false, json = false, color, progress = true, logTime = false } = options;
  const { logFormat, logLevel = verbose ? "debug" : quiet ? "warn" : "info" } = options;
  const isJsonLog = logFormat === "json";
  const interactive = stderr.isTTY === true && !env.CI && env.TERM !== "dumb" && !quiet && !isJsonLog;
  const colored = color && !isJsonLog && !env.NO_COLOR && (stderr.isTTY === true || Boolean(env.FORCE_COLOR));
  const drawsProgress = interactive && progress && !json;
  const escapedLine = colored ? paintedLine : printableLine;
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
    // The last column stays free: some terminals begin a new line after it.
    const width = Math.max(fewestColumns, stderr.columns || usualColumns) - 1;
    const text = printableLine(redact(line(width)));
    stderr.write(`\r\u001b[2K${text.length > width ? `${text.slice(0, width - 1)}…` : text}`);
    shown = true;
  };
  const terminalOf = ({ spelled }: Pick<TerminalOptions, "spelled">, space?: SpaceLines, run?: string): Terminal => {
    const label = space?.label ?? "";
    const log = (entry: LogEntry): void => {
      if (logLevels.indexOf(entry.level) < logLevels.indexOf(logLevel)) return;
      stderr.write(`${printableJson(JSON.stringify(logRecord({ space: space?.name, run, ...entry }, spelled)))}\n`);
    };
    const line = (text: string, level: LogLevel): void => {
      if (isJsonLog) {
        log({ level, message: text.trim().replace(/^[✔✖!=] /, "") });
        return;
      }
      clear();
      const time = logTime ? `${timeText(Date.now())} ` : "";
      stderr.write(`${time}${escapedLine(redact(label + spelled(text)))}\n`);
    };
    const text = (lines: string, syntax: TextSyntax): void => {
      clear();
      if (json) return;
      const escaped = { plain: escapedLine, json: printableJson, commands: printableCommand }[syntax];
      for (const one of redact(lines).split("\n")) stdout.write(`${escaped(label + one)}\n`);
    };
    const jsonText = (document: string): void => {
      clear();
      if (json) stdout.write(`${printableJson(redact(document))}\n`);
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
        if (!json) stdout.write(`${escapedLine(redact(label + text))}\n`);
      },
      text,
      document: (value) => jsonText(documentText(value)),
      jsonLine: (value) => jsonText(JSON.stringify(value, spelledHint)),
      say(text) {
        if (!quiet || isJsonLog) line(text, "info");
      },
      warn: (text) => line(text, "warn"),
      detail(text) {
        if (verbose || isJsonLog) line(text, "debug");
      },
      log: isJsonLog ? log : undefined,
      progress: space === undefined ? show : () => {},
      paint: (style, text) => (colored ? styleText(style, text) : text),
      ofSpace: (other) => terminalOf(other, other, run),
      ofRun: (other) => terminalOf({ spelled }, space, other),
    };
  };
  return terminalOf(options);
}

/** Escape sequences of {@link Terminal.paint}. Nothing else that begins with ESC is printed. */
const painted = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/;

function paintedLine(line: string): string {
  const pieces = line.split(painted);
  return pieces
    .map((piece, at) => (at % 2 === 1 ? piece : at === 0 ? printableLine(piece) : printableCommand(piece)))
    .join("");
}
