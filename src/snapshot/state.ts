import type { ErrorCode, Problem } from "../lib/errors.js";
import { redact } from "../lib/redact/redact.js";
import {
  isObject,
  list,
  map,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Shape,
  shape,
  text,
  valueOr,
  wholeNumber,
} from "../lib/shape.js";
import { stateFile } from "./layout.js";
import type { Level } from "./manifest.js";
import type { Store } from "./store/store.js";

const stateFormat = 1;
/** So many runs are noted. */
export const runsKept = 50;

/** A run that requested, wrote or reported something. */
export interface RunRecord {
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  outcome: "committed" | "unchanged" | "kept" | "failed";
  generation: number | null;
  cv: number | null;
  level: Level | null;
  requests: number;
  /** Of all bodies, as they came over the wire. */
  bytes?: number;
  stories?: { total: number; added: number; changed: number; removed: number; moved: number };
  /** Milliseconds by stage. */
  stagesMs?: Readonly<Record<string, number>>;
  /** Errors and warnings, the first 20. */
  problems?: Problem[];
  /** How many of each code there were. */
  problemCounts?: Readonly<Record<string, number>> | undefined;
}

/** How many problems of each code there are: for {@link RunRecord.problemCounts}. */
export function countedByCode(problems: readonly Problem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of problems) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/**
 * What a reading of the space found, and a later sync asks for once more: the parts of the interface may lag behind one
 * another by more than `source.settle`, and then an older state fits together as well as the current one.
 */
export interface SecondLook {
  /** When it was read by the server's clock, in milliseconds since the epoch. */
  readAtMs: number;
  /** By version: uuids of stories. */
  stories: Record<string, string[]>;
  /**
   * A reading of everything lists only what was doubtful: stories whose row is dated later than this are asked for, too,
   * with their neighbours; milliseconds since the epoch. null: the listed ones are all.
   */
  datedSinceMs: number | null;
  /** Looks at this cv before it, each of which found something else. */
  inARow?: number | undefined;
}

/** What is known beside the snapshot. Without it, the next sync sweeps the index once more. */
export interface State {
  /** The generation that the state describes; null: none. */
  generation: number | null;
  /** The cv at which the generation was last confirmed. */
  cv: number | null;
  /** When that was, in milliseconds since the epoch by the server's clock. */
  confirmedAtMs: number | null;
  /** Since when no reading was clean, in milliseconds since the epoch; null while readings are. */
  uncleanSinceMs: number | null;
  /** The asset settings that the generation was made with, and whether some of its assets are still missing. */
  assets: string | null;
  /** When a part was last compared with the upstream, by part name, in milliseconds since the epoch. */
  checkedMs: Record<string, number>;
  /** The settings that the parts beside the stories were read with; null: unknown. */
  partSettings: string | null;
  /** What was read lately, and a later sync looks at once more. */
  looks: SecondLook[];
  /** By version: the uuid that the audit has reached. */
  auditCursor: Record<string, string>;
  /** The problems of the last export, which an unchanged sync reports again. */
  contentProblems: Problem[];
  /** The problems of the last reading of the space and its assets. */
  spaceProblems: Problem[];
  /** Names of the parts and files that `verify` found damaged. The next sync reads them again. */
  damaged: string[];
  /** Which folders the last sync that wrote here has seen: in others, files are looked at more closely. null: unknown. */
  folders: string | null;
  /** The last 50, oldest first. */
  runs: RunRecord[];
}

/** The state before the first sync. */
export function emptyState(): State {
  return stateFrom({});
}

/** The state; an empty one when there is none or it is damaged. */
export async function loadState(store: Store): Promise<State> {
  const bytes = await store.get(stateFile);
  if (bytes === undefined) return emptyState();
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isObject(value) && value.format === stateFormat ? stateFrom(value) : emptyState();
  } catch {
    return emptyState();
  }
}

/** What a problem says may come from a server, and repeat a token. */
const said: ReadonlySet<string> = new Set(["message", "hint"]);

/** Replaces the state; of the runs the last 50 are kept. */
export async function saveState(store: Store, state: State): Promise<void> {
  const { runs, ...rest } = state;
  const kept = { format: stateFormat, ...rest, runs: runs.slice(-runsKept) };
  const safe = (key: string, value: unknown) => (said.has(key) && typeof value === "string" ? redact(value) : value);
  await store.replace(stateFile, Buffer.from(`${JSON.stringify(kept, safe, 2)}\n`));
}

/** A code may be one of another version of this program. */
const code = shape<ErrorCode>("a code", text.is);
const problemShape = object<Problem>({
  code,
  message: text,
  hint: text,
  about: optional(object({ part: text, uuids: list(text) })),
});
const runShape = object<RunRecord>({
  startedAt: text,
  durationMs: number,
  outcome: oneOf("committed", "unchanged", "kept", "failed"),
  generation: orNull(wholeNumber),
  cv: orNull(wholeNumber),
  level: orNull(oneOf("exact", "stable", "interval")),
  requests: number,
  problemCounts: optional(map(wholeNumber)),
});

const lookShape = object<SecondLook>({
  readAtMs: number,
  stories: map(list(text)),
  datedSinceMs: orNull(number),
  inARow: optional(wholeNumber),
});

/** Each field that is absent or invalid is an empty one. */
function stateFrom(value: Record<string, unknown>): State {
  return {
    generation: valueOr(value.generation, wholeNumber, null),
    cv: valueOr(value.cv, wholeNumber, null),
    confirmedAtMs: valueOr(value.confirmedAtMs, wholeNumber, null),
    uncleanSinceMs: valueOr(value.uncleanSinceMs, wholeNumber, null),
    assets: valueOr(value.assets, text, null),
    partSettings: valueOr(value.partSettings, text, null),
    checkedMs: entriesOf(value.checkedMs, number),
    looks: elementsOf(value.looks, lookShape),
    auditCursor: entriesOf(value.auditCursor, text),
    contentProblems: elementsOf(value.contentProblems, problemShape),
    spaceProblems: elementsOf(value.spaceProblems, problemShape),
    damaged: elementsOf(value.damaged, text),
    folders: valueOr(value.folders, text, null),
    runs: elementsOf(value.runs, runShape),
  };
}

/** The elements of an array that have the shape. */
function elementsOf<T>(value: unknown, element: Shape<T>): T[] {
  return Array.isArray(value) ? value.filter((item) => element.is(item)) : [];
}

/** The entries of an object whose values have the shape. */
function entriesOf<T>(value: unknown, element: Shape<T>): Record<string, T> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, T] => element.is(entry[1])));
}
