import {
  followSnapshot,
  openSnapshot,
  type PageSelection,
  type Snapshot,
  type SnapshotPlace,
  type StoryFilter,
} from "../../index.js";
import { decodedSegment } from "./decoded-segment.js";

/** What is set of Next's configuration; all else is left as it is. */
interface NextConfig {
  serverExternalPackages?: string[] | undefined;
}

type ConfigFunction<Config> = (phase: string, context: { defaultConfig: Config }) => Config | Promise<Config>;

/** As Next names the phases of `next build`, in its configuration and in the environment variable `NEXT_PHASE`. */
const buildPhase = "phase-production-build";

/**
 * Next's configuration with what a site of Offprint needs: `export default withOffprint({ output: "export" })`.
 *
 * A production build pins the generation before its workers start, so that all pages show the same one, also where a sync
 * commits meanwhile. The package is read by Node instead of being bundled.
 *
 * @param config Next's configuration, or the function that makes it
 */
export function withOffprint<Config extends object>(
  config: Config | ConfigFunction<Config> = {} as Config,
  place: SnapshotPlace = {},
): ConfigFunction<Config> {
  return async (phase, context) => {
    if (phase === buildPhase) await (await openSnapshot(place.dir, place.snapshot)).close();
    const own = typeof config === "function" ? await config(phase, context) : config;
    const { serverExternalPackages = [] }: NextConfig = own;
    return { ...own, serverExternalPackages: [...new Set([...serverExternalPackages, "offprint"])] };
  };
}

/**
 * For a module that all pages import: `export const content = siteSnapshot()`, then `(await content()).page("/journal")`.
 * In a build it is the pinned generation; a server reads the newest one, also when it is committed while the server runs.
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
 * What `generateStaticParams` of a catch-all route `[[...path]]` returns: the segments of every page's path, read from the
 * index alone. The root is `[]`. A path with a segment that consists of dots is left out: no browser can ask for it.
 */
export async function staticParams(
  snapshot: Snapshot,
  { languages = "all", ...filter }: Omit<StoryFilter, "language"> & Pick<PageSelection, "languages"> = {},
): Promise<{ path: string[] }[]> {
  const params: { path: string[] }[] = [];
  for (const language of languages === "all" ? snapshot.languages : languages) {
    for (const { url } of await snapshot.references({ ...filter, language })) {
      const path = decodedSegments(url);
      if (!path.some((segment) => isDots(segment))) params.push({ path });
    }
  }
  return params;
}

/**
 * The segments of a URL's path, decoded, as the parameter of a catch-all route has them: `/de/b%C3%BCcher` is
 * `["de", "bücher"]`. One that consists of dots stays encoded (`%2E%2E`), so that no file is written to another folder.
 */
export function pathSegments(url: string): string[] {
  return decodedSegments(url).map((segment) => (isDots(segment) ? segment.replaceAll(".", "%2E") : segment));
}

/**
 * The path that `params.path` of a catch-all route stands for; undefined is the root. A page gets its segments encoded
 * from Next, a route handler decoded: they count as encoded where all of them can be what encoding makes. So `%C3%A9` is
 * `é`, but `100%` and `a%62` are names with a percent sign, since neither needs or allows to be decoded.
 */
export function pathOf(segments: readonly string[] = []): string {
  const areEncoded = segments.every(isEncoded);
  const names = areEncoded ? segments.map(decodedSegment) : segments;
  return `/${names.map((name) => encodeURIComponent(name)).join("/")}`;
}

/** Without `new URL`, which would resolve dots. */
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

/** Whether encoding can make this: no character that it would encode, and no escape of one that it leaves as it is. */
function isEncoded(segment: string): boolean {
  const escapes = segment.match(/%[2-7][0-9a-f]/gi) ?? [];
  return (
    /^(?:%[0-9a-f]{2}|[!$&-;=@\w~])*$/i.test(segment) && !escapes.some((one) => /^[\w.~-]$/.test(decodedSegment(one)))
  );
}

/** Tag of what shows a story, for `cacheTag` and `revalidateTag`. */
export function storyTag({ uuid }: { uuid: string }): string {
  return `offprint:${uuid}`;
}

/** Tag of what lists stories. */
export const listTag = "offprint:list";

/** The stories that a sync names: `changes.json` of the content tree, or the changes that `onCommit` is called with. */
export interface NamedChanges {
  added: readonly { uuid: string }[];
  changed: readonly { uuid: string }[];
  removed: readonly { uuid: string }[];
  /** Not changed themselves, but they show something that is. */
  affected?: readonly { uuid: string }[];
}

/** The tags to hand to `revalidateTag` after a sync: of each story that can look different, and {@link listTag}. */
export function changedTags({ added, changed, removed, affected = [] }: NamedChanges): string[] {
  const tags = [...added, ...changed, ...removed, ...affected].map(storyTag);
  return tags.length === 0 ? [] : [...new Set([listTag, ...tags])];
}
