import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { contentHash } from "../../lib/content-hash.js";
import { parseAs } from "../../lib/parse-as.js";
import { object, oneOf } from "../../lib/shape.js";
import { errnoOf } from "../../snapshot/store/file-error.js";
import { fullPace, type Pace, paceFields } from "./pace.js";

const paceFormat = 1;

export interface PaceHolder {
  /** Reads the pace and replaces it with the result of `step`. Steps run one after the other. */
  update<T>(step: (pace: Pace) => { pace: Pace; result: T }): Promise<T>;
}

export function ownPace(): PaceHolder {
  let pace: Pace = fullPace;
  return {
    async update(step) {
      const next = step(pace);
      pace = next.pace;
      return next.result;
    },
  };
}

/** A small file under a lock, which a killed process loses. If unusable, the process warns and has its own pace. */
export function sharedPace(file: string, warn: (message: string) => void, patienceMs = lockPatienceMs): PaceHolder {
  const own = ownPace();
  let usable = true;
  const giveUp = (reason: string): void => {
    usable = false;
    warn(
      `The rate budget is not shared with other processes: ${reason} (${file}). This one only limits its own requests.`,
    );
  };

  async function updateShared<T>(step: (pace: Pace) => { pace: Pace; result: T }): Promise<T> {
    const lock = `${file}.lock`;
    await acquire(lock, patienceMs);
    // Nothing here waits, so the lock is held for less than a millisecond.
    try {
      const found = readPace(file);
      if (found === "damaged") warn(`The rate budget ${file} is damaged. Starting a new one.`);
      const next = step(typeof found === "string" ? fullPace : found);
      writeFileSync(`${file}.new`, JSON.stringify({ ...next.pace, format: paceFormat }), { mode: 0o600 });
      renameSync(`${file}.new`, file);
      return next.result;
    } finally {
      remove(lock);
    }
  }

  return {
    async update(step) {
      if (usable) {
        try {
          return await updateShared(step);
        } catch (error) {
          giveUp(error instanceof Error ? error.message : String(error));
        }
      }
      return own.update(step);
    },
  };
}

/** The file with the pace of a token, named by its hash; undefined without a cache folder. */
export function paceFile(token: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folder = cacheFolder(env);
  if (folder === undefined) return undefined;
  return join(folder, "offprint", "rate", `${contentHash(token)}.json`);
}

function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  if (process.platform === "win32") return env.LOCALAPPDATA;
  if (!env.HOME) return undefined;
  return process.platform === "darwin" ? join(env.HOME, "Library", "Caches") : join(env.HOME, ".cache");
}

/** An older lock was left by a killed process: no other holds it for longer than a write takes. */
const abandonedMs = 2_000;
const lockPatienceMs = 4_000;

async function acquire(lock: string, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      closeSync(openSync(lock, "wx", 0o600));
      return;
    } catch (error) {
      const code = errnoOf(error);
      if (code === "ENOENT") mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
      else if (code !== "EEXIST") throw error;
    }
    if (performance.now() > until) throw new Error("another process holds its lock");
    // Two processes may both remove it; at worst two requests are then sent together.
    if (isAbandoned(lock)) remove(lock);
    else await delay(1 + Math.random() * 9);
  }
}

function isAbandoned(lock: string): boolean {
  try {
    return Math.abs(Date.now() - statSync(lock).mtimeMs) > abandonedMs;
  } catch {
    return false;
  }
}

function remove(lock: string): void {
  try {
    unlinkSync(lock);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

const paceShape = object<Pace & { format: number }>({ format: oneOf(paceFormat), ...paceFields(() => Date.now()) });

function readPace(file: string): Pace | "absent" | "damaged" {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "absent";
    throw error;
  }
  return parseAs(text, paceShape) ?? "damaged";
}
