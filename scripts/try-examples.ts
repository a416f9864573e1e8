import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { parse } from "yaml";
import { mapBounded } from "../src/lib/concurrency/map-bounded.js";
import { type BuiltSite, readBuiltSite } from "./built-site.js";
import { checkGeneration } from "./check-generation.js";
import { checkSite } from "./check-site.js";
import { findWidePages } from "./check-widths.js";
import { expectedDemoSite } from "./demo-site.js";
import {
  copyExample,
  editJson,
  examples,
  installExample,
  placeOf,
  runExample as run,
  stopwatch,
} from "./example-copy.js";
import { launchBrowser } from "./launch-browser.js";
import { addForeignPackages, type LockFile, setPackage } from "./lock-file.js";
import { needProgram } from "./run-process.js";
import { type SiteMajor, siteMajors } from "./site-majors.js";
import { tryNextTags } from "./try-next-tags.js";
import { trySkippedPages } from "./try-skipped-pages.js";

/**
 * `npm run examples [-- astro astro-5 …]`: builds every example site of the demo space with each major of `site-majors`, as
 * somebody does who copies its folder: with the packed package. Looks at everything that was built. `check --built`
 * has to find the generation of the build, and no error. With the current major it looks in a browser whether a page is wider than a phone; syncs again, which asks the upstream whether anything is new
 * and nothing else; then has a story deleted, unpublished, published anew and a folder renamed, and looks whether the next
 * build shows that and nothing else: so all other pages are built as before. `astro-skips` is `try-skipped-pages`,
 * `next-tags` is `try-next-tags`. With `--all`, older majors are edited too, and what is synced again is built again. Ends
 * with exit code 1 where an example is not so.
 *
 * `npm run examples -- --lock [astro …]` updates the lock files, after dependencies changed.
 */
async function main(args: readonly string[]): Promise<void> {
  const [isLocking, isAll] = [args.includes("--lock"), args.includes("--all")];
  const names = args.filter((name) => !name.startsWith("--"));
  const known = isLocking ? Object.keys(builtInto) : [...Object.keys(siteMajors), ...Object.keys(trials)];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No example ${unknown.join(", ")}; there are ${known.join(", ")}`);
  const folder = await mkdtemp(join(tmpdir(), "offprint-examples-"));
  const failed: string[] = [];
  const browser = await launchBrowser();
  try {
    await run("npm", ["pack", "--silent", "--pack-destination", folder], root);
    const tarball = join(folder, (await readdir(folder))[0] ?? "");
    await mapBounded(names.length > 0 ? names : known, parallel, async (name) => {
      try {
        if (isLocking) await writeLock(name, folder, tarball);
        else if (Object.hasOwn(trials, name)) await trials[name]!(join(folder, name), tarball, isAll);
        else await tryExample(name, { folder: join(folder, name), tarball, browser }, isAll);
      } catch (error) {
        failed.push(name);
        process.stdout.write(`✖ ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    });
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
  if (failed.length > 0) process.exitCode = 1;
}

/** Of sites that keep the pages whose content is as before. */
const trials: Readonly<Record<string, typeof trySkippedPages>> = {
  "astro-skips": trySkippedPages,
  "next-tags": tryNextTags,
};
const root = resolve(import.meta.dirname, "..", "..");

/** Two builds at a time: much of each waits for packages, or for one thread. */
const parallel = 2;

/** Where a build of each example puts the site. */
const builtInto: Readonly<Record<string, string>> = {
  nuxt: ".output/public",
  next: "out",
  sveltekit: "build",
  astro: "dist",
  vitepress: ".vitepress/dist",
  eleventy: "_site",
  hugo: "public",
};

const origin = "https://lumenpress.example";

async function tryExample(name: string, { folder, tarball, browser }: Trial, isAll: boolean): Promise<void> {
  const major = siteMajors[name]!;
  const site = { folder, built: builtInto[major.example]!, major };
  await copyExample(major, folder, tarball);
  if (major.example === "hugo") await needProgram("hugo", placeOf(root));
  const seconds = stopwatch();
  await installExample(major, folder);
  const install = seconds();
  await build(site);
  const first = seconds();
  const pages = await checkedPages(site);
  await checkGeneration(folder, site.built, 1, 1);
  const isCurrent = major.packages === undefined;
  const wide = isCurrent ? await findWidePages(browser, await readBuiltSite(join(folder, site.built))) : [];
  if (wide.length > 0) throw new Error(`pages scroll sideways\n  ${wide.slice(0, 20).join("\n  ")}`);
  const edits = isAll || isCurrent ? await tryEdits(site, pages, isAll) : "";
  process.stdout.write(`✔ ${name}: ${pages.size} pages; install ${install}, first build ${first}${edits}\n`);
}

/** @returns how long it took */
async function tryEdits(site: Site, pages: ReadonlyMap<string, string>, buildsAgain: boolean): Promise<string> {
  const seconds = stopwatch();
  const unchanged = await (buildsAgain ? build(site) : run("npm", ["run", "prebuild"], site.folder, site.major.node));
  const second = seconds();
  const requests = /Unchanged: [\s\S]*?(\d+) requests?/.exec(unchanged)?.[1];
  // The probe; the list of taxonomies, which a redirect leads back to; two trees.
  if (requests !== "5") throw new Error(`the second build read the space again:\n${unchanged.slice(0, 2000)}`);
  const differing = buildsAgain ? differences(pages, await checkedPages(site)) : [];
  if (differing.length > 0) throw new Error(`the second build is another one: ${differing.slice(0, 10).join(", ")}`);

  for (const kind of ["publish", "rename", "delete", "unpublish"]) {
    await run("npx", ["--no-install", "offprint", "demo", "--edit", kind, "--quiet"], site.folder);
  }
  await run("npm", ["run", "prebuild"], site.folder, site.major.node);
  await checkGeneration(site.folder, site.built, 1, 2);
  seconds();
  await build(site);
  const third = seconds();
  checkEdits(pages, await checkedPages(site));
  await checkGeneration(site.folder, site.built, 2, 2);
  return `, ${buildsAgain ? "second" : "synced again"} ${second}, after edits ${third}`;
}

