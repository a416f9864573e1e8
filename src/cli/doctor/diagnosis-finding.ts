/** An error makes a sync fail, a warning may do so later, a note is information. */
export type FindingLevel = "ok" | "note" | "warning" | "error";

const ok = (about: string) => ({ level: "ok", about }) as const;
const note = (about: string) => ({ level: "note", about }) as const;
const warning = (about: string) => ({ level: "warning", about }) as const;
const error = (exit: number, about: string) => ({ level: "error", exit, about }) as const;

/** Findings (docs/doctor.md). A code never changes its meaning. `exit`: the exit code if this is the first error. */
export const findingCodes = {
  CONFIG_OK: ok("The configuration can be read, and every key fits."),
  CONFIG_PROBLEM: error(2, "sync.config.yaml is missing or invalid."),

  NODE_OK: ok("The version of Node is supported."),
  NODE_TOO_OLD: error(2, "Node is too old."),
  NODE_SHORT_LIVED: note("This Node release gets no long-term support."),
  NODE_MEMORY: warning("Node may exceed the machine's or container's memory, or get very little."),
  NODE_OPEN_FILES: warning("This process may open few files."),

  PROXY_NONE: ok("No proxy is set."),
  PROXY_USED: note("Requests go through a proxy."),
  PROXY_BYPASSED: note("A proxy is set, but not for this upstream."),
  PROXY_IGNORED: warning("Offprint does not read ALL_PROXY."),
  PROXY_INVALID: error(2, "A proxy variable has no address, or a SOCKS one."),

  HOST_OK: ok("The host answers as the interface does."),
  HOST_UNREACHABLE: error(5, "No connection, or no answer in time."),
  HOST_FAILING: error(5, "The host reports a fault, or too many requests."),
  HOST_NOT_INTERFACE: error(5, "The host has no content API."),
  HOST_ELSEWHERE: error(5, "The host redirects: the space is in another region."),

  TOKEN_OK: ok("The token reads what the configuration asks for."),
  TOKEN_REFUSED: error(4, "The token is wrong, revoked, or of another region."),
  TOKEN_WITHOUT_DRAFTS: error(4, "source.versions or source.releases needs drafts; the token reads none."),
  TOKEN_READS_DRAFTS: note("The token reads drafts, which nothing needs."),
  TOKEN_PUBLIC_ADDRESS: warning("The token travels over http, readable."),

  LANGUAGES_OK: ok("The space has every language that source.languages names."),
  LANGUAGE_UNKNOWN: error(2, "The space lacks a language of source.languages."),
  LANGUAGE_GONE: error(6, "The same, but the last sync had it."),
  LANGUAGES_UNLISTED: warning("No language list: a mistyped code would return default texts."),

  CLOCK_OK: ok("The clock of this machine agrees with that of the upstream."),
  CLOCK_SKEWED: warning("This clock is over a minute off."),
  CLOCK_UNKNOWN: note("The upstream does not send its time."),

  DISK_OK: ok("Writing, renaming, linking and making durable work where the output lies."),
  DISK_NOT_WRITABLE: error(2, "The output cannot be written."),
  DISK_FULL: error(12, "No room, even for a small file."),
  DISK_LOW: warning("Less room than a second snapshot may need."),
  DISK_FEW_FILES: warning("Few inodes left, whatever the free bytes."),
  DISK_NETWORK: warning("The output is on a network or FUSE file system."),
  DISK_WITHOUT_LINKS: note("No hard links: commits write the manifest twice."),
  DISK_IGNORES_CASE: note("The disk treats A and a alike."),

  PATH_BACKSLASH: note("A path has a backslash, no separator here."),

  FOLDER_OK: ok("The output folder holds a snapshot of this source, with every file that it names."),
  FOLDER_EMPTY: note("No snapshot yet."),
  FOLDER_OTHER_SPACE: error(6, "The snapshot is of another space."),
  FOLDER_DAMAGED: warning("Files are missing or differ; sync reads them again."),
  FOLDER_NEWER: error(7, "A newer version wrote the snapshot."),
  FOLDER_UNUSABLE: error(2, "The output is a link, a file, or unreadable."),
  FOLDER_HELD: note("Held after a rollback: sync leaves it alone."),
  FOLDER_LOCKED: note("Another process is writing."),
  FOLDER_LOCK_LEFT: note("A dead process left a lock; sync takes it."),
  FOLDER_NOT_IGNORED: note("Git would add the output folder."),
  FOLDER_STALE: warning("The last check is older than schedule.maxAge."),

  STORE_OK: ok("The bucket of output.store answers, and holds a snapshot."),
  STORE_EMPTY: note("The bucket holds no snapshot yet."),
  STORE_NO_KEY: error(4, "The bucket's key is missing or expired."),
  STORE_REFUSED: error(4, "The bucket refuses the key, or a permission."),
  STORE_MISSING: error(2, "No such bucket, or another region."),
  STORE_UNREACHABLE: error(5, "The storage is unreachable, or keeps failing."),
  STORE_NOT_S3: error(5, "The endpoint is not S3-compatible."),
  STORE_LEASED: note("A process holds the write lease."),
  STORE_TRIED: ok("A step of the trial (`--store`): the storage does what a shared snapshot needs."),
  STORE_LATE_WRITES: warning("Late requests pass: a stopped process may write once after its lease."),
  STORE_UNSAFE: error(6, "Trial: the storage ignores write conditions, so Offprint only reads it."),
  STORE_UNSAFE_ALONE: warning("The same, with output.s3.singleWriter."),

  SCHEDULE_OK: ok("The schedule leaves room for the runs, and maxAge for the schedule."),
  SCHEDULE_SHORT: warning("The interval is shorter than a recent run."),
  SCHEDULE_MAX_AGE: warning("schedule.maxAge is shorter than interval plus run."),
  SCHEDULE_GITHUB: note("GitHub's schedules run hours late."),

  WEBHOOKS_OK: ok("Events are signed with a secret, or come to an address that nobody can guess."),
  WEBHOOKS_OPEN: note("Webhooks are off: neither webhooks.secret nor webhooks.key."),
  WEBHOOKS_WEAK: warning("webhooks.secret or webhooks.key can be guessed."),

  HOOKS_OK: ok("The programs of onCommit are there."),
  HOOK_NOT_FOUND: error(2, "An onCommit program is not on PATH, or not executable."),

  CONTENT_LOCK_OK: ok("The lock that check.drift compares with is there."),
  CONTENT_LOCK_MISSING: warning("check.drift needs a lock; none exists."),
  CONTENT_LOCK_UNUSABLE: error(2, "check.lock is unreadable, or no content lock."),

  CONTRACT_OK: ok("With `--contract`: the API describes every key of the stored records."),
  CONTRACT_UNKNOWN: note("Records have keys or values that the API does not describe; the snapshot keeps them."),

  QUEUE_OK: ok("The queue of the workers answers, and drops nothing."),
  QUEUE_ENGINE_MISSING: error(2, "The workers' packages are not installed."),
  QUEUE_UNREACHABLE: error(5, "The queue is unreachable, or refuses."),
  QUEUE_UNSAFE: error(2, "Redis drops keys when full: jobs get lost."),
  QUEUE_VOLATILE: note("Redis forgets jobs on restart."),

  CONSUMERS_OK: ok("Every consumer is near the current generation."),
  CONSUMER_BEHIND: warning("A consumer is late, and keeps old generations."),
  CONSUMER_UNKNOWN: note("A cursor matches no onCommit command."),
  CONSUMER_DAMAGED: warning("A cursor is unreadable: its consumer gets everything again."),
} as const;

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
