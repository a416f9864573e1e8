import { isOffprintError } from "../../../lib/errors.js";
import { isObject } from "../../../lib/shape.js";
import { contentHash } from "../../../snapshot/content-hash.js";
import { builtNoteFile } from "../../../snapshot/layout.js";
import type { Store } from "../../../snapshot/store/store.js";
import type { PageCounts } from "./rules/page-rules.js";
import type { SiteFiles } from "./site-files.js";

/** What is noted of a build that was checked. */
export interface NotedBuild {
  /** Hash of the names of its files: a build that is checked again is no newer one. */
  files: string;
  generation: number;
  counts: PageCounts;
  /** Of its findings. */
  ids: string[];
}

interface BuildNotes {
  last: NotedBuild;
  /** The one before it. */
  before?: NotedBuild | undefined;
}

const most = 20_000;

export function filesHash({ names }: SiteFiles, generation: number): string {
  return contentHash(JSON.stringify([generation, ...[...names].sort()]));
}

/** The build that was checked before this one; undefined if none was. */
export async function lastBuild(store: Store, files: string): Promise<NotedBuild | undefined> {
  const notes = await readNotes(store);
  return notes?.last.files === files ? notes.before : notes?.last;
}

/** Notes a build for the next check. Where that fails, the next check compares with an older one. */
export async function noteBuild(store: Store, build: NotedBuild): Promise<void> {
  const notes = await readNotes(store);
  const before = notes?.last.files === build.files ? notes.before : notes?.last;
  const last = { ...build, ids: build.ids.slice(0, most) };
  try {
    await store.replace(builtNoteFile, Buffer.from(JSON.stringify({ last, before } satisfies BuildNotes)));
    await store.flush();
  } catch (error) {
    if (!isOffprintError(error)) throw error;
  }
}

async function readNotes(store: Store): Promise<BuildNotes | undefined> {
  try {
    const bytes = await store.get(builtNoteFile);
    const value: unknown = bytes === undefined ? undefined : JSON.parse(Buffer.from(bytes).toString());
    if (!isObject(value) || !isNoted(value.last)) return undefined;
    return { last: value.last, before: isNoted(value.before) ? value.before : undefined };
  } catch (error) {
    if (isOffprintError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isNoted(value: unknown): value is NotedBuild {
  if (!isObject(value) || typeof value.files !== "string" || typeof value.generation !== "number") return false;
  const isCount = (one: unknown) => isObject(one) && typeof one.pages === "number" && typeof one.stories === "number";
  return isObject(value.counts) && Object.values(value.counts).every(isCount) && Array.isArray(value.ids);
}
