import type { Config } from "../config/config.js";
import { type Fleet, onlySpace } from "../config/load/fleet.js";
import { type LoadSpacesOptions, loadSpaces } from "../config/load/load-spaces.js";
import { OffprintError } from "../lib/errors.js";
import { type Place, spellCommands } from "./next-command.js";
import { createTerminal, type Host, type Terminal } from "./terminal.js";

/** Flags that every command has. */
export interface GlobalFlags extends Place {
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  color: boolean;
  /** false: `--no-progress`. */
  progress?: boolean;
}

/** What a command overrides in the configuration. */
interface ConfigFlags {
  port?: number | undefined;
  host?: string | undefined;
  /** The command asks no upstream, so the variable of the token need not be set. */
  tokenOptional?: LoadSpacesOptions["tokenOptional"];
}

export interface CommandContext {
  flags: GlobalFlags;
  /** Version of this program. */
  version: string;
  env: Host["env"];
  terminal: Terminal;
  /** Whether somebody can be asked: a person at a terminal. */
  isAttended: boolean;
  /** Ends with an OffprintError `INTERRUPTED` or `TERMINATED` at the first signal; the second one ends the process. */
  signal: AbortSignal;
  /** Absolute path of the working folder. @throws OffprintError FOLDER_UNUSABLE where it was removed */
  workingFolder(): string;
  /**
   * Spells the commands between backticks as a person can type them. The terminal does so anyway.
   */
  spelled(text: string): string;
  /** Name of the space, if this is the context of one among several. It labels all output. */
  space?: string;
  /**
   * Reads the configuration of the one space that the command works on.
   *
   * @throws OffprintError CONFIG_MISSING, CONFIG_INVALID; USAGE where there are several spaces, and `--space` names not one
   */
  config(flags?: ConfigFlags): Promise<Config>;
  /**
   * Reads the configuration of the spaces that `--space` names, or of all that the file has.
   *
   * @param file in place of the file of `--config`; `--output` and `--space` do not apply to it
   * @throws OffprintError CONFIG_MISSING, CONFIG_INVALID; USAGE for a name that no space has
   */
  spaces(flags?: ConfigFlags, file?: string): Promise<Fleet>;
  close(): void;
}

export function createContext(host: Host, flags: GlobalFlags, version: string): CommandContext {
  const { env, stdin } = host;
  const spelled = (text: string) => spellCommands(text, flags, env);
  const workingFolder = () => workingFolderOf(host);
  const terminal = createTerminal(host, {
    spelled,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
    json: flags.json === true,
    color: flags.color,
    progress: flags.progress !== false,
  });
  const { signal, stop } = listenForSignals(host, terminal);
  const spaces: CommandContext["spaces"] = ({ tokenOptional = false, ...overrides } = {}, file) =>
    loadSpaces({
      file: file ?? flags.config,
      cwd: workingFolder(),
      env,
      tokenOptional,
      select: file === undefined ? (flags.space ?? []) : [],
      overrides: { ...overrides, outputDir: file === undefined ? flags.output : undefined },
    });
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
    close() {
      stop();
      terminal.progress(undefined);
    },
  };
}

function workingFolderOf(host: Host): string {
  try {
    return host.cwd();
  } catch (cause) {
    throw new OffprintError("FOLDER_UNUSABLE", "The working folder no longer exists.", {
      hint: "Change to an existing folder, and run the same command again.",
      cause,
    });
  }
}

/** A command that takes longer to end after a signal says that it is ending, in milliseconds. */
const silentEndMs = 300;

function listenForSignals(host: Host, terminal: Terminal): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  let announcing: NodeJS.Timeout | undefined;
  const interrupt = (code: "INTERRUPTED" | "TERMINATED", exitCode: number) => () => {
    if (controller.signal.aborted) {
      terminal.warn(`${terminal.paint("red", "✖")} Aborted [${code}] → The previous snapshot is intact.`);
      host.exit(exitCode);
    }
    announcing = setTimeout(() => terminal.say("Finishing current work. Press Ctrl+C again to abort."), silentEndMs);
    controller.abort(
      new OffprintError(code, code === "INTERRUPTED" ? "Interrupted." : "Terminated by a signal.", {
        hint: "The previous snapshot is intact.",
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
