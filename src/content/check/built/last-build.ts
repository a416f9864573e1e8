import { list, map, number, object, optional, text } from "../../../lib/shape.js";
import { contentHash } from "../../../snapshot/content-hash.js";
import { readNote, writeNote } from "../../../snapshot/disposable-note.js";
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

const count = object<PageCounts[string]>({ pages: number, stories: number });
const noted = object<NotedBuild>({ files: text, generation: number, counts: map(count), ids: list(text) });
const buildNotes = object<BuildNotes>({ last: noted, before: optional(noted) });
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
  await writeNote(store, builtNoteFile, JSON.stringify({ last, before } satisfies BuildNotes));
}

async function readNotes(store: Store): Promise<BuildNotes | undefined> {
  return readNote(store, builtNoteFile, buildNotes);
}
