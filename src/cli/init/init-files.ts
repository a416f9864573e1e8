import { configFileName } from "../../config/config-file.js";
import { type CiHost, ciRecipe, factsOf, plannedFacts } from "./ci-recipe.js";
import { configTemplate, type TemplateOptions } from "./config-template.js";
import { filledTemplate } from "./sites/filled-template.js";

export interface InitFile {
  /** Path relative to the project's folder, with `/` between segments. */
  name: string;
  text: string;
}

export interface InitOptions extends TemplateOptions {
  ci?: CiHost | undefined;
  project?: string | undefined;
  /** Text of an existing configuration that stays. The recipe is written for it. */
  keptConfig?: string | undefined;
}

/** The configuration, `.env.example` and, for a host, its CI recipe. @throws OffprintError USAGE as {@link configTemplate} does */
export function initFiles({ ci, project = "", keptConfig, ...options }: InitOptions = {}): InitFile[] {
  const readsUrl = options.region === undefined && options.url === undefined;
  const facts = keptConfig === undefined ? plannedFacts(ci, project, readsUrl) : factsOf(keptConfig, project);
  return [
    { name: configFileName, text: configTemplate({ outputDir: facts.outputDir, ...options }) },
    { name: ".env.example", text: envExample(facts.readsUrl) },
    ...(ci === undefined ? [] : [ciRecipe(ci, facts)]),
  ];
}

/** Adds paths to the text of a `.gitignore`, one per line, with its line ends. Undefined if it needs no change. */
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

/** Removes slashes at both ends: git ignores the folder with or without them. */
function bare(path: string): string {
  return path.replace(/^\/|\/$/g, "");
}

export function envExample(readsUrl: boolean): string {
  return filledTemplate("env.example", { URL: readsUrl });
}
