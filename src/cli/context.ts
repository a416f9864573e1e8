import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../config/config.js";
import { type Fleet, onlySpace } from "../config/load/fleet.js";
import { followedSpaces, type LoadSpacesOptions } from "../config/load/load-spaces.js";
import { OffprintError } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import type { LogLevel } from "./log-record.js";
import { type Place, spellCommands } from "./next-command.js";
import { createTerminal, type Host, type OutputFlags, type Terminal } from "./terminal.js";

export interface GlobalFlags extends Place, OutputFlags {}

interface ConfigFlags {
  port?: number | undefined;
  host?: string | undefined;
  /** The command sends no request upstream, so the token's variable need not be set. */
  tokenOptional?: LoadSpacesOptions["tokenOptional"];
}

export interface CommandContext {
  flags: GlobalFlags;
  version: string;
  env: Host["env"];
  terminal: Terminal;
  /** True if a person at a terminal can answer questions. */
  isAttended: boolean;
  /** The first signal aborts it: OffprintError `INTERRUPTED` or `TERMINATED`. The second one ends the process. */
  signal: AbortSignal;
  /** Absolute path of the working folder. @throws OffprintError FOLDER_UNUSABLE if it was removed */
  workingFolder(): string;
  /** Spells the commands between backticks as a person can type them. The terminal does so anyway. */
  spelled(text: string): string;
  /** Name of the space if the command runs on several. It labels all output. */
  space?: string;
  /** Of the single space. @throws OffprintError CONFIG_MISSING, CONFIG_INVALID; USAGE if `--space` selects none */
  config(flags?: ConfigFlags): Promise<Config>;
  /** Of all spaces, or those of `--space`. @param file in place of `--config`, without `--output` and `--space` */
  spaces(flags?: ConfigFlags, file?: string): Promise<Fleet>;
  /** The paths on which the last reading of the configuration depended, even if it failed, as they were just before. */
  configFiles(): ReadonlyMap<string, string>;
  /** Calls back at each SIGHUP until closed. At a terminal the signal still ends the process: the terminal is gone. */
  onHangup(listener: () => void): void;
  close(): void;
}

export function createContext(host: Host, given: GlobalFlags, version: string): CommandContext {
  const { env, stdin } = host;
  const flags = { ...given, ...verbosityOf(given.logLevel) };
  const spelled = (text: string) => spellCommands(text, flags, env);
  const workingFolder = () => {
    try {
      return host.cwd();
    } catch (cause) {
      const hint = "Change to an existing folder, and run the same command again.";
      throw new OffprintError("FOLDER_UNUSABLE", "The working folder no longer exists.", { hint, cause });
    }
  };
  const terminal = createTerminal(host, { ...flags, spelled });
  const { signal, stop } = listenForSignals(host, terminal);
  let configFiles: ReadonlyMap<string, string> = new Map();
  const spaces: CommandContext["spaces"] = async ({ tokenOptional = false, ...overrides } = {}, file) => {
    const read = new Map<string, string>();
    const fleet = await followedSpaces({
      file: file ?? flags.config,
      cwd: workingFolder(),
      env,
      tokenOptional,
      select: file === undefined ? (flags.space ?? []) : [],
      overrides: { ...overrides, outputDir: file === undefined ? flags.output : undefined },
      onFile(path) {
        for (const one of [path, join(dirname(path), ".env")]) read.set(one, fileStamp(one));
      },
    }).finally(() => {
      configFiles = read;
    });
    for (const { message, hint } of fleet.notes) {
      terminal.warn(`${terminal.paint("yellow", "!")} ${printable(message)} ${terminal.paint("dim", "→")} ${hint}`);
    }
    return fleet;
  };
  const hangups: (() => void)[] = [];
  return {
    flags,
    version,
    env,
    terminal,
    isAttended: terminal.interactive && stdin.isTTY === true && flags.json !== true,
    signal,
    workingFolder,
    spelled,
    config: async (configFlags) => onlySpace(await spaces(configFlags), "Name one of them with --space.").config,
    spaces,
    configFiles: () => configFiles,
    onHangup(listener) {
      if (stdin.isTTY === true) return;
      hangups.push(listener);
      host.on("SIGHUP", listener);
    },
    close() {
      for (const listener of hangups) host.off("SIGHUP", listener);
      stop();
      terminal.progress(undefined);
    },
  };
}

/** Differs once the file was written or replaced. */
export function fileStamp(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "";
  }
}

/** For lines of people, `--log-level` is another spelling of `--verbose` and `--quiet`. */
function verbosityOf(level: LogLevel | undefined): Pick<GlobalFlags, "verbose" | "quiet"> {
  if (level === undefined) return {};
  return { verbose: level === "debug", quiet: level === "warn" || level === "error" };
}

const silentEndMs = 300;

function listenForSignals(host: Host, terminal: Terminal): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  let announcing: NodeJS.Timeout | undefined;
  const interrupt = (code: "INTERRUPTED" | "TERMINATED", exitCode: number) => () => {
    if (controller.signal.aborted) {
      terminal.warn(`${terminal.paint("red", "✖")} Aborted [${code}] → Nothing that was committed is lost.`);
      host.exit(exitCode);
    }
    announcing = setTimeout(() => terminal.say("Finishing current work. Press Ctrl-C again to abort."), silentEndMs);
    controller.abort(
      new OffprintError(code, code === "INTERRUPTED" ? "Interrupted." : "Terminated by a signal.", {
        hint: "Nothing that was committed is lost.",
      }),
    );
  };
  const onInterrupt = interrupt("INTERRUPTED", 130);
  const onTerminate = interrupt("TERMINATED", 143);
  host.on("SIGINT", onInterrupt);
  host.on("SIGTERM", onTerminate);
  return {
    signal: controller.signal,
    stop() {
      host.off("SIGINT", onInterrupt);
      host.off("SIGTERM", onTerminate);
      clearTimeout(announcing);
    },
  };
}
