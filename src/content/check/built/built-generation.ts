import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentHash } from "../../../lib/content-hash.js";
import { isOffprintError } from "../../../lib/errors.js";
import { list, map, number, object, optional, type ShapeOf, text } from "../../../lib/shape.js";
import { readManifest } from "../../../snapshot/current-manifest.js";
import { readNote, writeNote } from "../../../snapshot/disposable-notes.js";
import { builtNoteFile } from "../../../snapshot/layout.js";
import type { Manifest } from "../../../snapshot/manifest.js";
import type { Store } from "../../../snapshot/store/store.js";
import { builtIndexFile, shownContent } from "../../tree/content-index.js";
import { samplePages } from "./html-page.js";
import type { PageCounts } from "./rules/page-rules.js";
import { commonest } from "./shared-shell.js";
import { isOwnMachine, originIn } from "./site-addresses.js";
import { nextFile, type SiteFiles } from "./site-files.js";

/** What a build says of itself. */
export interface BuiltFacts {
  /** The generation that its `offprint.json`, or most pages, name; undefined if nothing does. */
  generation: number | undefined;
  /** The origin that most pages name as their own. */
  origin: string | undefined;
}

const mostSampled = 20;

export async function builtFacts({ folder, names, pages }: SiteFiles): Promise<BuiltFacts> {
  const [generations, origins]: [number[], string[]] = [[], []];
  for (const { generation, canonical, alternates } of samplePages(folder, pages, mostSampled)) {
    if (generation !== undefined) generations.push(generation);
    const own = originIn(canonical) ?? originIn(alternates[0]?.[1]);
    if (own !== undefined && !isOwnMachine(own)) origins.push(own);
  }
  const file = names.has(builtIndexFile) ? join(folder, builtIndexFile) : nextFile(folder, `/${builtIndexFile}`);
  const copy = file === undefined ? undefined : shownContent(await readFile(file));
  return { generation: copy?.generation ?? commonest(generations), origin: commonest(origins) };
}

/** The generation to hold the build against, and how that is told. */
export interface ChosenGeneration {
  manifest: Manifest;
  note: string;
}

export async function chosenGeneration(
  store: Store,
  current: Manifest,
  named: number | undefined,
): Promise<ChosenGeneration> {
  const own = current.generation;
  if (named === undefined) {
    return { manifest: current, note: `The build names no generation: held against the current one, ${own}.` };
  }
  if (named === own) return { manifest: current, note: `The build is of generation ${own}, the current one.` };
  try {
    const manifest = await readManifest(store, named);
    return { manifest, note: `The build is of generation ${named}: held against that one. The current one is ${own}.` };
  } catch (error) {
    if (!isOffprintError(error, "SNAPSHOT_MISSING")) throw error;
    return { manifest: current, note: `The build is of generation ${named}, which is not kept: held against ${own}.` };
  }
}

const noted = object({
  /** Hash of the names of its files: a build that is checked again is no newer one. */
  files: text,
  generation: number,
  counts: map(object<PageCounts[string]>({ pages: number, stories: number })),
  /** Of its findings. */
  ids: list(text),
});
/** The last build that was checked, and the one before it. */
const buildNotes = object({ last: noted, before: optional(noted) });

/** The note about a checked build. */
export type NotedBuild = Readonly<ShapeOf<typeof noted>>;
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
  await writeNote(store, builtNoteFile, JSON.stringify({ last, before } satisfies ShapeOf<typeof buildNotes>));
}

function readNotes(store: Store) {
  return readNote(store, builtNoteFile, buildNotes);
}
