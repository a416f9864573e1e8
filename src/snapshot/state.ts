import type { UnknownKey } from "../contract/unknown-key.js";
import type { ErrorCode, Problem, ProblemPlace } from "../lib/errors.js";
import { parseAs } from "../lib/parse-as.js";
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
  type ShapeOf,
  shape,
  text,
  valueOr,
  wholeNumber,
} from "../lib/shape.js";
import { stateFile } from "./layout.js";
import type { Level } from "./manifest.js";
import type { Store } from "./store/store.js";

const stateFormat = 1;
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
  bytes?: number;
  stories?: { total: number; added: number; changed: number; removed: number; moved: number };
  /** Milliseconds by stage. */
  stagesMs?: Readonly<Record<string, number>>;
  problems?: Problem[];
  problemCounts?: Readonly<Record<string, number>> | undefined;
}

export function countedByCode(problems: readonly Problem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of problems) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

const lookShape = object({
  /** Time of the reading by the server's clock, in milliseconds since the epoch. */
  readAtMs: number,
  /** By version: uuids of stories. */
  stories: map(list(text)),
  /** After a full reading: those dated later (ms), with their neighbours, count too. null: `stories` is complete. */
  datedSinceMs: orNull(number),
  /** Previous looks at this cv that each found a difference. */
  inARow: optional(wholeNumber),
});

/** What one reading found, for a later sync to request again: parts of the interface may lag, consistently. */
export type SecondLook = ShapeOf<typeof lookShape>;

/** What is known besides the snapshot. Without it, the next sync sweeps the index again. */
export interface State {
  /** The generation described; null: none. */
  generation: number | null;
  cv: number | null;
  /** Time of that by the server's clock, in milliseconds since the epoch. */
  confirmedAtMs: number | null;
  /** Start of the current unclean readings, in milliseconds since the epoch; null if clean. */
  uncleanSinceMs: number | null;
  /** The generation's asset settings, and whether assets are still missing. */
  assets: string | null;
  /** When each part was last compared with the upstream, in milliseconds since the epoch. */
  checkedMs: Record<string, number>;
  /** The settings that the other parts (not stories) were read with; null: unknown. */
  partSettings: string | null;
  /** Recent readings that a later sync checks again. */
  looks: SecondLook[];
  /** By version: the last uuid that the audit has checked. */
  auditCursor: Record<string, string>;
  /** The last export's problems, which an unchanged sync reports again. */
  contentProblems: Problem[];
  /** Problems of the last reading of the space and its assets. */
  spaceProblems: Problem[];
  /** Keys that syncs have met and reported, though the API does not describe them. */
  unknownKeys: UnknownKey[];
  /** Parts and files that `verify` found damaged. The next sync reads them again. */
  damaged: string[];
  /** Folders seen by the last sync here: files in others are checked closely. null: unknown. */
  folders: string | null;
  /** The last 50, oldest first. */
  runs: RunRecord[];
}

export function emptyState(): State {
  return stateFrom({});
}

const ourFormat = object<{ format: typeof stateFormat }>({ format: oneOf(stateFormat) });

/** The state; an empty one if it is missing or damaged. */
export async function loadState(store: Store): Promise<State> {
  return stateFrom(parseAs(await store.get(stateFile), ourFormat) ?? {});
}

/** A problem's text may come from a server, and repeat a token. */
const said: ReadonlySet<string> = new Set(["message", "hint", "key", "example"]);

export async function saveState(store: Store, state: State): Promise<void> {
  const { runs, ...rest } = state;
  const kept = { format: stateFormat, ...rest, runs: runs.slice(-runsKept) };
  const safe = (key: string, value: unknown) => (said.has(key) && typeof value === "string" ? redact(value) : value);
  await store.replace(stateFile, Buffer.from(`${JSON.stringify(kept, safe, 2)}\n`));
}

/** The code may be of another program version. */
const code = shape<ErrorCode>("a code", text.is);
const problemShape = object<Problem>({
  code,
  message: text,
  hint: text,
  about: optional(object({ part: text, uuids: list(text) })),
  place: optional(object<ProblemPlace>({ edition: text, story: text, field: optional(text), target: optional(text) })),
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

const unknownKeyShape = object<UnknownKey>({ kind: text, key: text, example: text });

/** Reads what is usable of a state; the rest is empty. */
export function stateFrom(value: Record<string, unknown>): State {
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
    unknownKeys: elementsOf(value.unknownKeys, unknownKeyShape),
    damaged: elementsOf(value.damaged, text),
    folders: valueOr(value.folders, text, null),
    runs: elementsOf(value.runs, runShape),
  };
}

/** The valid elements of an array. */
function elementsOf<T>(value: unknown, element: Shape<T>): T[] {
  return Array.isArray(value) ? value.filter((item) => element.is(item)) : [];
}

/** The valid entries of an object. */
function entriesOf<T>(value: unknown, element: Shape<T>): Record<string, T> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, T] => element.is(entry[1])));
}
