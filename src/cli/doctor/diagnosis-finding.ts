/** An error makes a sync fail, a warning may do so later, a note is information. */
export type FindingLevel = "ok" | "note" | "warning" | "error";

/** Findings (docs/doctor.md). A code never changes its meaning. `exit`: the exit code if this is the first error. */
export const findingCodes = {
  CONFIG_OK: { level: "ok", about: "The configuration can be read, and every key fits." },
  CONFIG_PROBLEM: { level: "error", exit: 2, about: "sync.config.yaml is missing or invalid." },

  NODE_OK: { level: "ok", about: "The version of Node is supported." },
  NODE_TOO_OLD: { level: "error", exit: 2, about: "Node is too old." },
  NODE_SHORT_LIVED: { level: "note", about: "This Node release gets no long-term support." },
  NODE_MEMORY: { level: "warning", about: "Node may exceed the machine's or container's memory, or get very little." },
  NODE_OPEN_FILES: { level: "warning", about: "This process may open few files." },

  PROXY_NONE: { level: "ok", about: "No proxy is set." },
  PROXY_USED: { level: "note", about: "Requests go through a proxy." },
  PROXY_BYPASSED: { level: "note", about: "A proxy is set, but not for this upstream." },
  PROXY_IGNORED: { level: "warning", about: "Offprint does not read ALL_PROXY." },
  PROXY_INVALID: { level: "error", exit: 2, about: "A proxy variable has no address, or a SOCKS one." },

  HOST_OK: { level: "ok", about: "The host answers as the interface does." },
  HOST_UNREACHABLE: { level: "error", exit: 5, about: "No connection, or no answer in time." },
  HOST_FAILING: { level: "error", exit: 5, about: "The host reports a fault, or too many requests." },
  HOST_NOT_INTERFACE: { level: "error", exit: 5, about: "The host has no content API." },
  HOST_ELSEWHERE: { level: "error", exit: 5, about: "The host redirects: the space is in another region." },

  TOKEN_OK: { level: "ok", about: "The token reads what the configuration asks for." },
  TOKEN_REFUSED: { level: "error", exit: 4, about: "The token is wrong, revoked, or of another region." },
  TOKEN_WITHOUT_DRAFTS: {
    level: "error",
    exit: 4,
    about: "source.versions or source.releases needs drafts; the token reads none.",
  },
  TOKEN_READS_DRAFTS: { level: "note", about: "The token reads drafts, which nothing needs." },
  TOKEN_PUBLIC_ADDRESS: { level: "warning", about: "The token travels over http, readable." },

  LANGUAGES_OK: { level: "ok", about: "The space has every language that source.languages names." },
  LANGUAGE_UNKNOWN: { level: "error", exit: 2, about: "The space lacks a language of source.languages." },
  LANGUAGE_GONE: { level: "error", exit: 6, about: "The same, but the last sync had it." },
  LANGUAGES_UNLISTED: { level: "warning", about: "No language list: a mistyped code would return default texts." },

  CLOCK_OK: { level: "ok", about: "The clock of this machine agrees with that of the upstream." },
  CLOCK_SKEWED: { level: "warning", about: "This clock is over a minute off." },
  CLOCK_UNKNOWN: { level: "note", about: "The upstream does not send its time." },

  DISK_OK: { level: "ok", about: "Writing, renaming, linking and making durable work where the output lies." },
  DISK_NOT_WRITABLE: { level: "error", exit: 2, about: "The output cannot be written." },
  DISK_FULL: { level: "error", exit: 12, about: "No room, even for a small file." },
  DISK_LOW: { level: "warning", about: "Less room than a second snapshot may need." },
  DISK_FEW_FILES: { level: "warning", about: "Few inodes left, whatever the free bytes." },
  DISK_NETWORK: { level: "warning", about: "The output is on a network or FUSE file system." },
  DISK_WITHOUT_LINKS: { level: "note", about: "No hard links: commits write the manifest twice." },
  DISK_IGNORES_CASE: { level: "note", about: "The disk treats A and a alike." },

  PATH_BACKSLASH: { level: "note", about: "A path has a backslash, no separator here." },

  FOLDER_OK: {
    level: "ok",
    about: "The output folder holds a snapshot of this source, with every file that it names.",
  },
  FOLDER_EMPTY: { level: "note", about: "No snapshot yet." },
  FOLDER_OTHER_SPACE: { level: "error", exit: 6, about: "The snapshot is of another space." },
  FOLDER_DAMAGED: { level: "warning", about: "Files are missing or differ; sync reads them again." },
  FOLDER_NEWER: { level: "error", exit: 7, about: "A newer version wrote the snapshot." },
  FOLDER_UNUSABLE: { level: "error", exit: 2, about: "The output is a link, a file, or unreadable." },
  FOLDER_HELD: { level: "note", about: "Held after a rollback: sync leaves it alone." },
  FOLDER_LOCKED: { level: "note", about: "Another process is writing." },
  FOLDER_LOCK_LEFT: { level: "note", about: "A dead process left a lock; sync takes it." },
  FOLDER_NOT_IGNORED: { level: "note", about: "Git would add the output folder." },
  FOLDER_STALE: { level: "warning", about: "The last check is older than schedule.maxAge." },

  STORE_OK: { level: "ok", about: "The bucket of output.store answers, and holds a snapshot." },
  STORE_EMPTY: { level: "note", about: "The bucket holds no snapshot yet." },
  STORE_NO_KEY: { level: "error", exit: 4, about: "The bucket's key is missing or expired." },
  STORE_REFUSED: { level: "error", exit: 4, about: "The bucket refuses the key, or a permission." },
  STORE_MISSING: { level: "error", exit: 2, about: "No such bucket, or another region." },
  STORE_UNREACHABLE: { level: "error", exit: 5, about: "The storage is unreachable, or keeps failing." },
  STORE_NOT_S3: { level: "error", exit: 5, about: "The endpoint is not S3-compatible." },
  STORE_LEASED: { level: "note", about: "A process holds the write lease." },
  STORE_TRIED: {
    level: "ok",
    about: "A step of the trial (`--store`): the storage does what a shared snapshot needs.",
  },
  STORE_LATE_WRITES: {
    level: "warning",
    about: "Late requests pass: a stopped process may write once after its lease.",
  },
  STORE_UNSAFE: {
    level: "error",
    exit: 6,
    about: "Trial: the storage ignores write conditions, so Offprint only reads it.",
  },
  STORE_UNSAFE_ALONE: { level: "warning", about: "The same, with output.s3.singleWriter." },

  SCHEDULE_OK: { level: "ok", about: "The schedule leaves room for the runs, and maxAge for the schedule." },
  SCHEDULE_SHORT: { level: "warning", about: "The interval is shorter than a recent run." },
  SCHEDULE_MAX_AGE: { level: "warning", about: "schedule.maxAge is shorter than interval plus run." },
  SCHEDULE_GITHUB: { level: "note", about: "GitHub's schedules run hours late." },

  WEBHOOKS_OK: { level: "ok", about: "Events are signed with a secret, or come to an address that nobody can guess." },
  WEBHOOKS_OPEN: { level: "note", about: "Webhooks are off: neither webhooks.secret nor webhooks.key." },
  WEBHOOKS_WEAK: { level: "warning", about: "webhooks.secret or webhooks.key can be guessed." },

  HOOKS_OK: { level: "ok", about: "The programs of onCommit are there." },
  HOOK_NOT_FOUND: { level: "error", exit: 2, about: "An onCommit program is not on PATH, or not executable." },

  CONTENT_LOCK_OK: { level: "ok", about: "The lock that check.drift compares with is there." },
  CONTENT_LOCK_MISSING: { level: "warning", about: "check.drift needs a lock; none exists." },
  CONTENT_LOCK_UNUSABLE: { level: "error", exit: 2, about: "check.lock is unreadable, or no content lock." },

  QUEUE_OK: { level: "ok", about: "The queue of the workers answers, and drops nothing." },
  QUEUE_ENGINE_MISSING: { level: "error", exit: 2, about: "The workers' packages are not installed." },
  QUEUE_UNREACHABLE: { level: "error", exit: 5, about: "The queue is unreachable, or refuses." },
  QUEUE_UNSAFE: { level: "error", exit: 2, about: "Redis drops keys when full: jobs get lost." },
  QUEUE_VOLATILE: { level: "note", about: "Redis forgets jobs on restart." },

  CONSUMERS_OK: { level: "ok", about: "Every consumer is near the current generation." },
  CONSUMER_BEHIND: { level: "warning", about: "A consumer is late, and keeps old generations." },
  CONSUMER_UNKNOWN: { level: "note", about: "A cursor matches no onCommit command." },
  CONSUMER_DAMAGED: { level: "warning", about: "A cursor is unreadable: its consumer gets everything again." },
} as const satisfies Record<string, { level: FindingLevel; about: string; exit?: number }>;

export type FindingCode = keyof typeof findingCodes;

export interface Finding {
  code: FindingCode;
  level: FindingLevel;
  /** Describes the finding, with values but without secrets. */
  what: string;
  /** What to do. Empty if there is nothing to do. */
  hint: string;
}

export function finding(code: FindingCode, what: string, hint = ""): Finding {
  return { code, level: findingCodes[code].level, what, hint };
}

/** Exit code: 0 without errors, 2 for a configuration error, otherwise that of the first error. */
export function exitCodeOf(findings: readonly Finding[]): number {
  const exits = findings.flatMap(({ code }) => {
    const entry = findingCodes[code];
    return "exit" in entry ? [entry.exit] : [];
  });
  return findings.some(({ code }) => code === "CONFIG_PROBLEM") ? findingCodes.CONFIG_PROBLEM.exit : (exits[0] ?? 0);
}
