import { createHash, timingSafeEqual } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  buildInfo,
  followSnapshot,
  openSnapshot,
  type PageSelection,
  type Snapshot,
  type SnapshotPlace,
  type StoryFilter,
} from "../../index.js";
import { decodedSegment } from "./decoded-segment.js";

/** The parts of Next's configuration that are set. */
interface NextConfig {
  serverExternalPackages?: string[] | undefined;
  compiler?: { runAfterProductionCompile?: AfterCompile | undefined } | undefined;
}

type AfterCompile = (project: { projectDir: string; distDir: string }) => Promise<void>;

type ConfigFunction<Config> = (phase: string, context: { defaultConfig: Config }) => Config | Promise<Config>;

/** Next's name for the phase of `next build`, in its configuration and in `NEXT_PHASE`. */
const buildPhase = "phase-production-build";

/**
 * Next's configuration with what Offprint needs: `export default withOffprint({ output: "export"
 * })`. A production build pins the generation before its workers start, so all pages show the same
 * one, even if a sync commits during the build. It also writes `public/offprint.json`, which names
 * that generation. Node loads the package; it is not bundled.
 * @param config Next's configuration, or a function that returns it
 */
export function withOffprint<Config extends object>(
  config: Config | ConfigFunction<Config> = {} as Config,
  place: SnapshotPlace = {},
): ConfigFunction<Config> {
  return async (phase, context) => {
    if (phase === buildPhase) await (await openSnapshot(place.dir, place.snapshot)).close();
    const own = typeof config === "function" ? await config(phase, context) : config;
    const { serverExternalPackages = [], compiler }: NextConfig = own;
    const made = { ...own, serverExternalPackages: [...new Set([...serverExternalPackages, "offprint"])] };
    if (phase !== buildPhase) return made;
    const info = await buildInfo(place.dir, place.snapshot);
    const runAfterProductionCompile: AfterCompile = async (project) => {
      await compiler?.runAfterProductionCompile?.(project);
      const folder = join(project.projectDir, "public");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, info.fileName), info.source);
    };
    return { ...made, compiler: { ...compiler, runAfterProductionCompile } };
  };
}

/**
 * For a module that all pages import: `export const content = siteSnapshot()`, then `(await
 * content()).page("/journal")`. A build reads the pinned generation; a server reads the newest one,
 * even one committed while it runs.
 */
export function siteSnapshot(place: SnapshotPlace = {}): () => Promise<Snapshot> {
  if (process.env.NEXT_PHASE !== buildPhase) return followSnapshot(place.dir, place.snapshot);
  let opened: Promise<Snapshot> | undefined;
  return () => {
    opened ??= openSnapshot(place.dir, place.snapshot);
    return opened;
  };
}

/**
 * For `generateStaticParams` of a catch-all route `[[...path]]`: the path segments of every page,
 * from the index alone. The root is `[]`. Skips paths with a segment of dots, which no browser can
 * request, and stories that are no pages, as `readPages` does.
 */
export async function staticParams(
  snapshot: Snapshot,
  { languages = "all", pages, ...filter }: Omit<StoryFilter, "language"> & Pick<PageSelection, "languages"> = {},
): Promise<{ path: string[] }[]> {
  const params: { path: string[] }[] = [];
  for (const language of languages === "all" ? snapshot.languages : languages) {
    for (const { url } of await snapshot.references({
      ...filter,
      language,
      pages: pages ?? filter.component === undefined,
    })) {
      const path = decodedSegments(url);
      if (!path.some((segment) => isDots(segment))) params.push({ path });
    }
  }
  return params;
}

/**
 * The decoded path segments of a URL, as a catch-all route gets them: `/de/b%C3%BCcher` is `["de",
 * "bücher"]`. Segments of dots stay encoded (`%2E%2E`), so no file is written to another folder.
 */
export function pathSegments(url: string): string[] {
  return decodedSegments(url).map((segment) => (isDots(segment) ? segment.replaceAll(".", "%2E") : segment));
}

