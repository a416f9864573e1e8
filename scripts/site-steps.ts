import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileStep, PageStep } from "./page-steps.js";
import type { SiteStart } from "./site-starts.js";

/**
 * What a reader of a page of `docs/sites` does, in order: makes an empty project, runs the page's commands, reads the demo
 * space, changes the project by hand, writes the page's files, builds, and looks at the site.
 *
 * @param steps those of the page
 * @param root the folder of the repository
 */
export async function siteSteps(start: SiteStart, steps: readonly PageStep[], root: string): Promise<PageStep[]> {
  const { example, files = {}, scripts, byHand = {}, removed = [], commands = [] } = start;
  const manifest = example === undefined ? undefined : await emptyManifest(join(root, "examples", example), start);
  return [
    ...filesOf({ ...files, ...(manifest === undefined ? {} : { "package.json": manifest }) }),
    // Hugo and Jekyll have no package.json: init writes the first.
    command(`npm install ${manifest === undefined ? "--no-save --no-package-lock " : ""}offprint`),
    ...steps.filter(({ kind }) => kind === "command"),
    { kind: "merge", line: 0, path: "sync.config.yaml", text: JSON.stringify(demoSettings(start)) },
    command("npm run sync"),
    ...(removed.length === 0 ? [] : [command(`rm -r ${removed.join(" ")}`)]),
    ...filesOf(byHand),
    ...(manifest === undefined && scripts !== undefined
      ? [{ kind: "merge", line: 0, path: "package.json", text: JSON.stringify({ scripts }) } as const]
      : []),
    ...steps.filter((step) => step.kind === "file").flatMap((step) => fileStep(step, start)),
    command("npm run build"),
    ...commands.map(command),
    ...start.pages.map((page) => ({ kind: "built", line: 0, folder: start.built, ...page }) as const),
  ];
}

/** Few stories: the home page in three languages, and press releases, one of them with a translation. */
function demoSettings({ stories = ["home", "press/"] }: SiteStart) {
  return { source: { url: "demo:", token: "demo", include: { startsWith: stories } } };
}

/** A block with a title alone is a part of a file: settings are added, and a part of an example is for reading. */
function fileStep(step: FileStep, { unread = [] }: SiteStart): PageStep[] {
  const { line, path, text } = step;
  if (path === "package.json") return [{ kind: "merge", line, path, text: `{ "scripts": {\n${text}} }` }];
  if (unread.includes(path)) return [];
  if (path === "sync.config.yaml" || path === "_config.yml") return [{ kind: "merge", line, path, text }];
  return step.isFile ? [step] : [];
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
