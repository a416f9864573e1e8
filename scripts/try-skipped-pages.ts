import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { copyExample, installExample, runExample, stopwatch } from "./example-copy.js";
import { siteMajors } from "./site-majors.js";

/**
 * Whether Astro, which skips a page whose `cacheKey` is as before, leaves no stale page with the keys of `Snapshot.track`:
 * builds `scripts/astro-skips` of the demo space, then after each of these edits. Each time exactly the pages whose key
 * changed are rendered; at the end, with `isAll` each time, the folder has the bytes of a clean build.
 *
 * @throws Error where it is not so
 */
export async function trySkippedPages(folder: string, tarball: string, isAll: boolean): Promise<void> {
  const major = siteMajors.astro!;
  await copyExample(major, folder, tarball);
  await rm(join(folder, "src"), { recursive: true });
  await cp(resolve(import.meta.dirname, "../../scripts/astro-skips"), folder, { recursive: true });
  await installExample(major, folder);
  const site = { folder, node: major.node };
  let before = await builtSite(site);
  if (before.rendered.size < before.keys.size)
    throw new Error("Astro's log does not name each page of the first build");
  const lines = [`all ${before.rendered.size} pages ${before.seconds}`];
  let stale = 0;
  for (const [at, [kind, what]] of edits.entries()) {
    await runExample("npx", ["--no-install", "offprint", "demo", "--edit", kind, "--quiet"], folder, site.node);
    const after = await builtSite(site);
    checkRendered(what, before, after);
    if (at === 0) stale = staleNeighbours(before, after);
    lines.push(`${what}: ${after.rendered.size} rendered, ${after.seconds}`);
    if (isAll || at === edits.length - 1) lines.push(`clean ${await checkClean(site, what, after)}`);
    before = after;
  }
  if (stale === 0) throw new Error("a new name changed no other page: the sidebar is not tried");
  process.stdout.write(`✔ astro-skips: ${lines.join("; ")}\n`);
}

/** The first edit changes a story's name, which the sidebars of its neighbours show. */
const edits = [
  ["publish", "a title in sidebars"],
  ["publish", "a price"],
  ["rename", "a renamed folder"],
  ["delete", "a deleted story"],
  ["datasource", "a label"],
] as const;

interface Site {
  folder: string;
  node: number | undefined;
}

interface Built {
  seconds: string;
  /** Paths of the pages that Astro rendered, as its log names them. */
  rendered: ReadonlySet<string>;
  /** Key of each page, by path. */
  keys: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
}

async function builtSite({ folder, node }: Site): Promise<Built> {
  await runExample("npm", ["run", "prebuild"], folder, node);
  const seconds = stopwatch();
  const log = await runExample("npx", ["--no-install", "astro", "build"], folder, node);
  const built = seconds();
  const rendered = new Set<string>();
  for (const [, path = "", how] of log.matchAll(/[├└]─ (\/?\S*?index\.html)\s+\(([^)]*)\)/g)) {
    if (how?.startsWith("+")) rendered.add(path.replace(/^\/?/, ""));
  }
  return { seconds: built, rendered, keys: await readKeys(folder), files: await readFiles(join(folder, "dist")) };
}

interface Manifest {
  routes: Record<string, { paths: Record<string, { cacheKey: string; outputFile: string }> }>;
}

/** The file in which Astro keeps the keys of its last build. */
async function readKeys(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, "node_modules/.astro/incremental-build.json"), "utf8");
  const { routes }: Manifest = JSON.parse(text);
  const pages = Object.values(routes).flatMap(({ paths }) => Object.values(paths));
  return new Map(pages.map(({ cacheKey, outputFile }) => [decodeURI(outputFile), cacheKey]));
}

async function readFiles(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length + 1), await readFile(path, "latin1"));
  }
  return files;
}

function checkRendered(what: string, before: Built, after: Built): void {
  const changed = [...after.keys].filter(([path, key]) => before.keys.get(path) !== key).map(([path]) => path);
  const wrong = [
    ...changed.filter((path) => !after.rendered.has(path)).map((path) => `${path} has another key and was skipped`),
    ...[...after.rendered]
      .filter((path) => !changed.includes(path))
      .map((path) => `${path} has the same key and was rendered`),
  ];
  if (changed.length === 0) wrong.push("no page has another key");
  if (wrong.length > 0) throw new Error(`after ${what}\n  ${wrong.slice(0, 20).join("\n  ")}`);
}

/** How many pages show another HTML, and neither their own title nor their own text is another. */
function staleNeighbours(before: Built, after: Built): number {
  const own = (html = "") => /<main[^>]*>[\s\S]*<\/main>/.exec(html)?.[0];
  return [...after.files].filter(([path, html]) => {
    const was = before.files.get(path);
    return path.endsWith(".html") && was !== html && own(was) === own(html);
  }).length;
}

/** @returns how long a build without Astro's store took @throws Error where its folder is another one */
async function checkClean(site: Site, what: string, built: Built): Promise<string> {
  await rm(join(site.folder, "node_modules/.astro"), { recursive: true });
  await rm(join(site.folder, "dist"), { recursive: true });
  const clean = await builtSite(site);
  const paths = new Set([...built.files.keys(), ...clean.files.keys()]);
  const differing = [...paths].filter((path) => built.files.get(path) !== clean.files.get(path));
  if (differing.length > 0)
    throw new Error(`after ${what}, a clean build has other files: ${differing.slice(0, 10).join(", ")}`);
  return clean.seconds;
}
