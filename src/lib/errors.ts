/**
 * Every error code; `docs/errors.md` lists them. A code never changes its meaning; an `exit` of 0 marks a warning.
 */
export const errorCodes = {
  UNEXPECTED: { exit: 1, about: "A bug in this program: please report it." },
  USAGE: {
    exit: 2,
    about:
      "The command line, or a library call, asks for something that does not exist, or combines options that exclude each other.",
  },
  NODE_TOO_OLD: { exit: 2, about: "This program needs a newer version of Node. Nothing was loaded." },
  CONFIG_MISSING: { exit: 2, about: "There is no configuration file." },
  CONFIG_INVALID: { exit: 2, about: "The configuration has problems. All of them are listed." },
  LANGUAGE_UNKNOWN: {
    exit: 2,
    about: "The space does not have a language of `source.languages`. Nothing was read.",
  },
  SNAPSHOT_MISSING: { exit: 2, about: "The output folder has no snapshot yet, or not the requested generation." },
  DEMO_EDITS_INVALID: {
    exit: 2,
    about: "The edit log of the demo space is damaged, or another version of this program wrote it.",
  },
  OUTPUT_UNUSABLE: {
    exit: 2,
    about: "The output folder cannot be used: it is read-only, a link, or inside a .git folder.",
  },
  TOO_MANY_OPEN_FILES: {
    exit: 2,
    about: "This process or machine cannot open another file: a limit such as `ulimit -n` is too low.",
  },
  FOLDER_UNUSABLE: { exit: 2, about: "The working folder was deleted, or a project file cannot be written there." },
  PROJECT_UNUSABLE: {
    exit: 2,
    about: "The folder contains no site that `init --site` knows, more than one, or an unreadable package.json.",
  },
  WORKER_ENGINE_MISSING: {
    exit: 2,
    about: "The packages that `offprint worker` needs for its queue are not installed.",
  },
  WORKER_QUEUE_UNSAFE: {
    exit: 2,
    about: "The Redis of `worker.queue` evicts keys when its memory is full, so jobs could be lost.",
  },
  ASSET_FAILED: {
    exit: 3,
    about:
      "An asset is too large or could not be downloaded, so content links to its URL. Fails a sync only with `assets.onFailure: fail` or `--strict`.",
  },
  CONTENT_BLOCKED: {
    exit: 3,
    about: "The snapshot was committed, but a file that Offprint did not write is in the place of a content file.",
  },
  TYPES_BLOCKED: {
    exit: 3,
    about:
      "The content types could not be written: Offprint did not write the existing file, or the path is not writable.",
  },
  HOOK_FAILED: {
    exit: 3,
    about: "A consumer's command (`onCommit`) exited with a code other than 0. The next sync runs it again.",
  },
  HOOK_TIMED_OUT: {
    exit: 3,
    about: "A consumer's command (`onCommit`) exceeded its `timeout`. The next sync runs it again.",
  },
  UPSTREAM_REFUSED: { exit: 4, about: "The upstream refused the token (401) or the request (403)." },
  UPSTREAM_UNREACHABLE: { exit: 5, about: "The upstream could not be reached, or every retry failed." },
  UPSTREAM_RATE_LIMITED: { exit: 5, about: "The upstream answered 429 to every retry." },
  UPSTREAM_TIMEOUT: { exit: 5, about: "The upstream did not answer in time." },
  UPSTREAM_NOT_FOUND: {
    exit: 5,
    about: "The upstream answered 404 to a path of its API: the host or region is wrong.",
  },
  UPSTREAM_INVALID_REQUEST: { exit: 5, about: "The upstream rejected a parameter (400, 422)." },
  UPSTREAM_BAD_ANSWER: {
    exit: 5,
    about: "A response was truncated, too large, not JSON, or not shaped as the API documents.",
  },
  WORKER_QUEUE_UNREACHABLE: {
    exit: 5,
    about: "The Redis or PostgreSQL of `worker.queue` could not be reached at startup, or refused the connection.",
  },
  UPSTREAM_INCONSISTENT: {
    exit: 6,
    about: "The space could not be read consistently at one cv. The previous generation was kept.",
  },
  UPSTREAM_EMPTY: {
    exit: 6,
    about: "The upstream returned no stories where it had some before. The previous generation was kept.",
  },
  REMOVAL_BRAKE: { exit: 6, about: "The sync would remove suspiciously much. The previous generation was kept." },
  REQUEST_LIMIT: { exit: 6, about: "The sync needs more requests than `queue.maxRequests` allows." },
  SPACE_MISMATCH: { exit: 6, about: "The output folder contains the snapshot of another space." },
  SNAPSHOT_AHEAD: {
    exit: 6,
    about:
      "The output folder has a generation that did not come from the pull source, and the source has none that is newer.",
  },
  STORE_UNSAFE: {
    exit: 6,
    about:
      "The bucket ignores conditional writes, so two writers could overwrite each other. Offprint reads it but does not write to it.",
  },
  STORE_REFUSED: { exit: 4, about: "The bucket refused the key, or an operation that the key is not allowed." },
  STORE_MISSING: { exit: 2, about: "The bucket does not exist, or is in another region." },
  STORE_CREDENTIALS: { exit: 4, about: "No key for the bucket was found, or it has expired." },
  STORE_UNREACHABLE: { exit: 5, about: "The store could not be reached, or every retry failed." },
  STORE_BAD_ANSWER: { exit: 5, about: "A response of the store was truncated, or is not what its API documents." },
  SNAPSHOT_DAMAGED: { exit: 7, about: "A snapshot file is missing, or does not match the manifest." },
  SNAPSHOT_FORMAT: { exit: 7, about: "A newer version of this program wrote the snapshot." },
  UNCHANGED: { exit: 9, about: "Nothing changed, or there is nothing to do. A failure only with --exit-code." },
  TYPES_DIFFER: { exit: 10, about: "A types file does not match the snapshot. Only from `offprint types --check`." },
  CHECK_FAILED: {
    exit: 10,
    about: "The content has findings of a level that `check.failOn` rejects. Only from `offprint check`.",
  },
  CONTENT_DRIFT: {
    exit: 6,
    about:
      "The shape of the content differs from the lock, with `check.drift: freeze`. The previous generation was kept.",
  },
  CONTENT_DRIFTED: { exit: 0, about: "The shape of the content differs from the lock, with `check.drift: warn`." },
  CONTENT_OUTDATED: {
    exit: 0,
    about: "Another version of Offprint wrote the content tree. `offprint export` or the next sync rewrites it.",
  },
  CONTENT_UNLOCKED: {
    exit: 0,
    about: "The setting `check.drift` has no effect: it compares with a lock, and there is no lock yet.",
  },
  LOCKED: { exit: 11, about: "Another process is writing to the same output folder or store." },
  NO_SPACE: { exit: 12, about: "The disk is full. The previous snapshot is intact." },
  INTERRUPTED: { exit: 130, about: "Interrupted (SIGINT)." },
  TERMINATED: { exit: 143, about: "Terminated (SIGTERM)." },
  HELD: { exit: 0, about: "Someone rolled back to the current generation and holds it: sync leaves it alone." },
  CURSOR_RESET: {
    exit: 0,
    about: "Offprint does not know what changed since a consumer's cursor. The consumer gets the full list.",
  },
  PART_NOT_INCLUDED: {
    exit: 0,
    about: "The token may not read a part of the space, or the upstream does not have it.",
  },
  PART_KEPT: { exit: 0, about: "A part could not be read this time. The previous copy is kept." },
  SPACE_REDACTED: {
    exit: 0,
    about: "The space record contains what looks like a personal address or a secret. These fields were redacted.",
  },
  RECORD_UNUSABLE: {
    exit: 0,
    about:
      "A record of the space has no id, or shares its id with another record. It was skipped; the previous version, if any, was kept.",
  },
  FIELD_UNUSABLE: {
    exit: 0,
    about: "A field of a record has an unexpected type. The record is stored unchanged, and the field is ignored.",
  },
  EVENT_NOT_SEEN: {
    exit: 0,
    about: "A webhook announced a change, but two minutes later the upstream still answered with an older cv.",
  },
  LANGUAGES_UNKNOWN: {
    exit: 0,
    about:
      "The upstream cannot list its languages. With `all`, only the default language was read; in a list, a mistyped code goes unnoticed.",
  },
  RELATION_DANGLING: { exit: 0, about: "A field refers to a story that the edition does not have." },
  LINK_DEAD: {
    exit: 0,
    about: "A link points to a story that the edition does not have, or to a path of the site that has no story.",
  },
  LINK_OUTSIDE: {
    exit: 0,
    about:
      "A link or relation names a story that `source.include` leaves out. Reported with `resolve.links.outside: warn`.",
  },
  URL_TWICE: { exit: 0, about: "Two stories have the same URL on the site, so it shows only one of them." },
  ASSET_GONE: { exit: 0, about: "An asset was deleted upstream (403, 404, 410). A local file is kept." },
  ASSET_NOT_ALLOWED: { exit: 0, about: "An asset is on a host that `assets.hosts` does not allow. Its URL was kept." },
  ASSET_LEFT: { exit: 0, about: "Assets were not downloaded because `assets.download` is off." },
  CONTENT_EDITED: { exit: 0, about: "A content file that is no longer needed was edited by hand, so it was kept." },
  STATUS_FILE_FAILED: {
    exit: 0,
    about: "The file of `--metrics-file` or `--status-file` could not be written. The sync is not affected.",
  },
  CACHE_UNUSABLE: {
    exit: 0,
    about: "The cache of the store cannot keep more files. Offprint reads from the store itself.",
  },
  CONTENT_UNKNOWN: { exit: 0, about: "A content value of an unknown shape was kept unchanged." },
} as const satisfies Record<string, { exit: number; about: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** A failure or warning, as `sync --json` prints it. */
export interface Problem {
  code: ErrorCode;
  /** What happened, with the value that caused it. */
  message: string;
  /** What to do about it; "" if there is nothing to do. */
  hint: string;
  /** How many problems this one stands for, if more than one. */
  count?: number;
  /** The records concerned, if all are known: a part of the snapshot, and uuids. */
  about?: { part: string; uuids: string[] };
  /** Where in the content it is, for whoever names it to an editor. */
  place?: ProblemPlace;
}

/** The place of a problem in the content: data only, because names come from elsewhere. */
export interface ProblemPlace {
  /** `published/de` */
  edition: string;
  /** Uuid of the story. */
  story: string;
  /** Path in its content, `body[1].link`; absent: the whole story. */
  field?: string;
  /** Uuid of the story that the field names. */
  target?: string;
}

/** Adds up the problems; one may stand for several. */
export function countProblems(problems: readonly Problem[]): number {
  return problems.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** An error that a user can act on. */
export class OffprintError extends Error {
  override readonly name = "OffprintError";
  readonly code: ErrorCode;
  readonly hint: string;
  /** Several problems found at once (configuration); empty if this error is the only one. */
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

  get exitCode(): number {
    return errorCodes[this.code].exit;
  }

  toProblem(): Problem {
    return { code: this.code, message: this.message, hint: this.hint };
  }
}

/** Whether the value is an {@link OffprintError}, with this code if given. */
export function isOffprintError(value: unknown, code?: ErrorCode): value is OffprintError {
  return value instanceof OffprintError && (code === undefined || value.code === code);
}

/** Whether a call failed because of too many open files, by process or machine. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}

/** @param what what failed, without a full stop */
export function tooManyOpenFiles(what: string, cause: unknown): OffprintError {
  return new OffprintError("TOO_MANY_OPEN_FILES", `${what}: too many files are open.`, {
    hint: "Raise the limit (`ulimit -n 1024`), or stop other programs with many open files, and run the same command again.",
    cause,
  });
}
