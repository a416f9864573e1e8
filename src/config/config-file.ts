import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import * as util from "node:util";
import { isOutOfFiles, OffprintError, type Problem, tooManyOpenFiles } from "../lib/errors.js";
import { redact } from "../lib/redact/redact.js";
import { type ConfigDocument, type PlacedProblem, parseConfigDocument } from "./config-document.js";

/** The name of the configuration file. */
export const configFileName = "sync.config.yaml";

/** A configuration file that was read: its values are not checked yet. */
export interface ConfigFile {
  /** Absolute path. */
  path: string;
  /** The path as messages show it: relative to the working folder, if it lies there. */
  name: string;
  /** The folder that relative paths of the file start from. */
  baseDir: string;
  /** The environment, with `.env` beside the file. */
  env: Readonly<Record<string, string>>;
  document: ConfigDocument;
}

/** Where a file is read. */
export interface ReadingPlace {
  /** Absolute path of the working folder. */
  cwd: string;
  /** Environment variables; they win over those of `.env` beside the file. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads and parses a configuration file, and `.env` beside it.
 *
 * @param path absolute
 * @param mayBeUnset see {@link parseConfigDocument}
 * @throws OffprintError CONFIG_MISSING when there is no file; CONFIG_INVALID when it cannot be read. What is wrong in its
 *   text are problems of its document.
 */
export async function readConfigFile(
  path: string,
  { cwd, env: given }: ReadingPlace,
  mayBeUnset?: (keys: readonly string[]) => boolean,
): Promise<ConfigFile> {
  const name = shownPath(path, cwd);
  const text = await readText(path, name);
  const baseDir = dirname(path);
  const env = { ...(await readEnvFile(join(baseDir, ".env"))), ...nonEmpty(given) };
  return { path, name, baseDir, env, document: parseConfigDocument(text, env, mayBeUnset) };
}

/** Problems of a file, or of flags where there is no place. */
export interface FoundProblem {
  message: string;
  hint: string;
}

/** The problems of one file as they are shown, in the order of its lines: `file:line:column: message`. */
export function problemsOfFile(name: string, placed: readonly PlacedProblem[]): FoundProblem[] {
  const sorted = [...placed].sort((a, b) => a.line - b.line || a.column - b.column);
  return sorted.map(({ line, column, message, hint }) => ({ message: `${name}:${line}:${column}: ${message}`, hint }));
}

/** The error that tells all problems of a configuration at once. */
export function invalidConfig(found: readonly FoundProblem[]): OffprintError {
  const problems = found.map(
    ({ message, hint }): Problem => ({ code: "CONFIG_INVALID", message: redact(message), hint: redact(hint) }),
  );
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return new OffprintError("CONFIG_INVALID", `${count} in the configuration`, {
    hint: "docs/configuration.md explains every key.",
    problems,
  });
}

async function readText(path: string, name: string): Promise<string> {
  try {
    return decodeText(await readFile(path), { fatal: true });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new OffprintError("CONFIG_MISSING", `${name} is not there`, {
        hint: "Name the file with --config, or run `offprint init`, which writes sync.config.yaml.",
        cause,
      });
    }
    if (isOutOfFiles(cause)) throw tooManyOpenFiles(`${name} cannot be read`, cause);
    const reason = unreadable.get(String(code)) ?? `cannot be read: ${code}`;
    const hint = code === notText ? "Save the file as UTF-8." : "Name a file with --config.";
    throw new OffprintError("CONFIG_INVALID", `${name} ${reason}`, { hint, cause });
  }
}

const notText = "ERR_ENCODING_INVALID_ENCODED_DATA";

const unreadable = new Map([
  ["EISDIR", "is a folder"],
  [notText, "is not UTF-8 text"],
]);

async function readEnvFile(file: string): Promise<Record<string, string>> {
  try {
    return nonEmpty(util.parseEnv(decodeText(await readFile(file), { fatal: false })));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "EISDIR") return {};
    throw new OffprintError("CONFIG_INVALID", `${basename(file)} cannot be read: ${String(code)}`, { cause });
  }
}

/** An empty variable counts as not set, so that it does not hide one of the same name in `.env`. */
function nonEmpty(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  return Object.fromEntries(entries);
}

function shownPath(file: string, cwd: string): string {
  const way = relative(cwd, file);
  return way.startsWith("..") || way === "" ? file : way;
}

/**
 * The text of a file that a person wrote: UTF-8, or UTF-16 as some editors and shells of Windows write it. The byte order
 * mark is left out. Without one, UTF-16 is known by the zero that every second byte of a Latin letter is.
 *
 * @param fatal whether bytes that are not UTF-8 are an error; else they become U+FFFD
 * @throws TypeError with `code` ERR_ENCODING_INVALID_ENCODED_DATA
 */
function decodeText(bytes: Uint8Array, { fatal }: { fatal: boolean }): string {
  return new TextDecoder(encodingOf(bytes), { fatal }).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if ((first === 0xff && second === 0xfe) || (isLetter(first) && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && isLetter(second))) return "utf-16be";
  return "utf-8";
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}