interface Trial {
  /** The copy of the example. */
  folder: string;
  tarball: string;
  browser: Browser;
}

interface Site {
  folder: string;
  /** Relative to the folder. */
  built: string;
  major: SiteMajor;
}

/** Updates what package.json asks for anew, and keeps the lock file, with the package as it is when it comes from the registry. */
async function writeLock(name: string, folder: string, tarball: string): Promise<void> {
  const copy = join(folder, name);
  await copyExample({ example: name }, copy, tarball);
  const lean = ["--no-audit", "--no-fund", "--ignore-scripts", "--package-lock-only"];
  await run("npm", ["install", ...lean], copy, siteMajors[name]?.node);
  const version = await readVersion();
  const lock = join(copy, "package-lock.json");
  await editJson<LockFile>(lock, (document) => {
    setPackage(document, version, undefined);
    addForeignPackages(document);
  });
  const text = await readFile(lock, "utf8");
  const hosts = [...text.matchAll(/"resolved": "(?!https:\/\/registry\.npmjs\.org\/)([^"]*)"/g)].map(([, url]) => url);
  if (hosts.length > 0) throw new Error(`the lock file names ${hosts.slice(0, 3).join(", ")}`);
  await writeFile(join(examples, name, "package-lock.json"), text);
  process.stdout.write(`✔ ${name}: wrote package-lock.json\n`);
}

async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(join(root, "package.json"), "utf8")).version;
}

/** @returns what the sync and the generator printed */
function build({ folder, major }: Site): Promise<string> {
  return run("npm", ["run", "build"], folder, major.node);
}

/** By file, what a reader sees of each page: its text, and where its links lead. @throws Error where the site is not right */
async function checkedPages({ folder, built }: Site): Promise<Map<string, string>> {
  const expected = await expectedDemoSite(await contentFolder(folder), origin, ownPages);
  const problems = await checkSite(join(folder, built), expected);
  if (problems.length > 0) {
    const lines = problems.slice(0, 20).map(({ kind, file, message }) => `  ${kind}: ${file} ${message}`);
    throw new Error(`${problems.length} wrong in the built site\n${lines.join("\n")}`);
  }
  const site = await readBuiltSite(join(folder, built));
  const pictures = [...site.pages.values()].flatMap((page) => page.pictures);
  const local = pictures.filter(({ src }) => src.startsWith("/") && !src.startsWith("//"));
  if (local.length < pictures.length * 0.9) throw new Error(`${local.length} of ${pictures.length} pictures are local`);
  return visiblePages(site);
}

/** Beside stories: the addresses that the folder had before it was renamed, and a file that Next exports. */
const ownPages = [/^(?:\/de\/presse|\/press)(?:\/|$)/, /^\/_not-found$/];

async function contentFolder(folder: string): Promise<string> {
  const { output, content } = parse(await readFile(join(folder, "sync.config.yaml"), "utf8"));
  return join(folder, content?.dir ?? join(output?.dir ?? "output", "content"));
}

function visiblePages({ pages }: BuiltSite): Map<string, string> {
  return new Map(
    [...pages].map(([file, { title, text, links, refresh }]) => {
      const addresses = links.filter(({ element }) => element === "a").map(({ address }) => address);
      return [file, JSON.stringify({ title, text, addresses, refresh }, undefined, 1)];
    }),
  );
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const files = new Set([...before.keys(), ...after.keys()]);
  return [...files].filter((file) => before.get(file) !== after.get(file)).sort();
}

/** What shows one of the edits, before or after it: an address or a title. */
const shown = /\/presse?\b|newsroom|ligatur|lamp over the door|return a book|zur(?:ü|ue)ckgeben/i;

/** What of a page is another than before: its sentences, its title and its addresses. */
function changedPieces(before = "", after = ""): string {
  const pieces = (page: string) => page.split(/\n|(?<=[.!?]) /);
  const [was, is] = [new Set(pieces(before)), new Set(pieces(after))];
  return [...[...was].filter((one) => !is.has(one)), ...[...is].filter((one) => !was.has(one))].join("\n");
}

/** Whether the pages show each of the edits, and nothing else is another. */
function checkEdits(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
  const fileOf = (path: string) => [`${path}/index.html`, `${path}.html`].find((file) => after.has(file));
  const textAt = (path: string) => after.get(fileOf(path) ?? "") ?? "";
  const wrong = [
    ...["glossary/ligature", "help/can-i-return-a-book", "de/hilfe/kann-ich-ein-buch-zurueckgeben"]
      .filter((path) => fileOf(path) !== undefined)
      .map((path) => `${path} is still there`),
    ...(textAt("newsroom/the-lamp-over-the-door").includes("is on again") ? [] : ["the new headline is not shown"]),
    ...differences(before, after)
      .filter((file) => !shown.test(`${file}\n${changedPieces(before.get(file), after.get(file))}`))
      .map((file) => `${file} is another page, though no edit is about it`),
  ];
  if (wrong.length > 0) throw new Error(`after the edits\n  ${wrong.slice(0, 20).join("\n  ")}`);
}

await main(process.argv.slice(2));
