/** An error prevents a sync, a warning may prevent a later one, a note is information. */
export type FindingLevel = "ok" | "note" | "warning" | "error";

/**
 * The closed set of what `offprint doctor` finds. A code never changes its meaning; docs/doctor.md lists each of them.
 *
 * `exit`: of an error, what the command ends with where this is the first error; that of the sync which would fail of it.
 */
export const findingCodes = {
  CONFIG_OK: { level: "ok", about: "The configuration can be read, and every key fits." },
  CONFIG_PROBLEM: { level: "error", exit: 2, about: "The configuration is not there, or a key does not fit." },

  NODE_OK: { level: "ok", about: "The version of Node is supported." },
  NODE_TOO_OLD: { level: "error", exit: 2, about: "The version of Node is older than this program needs." },
  NODE_SHORT_LIVED: { level: "note", about: "A release line of Node that gets no long-term support." },
  NODE_MEMORY: {
    level: "warning",
    about: "Node may use more memory than this machine or container gives, which then kills it; or very little.",
  },
  NODE_OPEN_FILES: { level: "warning", about: "This process may open few files." },

  PROXY_NONE: { level: "ok", about: "No proxy is set." },
  PROXY_USED: { level: "note", about: "Requests to the upstream go through a proxy." },
  PROXY_BYPASSED: { level: "note", about: "A proxy is set, and not used for this upstream." },
  PROXY_IGNORED: { level: "warning", about: "ALL_PROXY is set, which this program does not read." },
  PROXY_INVALID: { level: "error", exit: 2, about: "A proxy variable holds no address, or that of a SOCKS proxy." },

  HOST_OK: { level: "ok", about: "The host answers as the interface does." },
  HOST_UNREACHABLE: { level: "error", exit: 5, about: "The host cannot be reached, or does not answer in time." },
  HOST_FAILING: { level: "error", exit: 5, about: "The host answers that it has a fault, or too many requests." },
  HOST_NOT_INTERFACE: { level: "error", exit: 5, about: "Something answers that is not the content interface." },
  HOST_ELSEWHERE: {
    level: "error",
    exit: 5,
    about: "The host sends to another host: the space lies in another region.",
  },

  TOKEN_OK: { level: "ok", about: "The token reads what the configuration asks for." },
  TOKEN_REFUSED: { level: "error", exit: 4, about: "The token is refused: wrong, revoked, or of another region." },
  TOKEN_WITHOUT_DRAFTS: {
    level: "error",
    exit: 4,
    about: "source.versions or source.releases need drafts, which the token may not read.",
  },
  TOKEN_READS_DRAFTS: { level: "note", about: "The token reads drafts, which the configuration does not ask for." },
  TOKEN_PUBLIC_ADDRESS: { level: "warning", about: "The token is sent over http, readable on the way." },

  LANGUAGES_OK: { level: "ok", about: "The space has every language that source.languages names." },
  LANGUAGE_UNKNOWN: {
    level: "error",
    exit: 2,
    about: "source.languages names a language that the space does not have.",
  },
  LANGUAGE_GONE: {
    level: "error",
    exit: 6,
    about: "The same, and the space had the language when it was read last.",
  },
  LANGUAGES_UNLISTED: {
    level: "warning",
    about: "The upstream does not list its languages: a mistyped code would bring texts of the default language.",
  },

  CLOCK_OK: { level: "ok", about: "The clock of this machine agrees with that of the upstream." },
  CLOCK_SKEWED: {
    level: "warning",
    about: "The clock of this machine differs from that of the upstream by over a minute.",
  },
  CLOCK_UNKNOWN: { level: "note", about: "The upstream does not say its time." },

  DISK_OK: { level: "ok", about: "Writing, renaming, linking and making durable work where the output lies." },
  DISK_NOT_WRITABLE: { level: "error", exit: 2, about: "Nothing can be written where the output lies." },
  DISK_FULL: { level: "error", exit: 12, about: "The disk has no room, not even for a small file." },
  DISK_LOW: { level: "warning", about: "The disk has less room than another copy of the snapshot may take." },
  DISK_FEW_FILES: {
    level: "warning",
    about: "The disk has few inodes left: it may be full of files with bytes to spare.",
  },
  DISK_NETWORK: {
    level: "warning",
    about: "The output lies on a network file system, or one that a user's process serves.",
  },
  DISK_WITHOUT_LINKS: {
    level: "note",
    about: "The disk has no hard links: a commit writes its manifest a second time.",
  },
  DISK_IGNORES_CASE: { level: "note", about: "The disk takes A and a for one name." },

  PATH_BACKSLASH: {
    level: "note",
    about: "A path is written with a backslash, which is no separator on this machine.",
  },

  FOLDER_OK: {
    level: "ok",
    about: "The output folder holds a snapshot of this source, with every file that it names.",
  },
  FOLDER_EMPTY: { level: "note", about: "The output folder holds no snapshot yet." },
  FOLDER_OTHER_SPACE: { level: "error", exit: 6, about: "The output folder holds the snapshot of another space." },
  FOLDER_DAMAGED: {
    level: "warning",
    about: "Files of the snapshot are missing or differ; the next sync reads them again.",
  },
  FOLDER_NEWER: { level: "error", exit: 7, about: "The snapshot was written by a newer version of this program." },
  FOLDER_UNUSABLE: { level: "error", exit: 2, about: "The output folder is a link, a file, or cannot be read." },
  FOLDER_HELD: { level: "note", about: "The generation was rolled back to and is held: sync leaves it alone." },
  FOLDER_LOCKED: { level: "note", about: "Another process writes to the output folder now." },
  FOLDER_LOCK_LEFT: { level: "note", about: "A lock was left by a process that is gone; the next sync takes it over." },
  FOLDER_NOT_IGNORED: { level: "note", about: "Git would add the output folder." },
  FOLDER_STALE: { level: "warning", about: "The space was confirmed longer ago than schedule.maxAge." },

  STORE_OK: { level: "ok", about: "The bucket of output.store answers, and holds a snapshot." },
  STORE_EMPTY: { level: "note", about: "The bucket of output.store answers, and holds no snapshot yet." },
  STORE_NO_KEY: { level: "error", exit: 4, about: "No key for the bucket was found, or it has expired." },
  STORE_REFUSED: {
    level: "error",
    exit: 4,
    about: "The bucket refuses the key, or something that it has to be allowed.",
  },
  STORE_MISSING: { level: "error", exit: 2, about: "There is no such bucket, or it lies in another region." },
  STORE_UNREACHABLE: { level: "error", exit: 5, about: "The storage cannot be reached, or keeps failing." },
  STORE_NOT_S3: { level: "error", exit: 5, about: "Something answers that is not S3-compatible storage." },
  STORE_LEASED: { level: "note", about: "A process has the right to write the bucket now." },
  STORE_TRIED: {
    level: "ok",
    about: "A step of the trial (`--store`): the storage does what a shared snapshot needs.",
  },
  STORE_LATE_WRITES: {
    level: "warning",
    about: "The storage accepts a request after its end: a process that was stopped may write once after its lease.",
  },
  STORE_UNSAFE: {
    level: "error",
    exit: 6,
    about: "A step of the trial: the storage does not keep to the conditions of a write, and is not written to.",
  },
  STORE_UNSAFE_ALONE: {
    level: "warning",
    about: "The same, where output.s3.singleWriter says that nothing else writes there.",
  },

  SCHEDULE_OK: { level: "ok", about: "The schedule leaves room for the runs, and maxAge for the schedule." },
  SCHEDULE_SHORT: { level: "warning", about: "The interval is shorter than a run lately took." },
  SCHEDULE_MAX_AGE: { level: "warning", about: "schedule.maxAge is shorter than the interval and a run together." },
  SCHEDULE_GITHUB: { level: "note", about: "A workflow of GitHub runs on a schedule, which comes hours late." },

  WEBHOOKS_OK: { level: "ok", about: "Events are signed with a secret, or come to an address that nobody can guess." },
  WEBHOOKS_OPEN: { level: "note", about: "No event can be taken: neither webhooks.secret nor webhooks.key is set." },
  WEBHOOKS_WEAK: { level: "warning", about: "webhooks.secret or webhooks.key can be guessed." },

  HOOKS_OK: { level: "ok", about: "The programs of onCommit are there." },
  HOOK_NOT_FOUND: { level: "error", exit: 2, about: "A program of onCommit is not on the PATH, or may not be run." },

  CONTENT_LOCK_OK: { level: "ok", about: "The lock that check.drift compares with is there." },
  CONTENT_LOCK_MISSING: { level: "warning", about: "check.drift compares with a lock, and there is none yet." },
  CONTENT_LOCK_UNUSABLE: {
    level: "error",
    exit: 2,
    about: "The file of check.lock cannot be read, or is no lock of content.",
  },

  QUEUE_OK: { level: "ok", about: "The queue of the workers answers, and drops nothing." },
  QUEUE_ENGINE_MISSING: { level: "error", exit: 2, about: "The packages that the workers need are not installed." },
  QUEUE_UNREACHABLE: { level: "error", exit: 5, about: "The queue of the workers cannot be reached, or refuses." },
  QUEUE_UNSAFE: {
    level: "error",
    exit: 2,
    about: "The Redis of the queue drops keys when its memory is full: jobs would be lost.",
  },
  QUEUE_VOLATILE: { level: "note", about: "The Redis of the queue forgets its jobs when it is restarted." },

  CONSUMERS_OK: { level: "ok", about: "Every consumer is near the current generation." },
  CONSUMER_BEHIND: { level: "warning", about: "A consumer has not come for long, and keeps old generations." },
  CONSUMER_UNKNOWN: { level: "note", about: "A cursor belongs to no command of onCommit." },
  CONSUMER_DAMAGED: { level: "warning", about: "The cursor of a consumer cannot be read: it gets everything again." },
} as const satisfies Record<string, { level: FindingLevel; about: string; exit?: number }>;

export type FindingCode = keyof typeof findingCodes;

/** One thing that was found, good or bad. */
export interface Finding {
  code: FindingCode;
  level: FindingLevel;
  /** What was found, with its values; no secret. */
  what: string;
  /** What to do; empty where there is nothing to do. */
  hint: string;
}

/** A finding, with the level of its code. */
export function finding(code: FindingCode, what: string, hint = ""): Finding {
  return { code, level: findingCodes[code].level, what, hint };
}

/**
 * The exit code: 0 without errors, 2 if the configuration has one, else that of the first error.
 */
export function exitCodeOf(findings: readonly Finding[]): number {
  const exits = findings.flatMap(({ code }) => {
    const entry = findingCodes[code];
    return "exit" in entry ? [entry.exit] : [];
  });
  return findings.some(({ code }) => code === "CONFIG_PROBLEM") ? findingCodes.CONFIG_PROBLEM.exit : (exits[0] ?? 0);
}
