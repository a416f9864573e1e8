import { configFileName } from "../../config/config-file.js";
import { type CiHost, ciRecipe, factsOf, plannedFacts } from "./ci-recipe.js";
import { configTemplate, type TemplateOptions } from "./config-template.js";
import { filledTemplate } from "./sites/filled-template.js";

/** A file that `offprint init` writes. */
export interface InitFile {
  /** Path relative to the folder of the project, with `/` between segments. */
  name: string;
  text: string;
}

export interface InitOptions extends TemplateOptions {
  /** Whose recipe for CI; default: `github`. */
  ci?: CiHost | undefined;
  /** Name of the project, from which the minute of its schedule follows; default: none. */
  project?: string | undefined;
  /** Text of the configuration where there is one that stays: the recipe is written for it. */
  keptConfig?: string | undefined;
}

/**
 * The files that `offprint init` writes: the configuration, an example of `.env`, and a recipe for CI.
 *
 * @throws OffprintError USAGE as {@link configTemplate} does.
 */
export function initFiles({ ci = "github", project = "", keptConfig, ...options }: InitOptions = {}): InitFile[] {
  const readsUrl = options.region === undefined && options.url === undefined;
  const facts = keptConfig === undefined ? plannedFacts(ci, project, readsUrl) : factsOf(keptConfig, project);
  return [
    { name: configFileName, text: configTemplate({ outputDir: facts.outputDir, ...options }) },
    { name: ".env.example", text: envExample(facts.readsUrl) },
    ciRecipe(ci, facts),
  ];
}

/**
 * Adds `.env` to the text of a `.gitignore`.
 * @param text undefined where there is no such file
 * @returns the new text, or undefined when it needs no change
 */
export function ignoringEnv(text: string | undefined): string | undefined {
  return ignoringPaths(text, [".env"])?.text;
}

/**
 * Adds paths to the text of a `.gitignore`, each on a line, with the line ends that the text has.
 * @param text undefined where there is no such file
 * @param paths `.env`, or a folder: `/output/`
 * @returns the new text and the lines that were added, or undefined when it needs no change
 */
export function ignoringPaths(
  text: string | undefined,
  paths: readonly string[],
): { text: string; added: string[] } | undefined {
  const lines = new Set((text ?? "").split(/\r?\n/).map((line) => bare(line.trim())));
  const isIgnored = (path: string) =>
    [path, ...(path === ".env" ? [".env*", "*.env"] : [])].some((one) => lines.has(bare(one)));
  const added = paths.filter((path) => !isIgnored(path));
  if (added.length === 0) return undefined;
  const lineEnd = text?.includes("\r\n") ? "\r\n" : "\n";
  const before = text === undefined || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}${lineEnd}`;
  return { text: `${before}${added.map((path) => `${path}${lineEnd}`).join("")}`, added };
}

/** A path without the slashes at its ends: with or without them, git ignores the folder. */
function bare(path: string): string {
  return path.replace(/^\/|\/$/g, "");
}

/**
 * The text of `.env.example`.
 * @param readsUrl whether the configuration reads the address of the upstream from `OFFPRINT_URL`
 */
export function envExample(readsUrl: boolean): string {
  return filledTemplate("env.example", { URL: readsUrl });
}
