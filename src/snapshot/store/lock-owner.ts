import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { parseAs } from "../../lib/parse-as.js";
import { matching, object, optional, orNull, type ShapeOf, text, where, wholeNumber } from "../../lib/shape.js";
import { errnoOf, whenFileIsFree } from "./file-error.js";

const ownerFields = {
  pid: where(wholeNumber, "above 0", (pid) => pid > 0),
  host: text,
  /** The pid namespace (each container has one): `pid:[4026531836]`; null on systems without it. */
  pidNamespace: orNull(text),
  /** In clock ticks since the host booted; null if the system does not show it. */
  processStart: orNull(text),
  /** Identifies this acquisition, even among those of the same process. */
  nonce: matching("16 hexadecimal digits", /^[0-9a-f]{16}$/),
  /** ISO 8601, by the owner's clock. */
  since: text,
};

export const ownerShape = object(ownerFields);
export type LockOwner = ShapeOf<typeof ownerShape>;
/** Older program versions did not write the namespace. */
const writtenShape = object({ ...ownerFields, pidNamespace: optional(ownerFields.pidNamespace) });

export async function newOwner(): Promise<LockOwner> {
  return {
    pid: process.pid,
    host: hostname(),
    pidNamespace: pidNamespace(),
    processStart: await processStart(process.pid),
    nonce: randomBytes(8).toString("hex"),
    since: new Date().toISOString(),
  };
}

export function parseOwner(text: string): LockOwner | undefined {
  const value = parseAs(text, writtenShape);
  return value && { ...value, pidNamespace: value.pidNamespace ?? null };
}

/** Names the process in a message. */
export function ownerText({ pid, host, since }: Pick<LockOwner, "pid" | "host" | "since">): string {
  return `process ${pid} on ${host} since ${since}`;
}

/** Whether the owner shares our host and pid namespace, so that we can check if it runs. */
export function isNeighbour(owner: Pick<LockOwner, "host"> & { pidNamespace?: string | null }): boolean {
  const [ours, its] = [pidNamespace(), owner.pidNamespace ?? null];
  return owner.host === hostname() && (ours === null || its === null || ours === its);
}

export function pidNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}

/** Whether an owner on this host has ended: its pid is free, reused, or of a zombie process. */
export async function isGone(owner: LockOwner): Promise<boolean> {
  if (!isRunning(owner.pid)) return true;
  const [state, start = null] = await processFields(owner.pid);
  if (state === "Z") return true;
  return start !== null && owner.processStart !== null && start !== owner.processStart;
}

export async function processStart(pid: number): Promise<string | null> {
  return (await processFields(pid))[1] ?? null;
}

/** State and start: fields 3 and 22 of /proc/<pid>/stat. Field 2 may contain anything. */
async function processFields(pid: number): Promise<(string | undefined)[]> {
  try {
    const stat = await whenFileIsFree(() => readFile(`/proc/${pid}/stat`, "utf8"));
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [fields[0], fields[19]];
  } catch {
    return [];
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return errnoOf(error) !== "ESRCH";
  }
}
