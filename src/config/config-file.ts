import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import * as util from "node:util";
import { isOutOfFiles, OffprintError, type Problem, tooManyOpenFiles } from "../lib/errors.js";
import { redact } from "../lib/redact/redact.js";
import { type ConfigDocument, type PlacedProblem, parseConfigDocument } from "./config-document.js";

export const configFileName = "sync.config.yaml";

export interface ConfigFile {
  path: string;
  /** The path in messages: relative to the working folder if the file is inside it. */
  name: string;
  baseDir: string;
  /** Environment variables, including those of `.env` in the file's folder. */
  env: Readonly<Record<string, string>>;
  document: ConfigDocument;
}

export interface ReadingPlace {
  cwd: string;
  /** Environment variables. They override `.env` in the file's folder. */
  env: Readonly<Record<string, string | undefined>>;
  /** Called with each file before it is read, and with what else a pattern of `files:` depends on. */
  onFile?: ((path: string) => void) | undefined;
}

/** Reads the file and the `.env` next to it. Mistakes are in `document.problems`. @throws OffprintError CONFIG_MISSING, CONFIG_INVALID */
export async function readConfigFile(
  path: string,
  { cwd, env: given, onFile }: ReadingPlace,
  mayBeUnset?: (keys: readonly string[]) => boolean,
): Promise<ConfigFile> {
  const name = shownPath(path, cwd);
  onFile?.(path);
  const text = await readText(path, name);
  const baseDir = dirname(path);
  const env = { ...(await readEnvFile(join(baseDir, ".env"))), ...nonEmpty(given) };
  return { path, name, baseDir, env, document: parseConfigDocument(text, env, mayBeUnset) };
}

/** A problem of a file, with its place in the message, or of a flag, without a place. */
export interface FoundProblem {
  message: string;
  hint: string;
}

/** Formats the problems of one file as `file:line:column: message`, in line order. */
export function problemsOfFile(name: string, placed: readonly PlacedProblem[]): FoundProblem[] {
  const sorted = [...placed].sort((a, b) => a.line - b.line || a.column - b.column);
  return sorted.map(({ line, column, message, hint }) => ({ message: `${name}:${line}:${column}: ${message}`, hint }));
}

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

/** Drops empty variables, so that they do not hide one of the same name in `.env`. */
function nonEmpty(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  return Object.fromEntries(entries);
}

export function shownPath(file: string, cwd: string): string {
  const way = relative(cwd, file);
  return way.startsWith("..") || way === "" ? file : way;
}

/** Decodes UTF-8, or UTF-16 as Windows editors write it, without the byte order mark. @throws TypeError if `fatal` */
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