/**
 * The path of a catch-all route's `params.path`; undefined is the root. Next passes encoded
 * segments to a page, decoded ones to a route handler. They are treated as encoded if encoding
 * could produce all of them: `%C3%A9` is `é`, but `100%` and `a%62` are names with a percent sign.
 */
export function pathOf(segments: readonly string[] = []): string {
  const areEncoded = segments.every(isEncoded);
  const names = areEncoded ? segments.map(decodedSegment) : segments;
  return `/${names.map((name) => encodeURIComponent(name)).join("/")}`;
}

/** Not `new URL`, which would resolve dots. */
function decodedSegments(url: string): string[] {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map(decodedSegment);
}

function isDots(segment: string): boolean {
  return /^\.+$/.test(segment);
}

/** Whether encoding could produce this: nothing left to encode, and no needless escape. */
function isEncoded(segment: string): boolean {
  const escapes = segment.match(/%[2-7][0-9a-f]/gi) ?? [];
  return (
    /^(?:%[0-9a-f]{2}|[!$&-;=@\w~])*$/i.test(segment) && !escapes.some((one) => /^[\w.~-]$/.test(decodedSegment(one)))
  );
}

/** What Next's `revalidateTag` gets: a second argument since 16. */
type RevalidateTag = (tag: string, profile: { expire: number }) => unknown;

/** A list of tags is far smaller. */
const longestBody = 1_000_000;

/**
 * A route handler that revalidates the tags of `purgeRequests("next", tags, { url, token })`:
 * `export const POST = revalidateRoute(revalidateTag, process.env.PURGE_TOKEN)`. Answers 401
 * without the token, and if the site has none.
 */
export function revalidateRoute(
  revalidateTag: RevalidateTag,
  token: string | undefined,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const given = request.headers.get("authorization") ?? "";
    if (token === undefined || token === "" || !isEqual(given, `Bearer ${token}`)) return answer(401, "No access.");
    const text = await request.text();
    const tags = text.length > longestBody ? undefined : tagsIn(text);
    if (tags === undefined) return answer(400, 'Expected {"tags":["…"]}.');
    for (const tag of tags) revalidateTag(tag, { expire: 0 });
    return answer(200, `Revalidated ${tags.length} tags.`);
  };
}

/** In a time that does not tell where they differ. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}

function tagsIn(text: string): readonly string[] | undefined {
  try {
    const { tags } = JSON.parse(text) as { tags?: unknown };
    return Array.isArray(tags) && tags.every((tag) => typeof tag === "string") ? tags : undefined;
  } catch {
    return undefined;
  }
}

function answer(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

/**
 * The cache tag of a page that shows a story, for `cacheTag` and `revalidateTag`: the one that `track` and
 * `offprint changes` name.
 */
export function storyTag({ uuid }: { uuid: string }): string {
  return `story:${uuid}`;
}

/** The cache tag of lists of stories: `offprint changes` names it after each change. */
export const listTag = "any";

/** The stories that a sync lists: `changes.json` of the content tree, or what `onCommit` gets. */
export interface NamedChanges {
  /** There where every story may differ, and none is named. */
  full?: boolean | undefined;
  added: readonly { uuid: string }[];
  changed: readonly { uuid: string }[];
  removed: readonly { uuid: string }[];
  /** Unchanged, but showing something that changed. */
  affected?: readonly { uuid: string }[];
}

/**
 * The tags for `revalidateTag` after a sync: of stories that may differ, and {@link listTag}. Where the changes are `full`, only
 * `revalidatePath("/", "layout")` reaches the page of each story.
 */
export function changedTags({ full = false, added, changed, removed, affected = [] }: NamedChanges): string[] {
  const tags = [...added, ...changed, ...removed, ...affected].map(storyTag);
  return tags.length === 0 && !full ? [] : [...new Set([listTag, ...tags])];
}
