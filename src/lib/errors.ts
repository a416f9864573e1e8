/**
 * The closed set of error codes. A code never changes its meaning; `docs/errors.md` lists each of them.
 *
 * `exit` is the process exit code when a command ends with this problem; 0 marks a warning that never fails a run.
 */
export const errorCodes = {
  UNEXPECTED: { exit: 1, about: "A fault of this program: please report it." },
  USAGE: {
    exit: 2,
    about:
      "The command line, or a call of the library, asks for something that does not exist or does not fit together.",
  },
  NODE_TOO_OLD: { exit: 2, about: "The version of Node is older than this program needs; nothing was loaded." },
  CONFIG_MISSING: { exit: 2, about: "The configuration file is not there." },
  CONFIG_INVALID: { exit: 2, about: "The configuration has problems; all of them are listed." },
  LANGUAGE_UNKNOWN: {
    exit: 2,
    about: "The space does not have a language that `source.languages` names; nothing was read.",
  },
  SNAPSHOT_MISSING: {
    exit: 2,
    about: "The output folder holds no snapshot yet, or not the generation that was asked for.",
  },
  DEMO_EDITS_INVALID: {
    exit: 2,
    about: "The log of edits of the demo space is damaged, or of another version of this program.",
  },
  OUTPUT_UNUSABLE: {
    exit: 2,
    about: "The output folder cannot be used as it is: read-only, a link, or inside a .git folder.",
  },
  TOO_MANY_OPEN_FILES: {
    exit: 2,
    about: "This process, or this machine, may not open another file: a limit such as `ulimit -n` is too low.",
  },
  FOLDER_UNUSABLE: { exit: 2, about: "The working folder is gone, or a file of the project cannot be written there." },
  PROJECT_UNUSABLE: {
    exit: 2,
    about: "The folder holds no site that `init --site` knows, more than one, or a package.json that cannot be read.",
  },
  WORKER_ENGINE_MISSING: {
    exit: 2,
    about: "The packages that `offprint worker` needs for its queue are not installed.",
  },
  WORKER_QUEUE_UNSAFE: {
    exit: 2,
    about: "The Redis of `worker.queue` drops keys when its memory is full: jobs would be lost.",
  },
  ASSET_FAILED: {
    exit: 3,
    about:
      "An asset is too large or could not be fetched; content names its URL. It fails a sync with `assets.onFailure: fail` or `--strict` only.",
  },
  CONTENT_BLOCKED: {
    exit: 3,
    about: "The snapshot was committed, but a file that is not ours stands where a content file belongs.",
  },
  TYPES_BLOCKED: {
    exit: 3,
    about: "The types of the content could not be written: the file is not ours, or cannot be written there.",
  },
  HOOK_FAILED: {
    exit: 3,
    about: "The command of a consumer (`onCommit`) did not end with 0; the next sync hands over to it again.",
  },
  HOOK_TIMED_OUT: {
    exit: 3,
    about:
      "The command of a consumer (`onCommit`) ran longer than its `timeout`; the next sync hands over to it again.",
  },
  UPSTREAM_REFUSED: { exit: 4, about: "The upstream refused the token (401) or the request (403)." },
  UPSTREAM_UNREACHABLE: { exit: 5, about: "The upstream could not be reached, or kept failing after all retries." },
  UPSTREAM_RATE_LIMITED: { exit: 5, about: "The upstream kept answering 429 after all retries." },
  UPSTREAM_TIMEOUT: { exit: 5, about: "The upstream did not answer in time." },
  UPSTREAM_NOT_FOUND: {
    exit: 5,
    about: "The upstream answered 404 to a path that the interface has: a wrong host or region.",
  },
  UPSTREAM_INVALID_REQUEST: { exit: 5, about: "The upstream did not accept a parameter (400, 422)." },
  UPSTREAM_BAD_ANSWER: {
    exit: 5,
    about: "An answer was truncated, too large, no JSON, or not shaped as the interface says.",
  },
  WORKER_QUEUE_UNREACHABLE: {
    exit: 5,
    about: "The Redis or PostgreSQL of `worker.queue` could not be reached at the start, or refused.",
  },
  UPSTREAM_INCONSISTENT: {
    exit: 6,
    about: "No clean reading of the space at one cv; the previous generation was kept.",
  },
  UPSTREAM_EMPTY: { exit: 6, about: "An empty answer where there were stories; the previous generation was kept." },
  REMOVAL_BRAKE: { exit: 6, about: "The sync would remove suspiciously much; the previous generation was kept." },
  REQUEST_LIMIT: { exit: 6, about: "The sync would need more requests than queue.maxRequests allows." },
  SPACE_MISMATCH: { exit: 6, about: "The output folder holds the snapshot of another space." },
  SNAPSHOT_AHEAD: {
    exit: 6,
    about: "The output folder holds a generation that the source of a pull does not have, and none that is older.",
  },
  STORE_UNSAFE: {
    exit: 6,
    about:
      "The bucket does not keep to the conditions of a write, so that two writers could destroy each other's work: it is read, not written.",
  },
  STORE_REFUSED: { exit: 4, about: "The bucket refused the key, or what the key may not do there." },
  STORE_MISSING: { exit: 2, about: "There is no such bucket, or it lies in another region." },
  STORE_CREDENTIALS: { exit: 4, about: "No key for the bucket was found, or it has expired." },
  STORE_UNREACHABLE: { exit: 5, about: "The store could not be reached, or kept failing after all retries." },
  STORE_BAD_ANSWER: { exit: 5, about: "An answer of the store was cut off, or is not what its interface says." },
  SNAPSHOT_DAMAGED: { exit: 7, about: "A file of the snapshot is missing, or is not what the manifest names." },
  SNAPSHOT_FORMAT: { exit: 7, about: "The snapshot was written by a newer version of this program." },
  UNCHANGED: { exit: 9, about: "Nothing changed, or nothing is to be done; a failure only with --exit-code." },
  TYPES_DIFFER: {
    exit: 10,
    about: "A file of types says something else than the snapshot; `offprint types --check` only.",
  },
  CHECK_FAILED: {
    exit: 10,
    about: "The content has findings of a level that `check.failOn` does not accept; `offprint check` only.",
  },
  CONTENT_DRIFT: {
    exit: 6,
    about:
      "The content has another shape than the lock says, with `check.drift: freeze`; the previous generation was kept.",
  },
  CONTENT_DRIFTED: { exit: 0, about: "The content has another shape than the lock says, with `check.drift: warn`." },
  CONTENT_OUTDATED: {
    exit: 0,
    about: "Another version of Offprint wrote the content tree: `offprint export` or the next sync writes it again.",
  },
  CONTENT_UNLOCKED: {
    exit: 0,
    about: "Nothing is guarded: `check.drift` compares with a lock, and there is none yet.",
  },
  LOCKED: { exit: 11, about: "Another process is writing to the same output folder or store." },
  NO_SPACE: { exit: 12, about: "The disk is full; what was there before is unharmed." },
  INTERRUPTED: { exit: 130, about: "Interrupted (SIGINT)." },
  TERMINATED: { exit: 143, about: "Ended from outside (SIGTERM)." },
  HELD: { exit: 0, about: "The current generation was rolled back to and is held: sync leaves it alone." },
  CURSOR_RESET: {
    exit: 0,
    about: "What changed since a consumer's cursor is not known: the consumer gets the list of everything.",
  },
  PART_NOT_INCLUDED: {
    exit: 0,
    about: "A part of the space that the token may not read, or the upstream does not have.",
  },
  PART_KEPT: { exit: 0, about: "A part could not be read this time; what was read before is kept." },
  SPACE_REDACTED: {
    exit: 0,
    about: "The record of the space has what looks like a person's address or a secret; these fields were redacted.",
  },
  RECORD_UNUSABLE: {
    exit: 0,
    about:
      "A record of the space lacks what it is known by, or has what another record is known by; it is left out, or stays as it was read before.",
  },
  FIELD_UNUSABLE: {
    exit: 0,
    about:
      "A field of a record is not as the interface says; the record is kept as it came, and the field is not used.",
  },
  EVENT_NOT_SEEN: {
    exit: 0,
    about: "A webhook told of a change, and two minutes later the upstream still answered with a cv of before it.",
  },
  LANGUAGES_UNKNOWN: {
    exit: 0,
    about:
      "The upstream cannot list its languages: with `all`, only the default language was read; with a list, nothing shows a code that is mistyped.",
  },
  RELATION_DANGLING: { exit: 0, about: "A field names a story that the edition does not have." },
  LINK_DEAD: {
    exit: 0,
    about: "A link names a story that the edition does not have, or an address of the site at which no story is.",
  },
  ASSET_GONE: { exit: 0, about: "An asset was deleted upstream (403, 404, 410); a file that is here is kept." },
  ASSET_NOT_ALLOWED: { exit: 0, about: "An asset lies on a host that assets.hosts does not allow; its URL was kept." },
  ASSET_LEFT: { exit: 0, about: "Assets were not downloaded because assets.download is off." },
  CONTENT_EDITED: {
    exit: 0,
    about: "A content file that has no place any more was changed by hand, and was kept.",
  },
  STATUS_FILE_FAILED: {
    exit: 0,
    about: "The file of `--metrics-file` or `--status-file` could not be written; the sync is not affected.",
  },
  CACHE_UNUSABLE: {
    exit: 0,
    about: "Nothing more can be kept in the cache of the store; reading goes on from the store itself.",
  },
  CONTENT_UNKNOWN: { exit: 0, about: "A content value of an unknown shape was kept as it is." },
} as const satisfies Record<string, { exit: number; about: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** Something that went wrong or deserves attention, as `sync --json` prints it. */
export interface Problem {
  code: ErrorCode;
  /** What happened, with the value that caused it. */
  message: string;
  /** What to do about it; empty when there is nothing to do. */
  hint: string;
  /** How many things of its kind it stands for, where it is not one. */
  count?: number;
  /** The records that it is about, where all of them are known: a part of the snapshot, and uuids of its records. */
  about?: { part: string; uuids: string[] };
}

/** How many things are wrong: a problem may stand for several. */
export function countProblems(problems: readonly Problem[]): number {
  return problems.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** An error that a user can act on: a stable code, what happened with which value, and a hint. */
export class OffprintError extends Error {
  override readonly name = "OffprintError";
  readonly code: ErrorCode;
  readonly hint: string;
  /** Several problems found at once (configuration); empty when the error itself is the only one. */
  readonly problems: readonly Problem[];

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string | undefined; cause?: unknown; problems?: readonly Problem[] } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? "";
    this.problems = options.problems ?? [];
  }

  /** The process exit code that this error stands for. */
  get exitCode(): number {
    return errorCodes[this.code].exit;
  }

  /** This error as a line of a report. */
  toProblem(): Problem {
    return { code: this.code, message: this.message, hint: this.hint };
  }
}

/** Whether the value is an {@link OffprintError}, with this code where one is given. */
export function isOffprintError(value: unknown, code?: ErrorCode): value is OffprintError {
  return value instanceof OffprintError && (code === undefined || value.code === code);
}

/** Whether a system call failed because this process (`EMFILE`) or machine (`ENFILE`) may not open another file. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}

/** The error to report then. @param what what failed, without a full stop */
export function tooManyOpenFiles(what: string, cause: unknown): OffprintError {
  return new OffprintError("TOO_MANY_OPEN_FILES", `${what}: too many files are open.`, {
    hint: "Raise the limit (`ulimit -n 1024`), or end what else keeps files open, and run the same command again.",
    cause,
  });
}
