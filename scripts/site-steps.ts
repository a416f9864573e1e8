import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileStep, PageStep } from "./page-steps.js";
import type { SiteStart } from "./site-starts.js";

/**
 * What a reader of a page of `docs/sites` does, in order: makes an empty project, runs the page's commands, reads the demo
 * space, writes the page's files, builds, and looks at the site; again, after stories have moved; and again, as a preview
 * deployment shows the drafts.
 *
 * @param steps those of the page
 * @param root the folder of the repository
 * @param isWhole reads all of the demo space; else a part of it
 */
export async function siteSteps(
  start: SiteStart,
  steps: readonly PageStep[],
  { root, isWhole }: { root: string; isWhole: boolean },
): Promise<PageStep[]> {
  const { example, files, scripts, ownFiles = {}, commands = [], built, isMarkdown = false, pages = [] } = start;
  const { draftBuild = "npm run build" } = start;
  const manifest = example === undefined ? undefined : await emptyManifest(join(root, "examples", example), start);
  // It syncs first.
  const builds = ["npm run build", ...commands].map(command);
  const site = { kind: "site", line: 0, built, isMarkdown, isWhole, version: "published" } as const;
  return [
    ...filesOf({ ...files, ...(manifest === undefined ? {} : { "package.json": manifest }) }),
    // Hugo and Jekyll have no package.json: init writes the first.
    command(`npm install ${manifest === undefined ? "--no-save --no-package-lock " : ""}offprint`),
    ...steps.filter(({ kind }) => kind === "command"),
    { kind: "merge", line: 0, path: "sync.config.yaml", text: JSON.stringify(demoSettings(isWhole)) },
    ...(manifest === undefined && scripts !== undefined
      ? [{ kind: "merge", line: 0, path: "package.json", text: JSON.stringify({ scripts }) } as const]
      : []),
    ...filesOf(ownFiles),
    ...steps.filter((step) => step.kind === "file" && step.isFile),
    ...builds,
    { ...site, hasMoved: false },
    ...pages.map((page) => ({ kind: "built", line: 0, folder: built, ...page }) as const),
    command("npx offprint demo --edit rename"),
    ...builds,
    { ...site, hasMoved: true },
    command(`export OFFPRINT_VERSION=draft; ${draftBuild}`),
    { ...site, hasMoved: false, version: "draft" },
  ];
}

/** A part has a few stories: the home page, press releases, whose folder moves, and more articles than fit on one page of a list. */
function demoSettings(isWhole: boolean) {
  const include = isWhole ? {} : { include: { startsWith: ["home", "press/", "newsroom/", "journal/"] } };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration reads the variable, as init writes it.
  const versions = ["${OFFPRINT_VERSION:-published}"];
  return { source: { url: "demo:", token: "demo", versions, ...include } };
}

/** The package.json of an example with the scripts of a new project, and without Offprint. */
async function emptyManifest(example: string, { scripts, packages }: SiteStart): Promise<string> {
  const { dependencies, devDependencies, ...rest } = JSON.parse(await readFile(join(example, "package.json"), "utf8"));
  const all: Record<string, string> = { ...dependencies, ...devDependencies };
  const wanted = Object.entries(all).filter(([name]) => packages?.includes(name) ?? name !== "offprint");
  return JSON.stringify({ ...rest, name: "site", scripts, dependencies: Object.fromEntries(wanted) }, undefined, 2);
}

function filesOf(files: Readonly<Record<string, string>>): FileStep[] {
  return Object.entries(files).map(([path, text]) => ({ kind: "file", line: 0, path, text, isFile: true }));
}

function command(text: string): PageStep {
  return { kind: "command", line: 0, command: text, output: "", background: false };
}
