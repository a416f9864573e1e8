import type { Random } from "../support/model-space/random.js";

/** What happens to a process at one of its requests. */
export type TroubleKind =
  /** The process ends before the request is sent. */
  | "killed before"
  /** The process ends, and the request is done. */
  | "killed after"
  /** The process ends, and the request arrives while others may be running. */
  | "killed, the request arrives later"
  /** The request takes effect, and the connection breaks without an answer. */
  | "answer lost"
  /** The request takes effect, and is answered with 503. */
  | "503 after"
  | "503"
  | "409"
  /** No attempt arrives. */
  | "unreachable"
  /** The process stops after it began to send, and others may sync before it continues. */
  | "stopped";

export type RequestKind =
  | "read lease"
  | "write lease"
  | "read"
  | "list"
  | "put object"
  | "create generation"
  | "move pointer"
  | "remove";

export interface Trouble {
  kind: TroubleKind;
  at: RequestKind;
  /** At which request of its kind, from 1. */
  count: number;
}

const kinds: readonly TroubleKind[] = [
  "killed before",
  "killed before",
  "killed after",
  "killed after",
  "killed, the request arrives later",
  "answer lost",
  "answer lost",
  "503 after",
  "503",
  "409",
  "unreachable",
  "stopped",
  "stopped",
  "stopped",
];

const places: readonly [RequestKind, number][] = [
  ["put object", 12],
  ["put object", 4],
  ["create generation", 1],
  ["create generation", 1],
  ["move pointer", 1],
  ["move pointer", 1],
  ["write lease", 1],
  ["write lease", 3],
  ["remove", 4],
  ["read", 4],
  ["read lease", 1],
  ["list", 1],
];

/** The share of the syncs in which something goes wrong with the bucket. */
const troubledShare = 0.5;

export function planTrouble(random: Random): Trouble | undefined {
  if (!random.chance(troubledShare)) return undefined;
  const [at, most] = random.pick(places);
  const isDelicate = at === "create generation" || at === "move pointer" || at === "write lease";
  const kind = isDelicate && random.chance(0.4) ? "stopped" : random.pick(kinds);
  return { kind, at, count: random.int(1, most) };
}

/** @param name of the object; empty for a list */
export function requestKind(
  method: string,
  name: string,
  files: { lease: string; pointer: string; generations: string },
): RequestKind {
  if (name === "") return "list";
  if (name === files.lease) return method === "GET" ? "read lease" : "write lease";
  if (method === "GET") return "read";
  if (method === "DELETE") return "remove";
  if (name === files.pointer) return "move pointer";
  return name.startsWith(`${files.generations}/`) ? "create generation" : "put object";
}
