/**
 * Every error code; `docs/errors.md` lists them. A code never changes its meaning; an `exit` of 0 marks a warning.
 */
export const errorCodes = {
  ...withExit(1, {
    UNEXPECTED: "A bug in this program: please report it.",
  }),
  ...withExit(2, {
    USAGE:
      "The command line, or a library call, asks for something that does not exist, or combines options that exclude each other.",
    NODE_TOO_OLD: "This program needs a newer version of Node. Nothing was loaded.",
    CONFIG_MISSING: "There is no configuration file.",
    CONFIG_INVALID: "The configuration has problems. All of them are listed.",
    LANGUAGE_UNKNOWN: "The space does not have a language of `source.languages`. Nothing was read.",
    SNAPSHOT_MISSING: "The output folder has no snapshot yet, or not the requested generation.",
    DEMO_EDITS_INVALID: "The edit log of the demo space is damaged, or another version of this program wrote it.",
    OUTPUT_UNUSABLE: "The output folder cannot be used: it is read-only, a link, or inside a .git folder.",
    TOO_MANY_OPEN_FILES: "This process or machine cannot open another file: a limit such as `ulimit -n` is too low.",
    FOLDER_UNUSABLE: "The working folder was deleted, or a project file cannot be written there.",
    PROJECT_UNUSABLE:
      "The folder contains no site that `init --site` knows, more than one, or an unreadable package.json.",
    WORKER_ENGINE_MISSING: "The packages that `offprint worker` needs for its queue are not installed.",
    WORKER_QUEUE_UNSAFE: "The Redis of `worker.queue` evicts keys when its memory is full, so jobs could be lost.",
    STORE_MISSING: "The bucket does not exist, or is in another region.",
  }),
  ...withExit(3, {
    ASSET_FAILED:
      "An asset is too large or could not be downloaded, so content links to its URL. Fails a sync only with `assets.onFailure: fail` or `--strict`.",
    CONTENT_BLOCKED:
      "The snapshot was committed, but a file that Offprint did not write is in the place of a content file.",
    TYPES_BLOCKED:
      "The content types could not be written: Offprint did not write the existing file, or the path is not writable.",
    HOOK_FAILED: "A consumer's command (`onCommit`) exited with a code other than 0. A later sync runs it again.",
    HOOK_TIMED_OUT: "A consumer's command (`onCommit`) exceeded its `timeout`. A later sync runs it again.",
  }),
  ...withExit(4, {
    UPSTREAM_REFUSED: "The upstream refused the token (401) or the request (403).",
    STORE_REFUSED: "The bucket refused the key, or an operation that the key is not allowed.",
    STORE_CREDENTIALS: "No key for the bucket was found, or it has expired.",
  }),
  ...withExit(5, {
    UPSTREAM_UNREACHABLE: "The upstream could not be reached, or every retry failed.",
    UPSTREAM_RATE_LIMITED: "The upstream answered 429 to every retry.",
    UPSTREAM_TIMEOUT: "The upstream did not answer in time.",
    UPSTREAM_NOT_FOUND: "The upstream answered 404 to a path of its API: the host or region is wrong.",
    UPSTREAM_INVALID_REQUEST: "The upstream rejected a parameter (400, 422).",
    UPSTREAM_BAD_ANSWER: "A response was truncated, too large, not JSON, or not shaped as the API documents.",
    WORKER_QUEUE_UNREACHABLE:
      "The Redis or PostgreSQL of `worker.queue` could not be reached at startup, or refused the connection.",
    STORE_UNREACHABLE: "The store could not be reached, or every retry failed.",
    STORE_BAD_ANSWER: "A response of the store was truncated, or is not what its API documents.",
  }),
  ...withExit(6, {
    UPSTREAM_INCONSISTENT: "The space could not be read consistently at one cv. The previous generation was kept.",
    UPSTREAM_EMPTY: "The upstream returned no stories where it had some before. The previous generation was kept.",
    REMOVAL_BRAKE: "The sync would remove suspiciously much. The previous generation was kept.",
    REQUEST_LIMIT: "The sync needs more requests than `queue.maxRequests` allows.",
    SPACE_MISMATCH: "The output folder contains the snapshot of another space.",
    SNAPSHOT_AHEAD:
      "The output folder has a generation that did not come from the pull source, and the source has none that is newer.",
    STORE_UNSAFE:
      "The bucket ignores conditional writes, so two writers could overwrite each other. Offprint reads it but does not write to it.",
    CONTENT_DRIFT:
      "The shape of the content differs from the lock, with `check.drift: freeze`. The previous generation was kept.",
  }),
  ...withExit(7, {
    SNAPSHOT_DAMAGED: "A snapshot file is missing, or does not match the manifest.",
    SNAPSHOT_FORMAT: "A newer version of this program wrote the snapshot.",
  }),
  ...withExit(9, {
    UNCHANGED: "Nothing changed, or there is nothing to do. A failure only with --exit-code.",
  }),
  ...withExit(10, {
    TYPES_DIFFER: "A types file does not match the snapshot. Only from `offprint types --check`.",
    CHECK_FAILED: "The content has findings of a level that `check.failOn` rejects. Only from `offprint check`.",
  }),
  ...withExit(11, {
    LOCKED: "Another process is writing to the same output folder or store.",
  }),
  ...withExit(12, {
    NO_SPACE: "The disk is full. Nothing that was committed is lost.",
  }),
  ...withExit(130, {
    INTERRUPTED: "Interrupted (SIGINT).",
  }),
  ...withExit(143, {
    TERMINATED: "Terminated (SIGTERM).",
  }),
  ...withExit(0, {
    CONTENT_DRIFTED: "The shape of the content differs from the lock, with `check.drift: warn`.",
    CONTENT_OUTDATED:
      "Another version of Offprint wrote the content tree. `offprint export` or the next sync rewrites it.",
    CONTENT_UNLOCKED: "The setting `check.drift` has no effect: it compares with a lock, and there is no lock yet.",
    HELD: "Someone rolled back to the current generation and holds it: sync leaves it alone.",
    CURSOR_RESET: "Offprint does not know what changed since a consumer's cursor. The consumer gets the full list.",
    PART_NOT_INCLUDED: "The token may not read a part of the space, or the upstream does not have it.",
    PART_KEPT: "A part could not be read this time. The previous copy is kept.",
    SPACE_REDACTED:
      "The space record contains what looks like a personal address or a secret. These fields were redacted.",
    RECORD_UNUSABLE:
      "A record of the space has no id, or shares its id with another record. Skipped; a story's previous version, if any, was kept.",
    FIELD_UNUSABLE:
      "A field of a record has an unexpected type. The record is stored unchanged, and the field is ignored.",
    EVENT_NOT_SEEN: "A webhook announced a change, but two minutes later the upstream still answered with an older cv.",
    LANGUAGES_UNKNOWN:
      "The upstream cannot list its languages. With `all`, only the default language was read; in a list, a mistyped code goes unnoticed.",
    RELATION_DANGLING: "A field refers to a story that the edition does not have.",
    LINK_DEAD: "A link points to a story that the edition does not have, or to a path of the site that has no story.",
    LINK_OUTSIDE:
      "A link or relation names a story that `source.include` leaves out. Reported with `resolve.links.outside: warn`.",
    URL_TWICE: "Two stories have the same URL on the site, so it shows only one of them.",
    ASSET_GONE: "An asset was deleted upstream (403, 404, 410). A local file is kept.",
    ASSET_NOT_ALLOWED: "An asset is on a host that `assets.hosts` does not allow. Its URL was kept.",
    ASSET_LEFT: "Assets were not downloaded because `assets.download` is off.",
    CONTENT_EDITED: "A content file that is no longer needed was edited by hand, so it was kept.",
    STATUS_FILE_FAILED:
      "The file of `--metrics-file` or `--status-file` could not be written. The sync is not affected.",
    CACHE_UNUSABLE: "The cache of the store cannot keep more files. Offprint reads from the store itself.",
    CONTRACT_UNKNOWN:
      "Answers have a key that this version does not know. The first sync that reads it says so; `offprint doctor` lists them.",
    CONTENT_UNKNOWN: "A content value of an unknown shape was kept unchanged.",
  }),
};

function withExit<Exit extends number, Code extends string>(exit: Exit, abouts: Readonly<Record<Code, string>>) {
  const codes = Object.entries<string>(abouts).map(([code, about]) => [code, { exit, about }]);
  return Object.fromEntries(codes) as Readonly<Record<Code, { readonly exit: Exit; readonly about: string }>>;
}

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

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** For `catch`: the error, if it is an {@link OffprintError}; throws any other one. */
export function ownError(error: unknown): OffprintError {
  if (isOffprintError(error)) return error;
  throw error;
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
