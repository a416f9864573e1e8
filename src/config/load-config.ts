import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseEnv } from "node:util";
import { isOutOfFiles, OffprintError, type Problem, tooManyOpenFiles } from "../errors.js";
import { redact, registerSecret } from "../redact.js";
import { isObject } from "../shape.js";
import { checkConfig } from "./check-config.js";
import type { Config } from "./config.js";
import { type ConfigDocument, type KeyPath, type PlacedProblem, parseConfigDocument } from "./config-document.js";
import { placeProblems, schemaProblems, secretPaths, valueAt } from "./config-problems.js";
import { configSchema, type WrittenConfig } from "./config-schema.js";
import { resolveConfig } from "./resolve-config.js";
import { demoToken, isDemoTokenElsewhere } from "./source-url.js";

/** The name of the configuration file. */
export const configFileName = "sync.config.yaml";

/** Flags of the command line that override keys of the file. None of them is a token. */
interface ConfigOverrides {
  /** `--output`: relative to the working folder. */
  outputDir?: string | undefined;
  /** `--port` */
  port?: number | string | undefined;
  /** `--host` */
  host?: string | undefined;
}

export interface LoadConfigOptions {
  /** The file, relative to `cwd`; without it, sync.config.yaml in `cwd`. */
  file?: string;
  /** Absolute path of the working folder. */
  cwd: string;
  /** Environment variables; they win over those of `.env` beside the file. */
  env: Readonly<Record<string, string | undefined>>;
  overrides?: ConfigOverrides;
  /** The command needs no upstream: the variable in `source.token` may be unset, and the token is then empty. */
  tokenOptional?: boolean;
}

const tokenPath = ["source", "token"] as const;

/**
 * Reads the configuration: flag > environment (where the file says `${NAME}`) > file > default.
 *
 * Registers every secret that it finds, so that no later message shows it.
 *
 * @throws OffprintError CONFIG_MISSING when there is no file; CONFIG_INVALID with every problem of the file at once in
 *   `problems`, each as `file:line:column: message` with a hint.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<Config> {
  const file = resolve(options.cwd, options.file ?? configFileName);
  const baseDir = dirname(file);
  const text = await readConfigFile(file, options.cwd);
  const env = { ...(await readEnvFile(join(baseDir, ".env"))), ...nonEmpty(options.env) };
  const document = parseConfigDocument(text, env, options.tokenOptional ? [tokenPath] : []);
  registerSecrets(document, env);
  const name = shownPath(file, options.cwd);
  if (document.values === undefined) throw invalid(name, document.problems, []);
  const flags = flagValues(options);
  const isTokenUnset =
    options.tokenOptional === true && (document.isBroken(tokenPath) || hasDemoToken(document.values));
  const written = isTokenUnset ? withToken(document.values, "unset") : document.values;
  const values = withFlags(written, flags);
  const parsed = configSchema.read(values);
  const found = [
    ...("misfits" in parsed ? schemaProblems(parsed.misfits, values) : []),
    ...checkConfig(values as WrittenConfig, baseDir),
  ];
  const flagOf = (path: KeyPath) => flags.find((flag) => flag.path.every((part, index) => part === path[index]));
  const ofFlags = found.flatMap((problem) => {
    const flag = flagOf(problem.path);
    return flag === undefined ? [] : [{ flag: flag.name, message: redact(problem.message), hint: problem.hint ?? "" }];
  });
  const ofFile = placeProblems(
    found.filter((problem) => flagOf(problem.path) === undefined),
    document,
  );
  const problems = [...document.problems, ...ofFile];
  if (problems.length > 0 || ofFlags.length > 0 || "misfits" in parsed) throw invalid(name, problems, ofFlags);
  const config = resolveConfig(parsed.value, baseDir);
  return isTokenUnset ? { ...config, source: { ...config.source, token: "" } } : config;
}

function hasDemoToken(values: Record<string, unknown>): boolean {
  return isDemoTokenElsewhere(valueAt(values, ["source", "url"]), valueAt(values, tokenPath));
}

function withToken(values: Record<string, unknown>, token: string): Record<string, unknown> {
  const { source } = values;
  return isObject(source) ? { ...values, source: { ...source, token } } : values;
}

async function readConfigFile(file: string, cwd: string): Promise<string> {
  const name = shownPath(file, cwd);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
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
    throw new OffprintError("CONFIG_INVALID", `${name} ${reason}`, { hint: "Name a file with --config.", cause });
  }
}

const unreadable = new Map([
  ["EISDIR", "is a folder"],
  ["ERR_ENCODING_INVALID_ENCODED_DATA", "is not UTF-8 text"],
]);

async function readEnvFile(file: string): Promise<Record<string, string>> {
  try {
    return nonEmpty(parseEnv(await readFile(file, "utf8")));
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

function registerSecrets(document: ConfigDocument, env: Readonly<Record<string, string>>): void {
  for (const path of secretPaths) {
    const value = valueAt(document.values, path);
    for (const secret of Array.isArray(value) ? value : String(value ?? "").split(",")) registerToken(String(secret));
  }
  for (const name of document.variables) {
    if (/token|secret|password|key/i.test(name)) registerToken(env[name] ?? "");
  }
}

/** The token of the demo space is public: masking it would mask the word "demo" in every message. */
function registerToken(secret: string): void {
  const trimmed = secret.trim();
  // A lone surrogate cannot be encoded for a URL: no request could carry such a token.
  if (trimmed !== demoToken && !/\p{Surrogate}/u.test(trimmed)) registerSecret(trimmed);
}

interface FlagValue {
  name: string;
  path: readonly [string, string];
  value: unknown;
}

function flagValues({ overrides = {}, cwd }: LoadConfigOptions): FlagValue[] {
  const { outputDir, port, host } = overrides;
  const flags: FlagValue[] = [];
  if (outputDir !== undefined)
    flags.push({ name: "--output", path: ["output", "dir"], value: resolve(cwd, outputDir) });
  if (port !== undefined) flags.push({ name: "--port", path: ["serve", "port"], value: port });
  if (host !== undefined) flags.push({ name: "--host", path: ["serve", "host"], value: host });
  return flags;
}

function withFlags(values: Record<string, unknown>, flags: readonly FlagValue[]): Record<string, unknown> {
  const merged = { ...values };
  for (const { path, value } of flags) {
    const [section, key] = path;
    const written = merged[section];
    const keys = isObject(written) ? written : {};
    if (written === undefined || typeof written === "object") merged[section] = { ...keys, [key]: value };
  }
  return merged;
}

interface FlagProblem {
  flag: string;
  message: string;
  hint: string;
}

function invalid(name: string, placed: readonly PlacedProblem[], flags: readonly FlagProblem[]): OffprintError {
  const sorted = [...placed].sort((a, b) => a.line - b.line || a.column - b.column);
  const problems: Problem[] = [
    ...flags.map(({ flag, message, hint }) => ({ message: `${flag} ${message}`, hint })),
    ...sorted.map(({ line, column, message, hint }) => ({ message: `${name}:${line}:${column}: ${message}`, hint })),
  ].map((problem) => ({ code: "CONFIG_INVALID", message: redact(problem.message), hint: redact(problem.hint) }));
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return new OffprintError("CONFIG_INVALID", `${count} in the configuration`, {
    hint: "docs/configuration.md explains every key.",
    problems,
  });
}

function shownPath(file: string, cwd: string): string {
  const way = relative(cwd, file);
  return way.startsWith("..") || way === "" ? file : way;
}
