import { configFileName } from "../../config/config-file.js";
import type { Region } from "../../config/schema/region-hosts.js";
import { isDemoUrl, sourceUrl } from "../../config/schema/source-url.js";
import { looksLikeToken } from "../../config/token-like.js";
import { OffprintError } from "../../lib/errors.js";
import { type CiHost, ciRecipe, factsOf, plannedFacts } from "./ci-recipe.js";
import { filledTemplate } from "./sites/filled-template.js";
import type { SiteConfig } from "./sites/framework.js";

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

export interface TemplateOptions extends SiteConfig {
  region?: Region | undefined;
  url?: string | undefined;
}

/** The token has no default but for the demo: without the secret, no build may publish it. @throws OffprintError */
export function configTemplate(options: TemplateOptions = {}): string {
  const { region, url, target = "plain", outputDir = "output", contentDir, assetsDir, assetsBaseUrl } = options;
  if (region !== undefined && url !== undefined) {
    throw new OffprintError("USAGE", "A region and a url were given", { hint: "Give one of the two." });
  }
  // The demo space's token is public and valid for no other address.
  const isDemo = url !== undefined && isDemoUrl(url);
  return filledTemplate("sync.config.yaml", {
    REGION: region,
    URL: url === undefined ? undefined : JSON.stringify(readUrl(url)),
    NO_PLACE: region === undefined && url === undefined,
    DEMO: isDemo,
    NO_DEMO: !isDemo,
    OUTPUT_DIR: outputDir,
    ASSETS_DIR: assetsDir,
    ASSETS_BASE_URL: assetsBaseUrl,
    CONTENT_DIR: contentDir,
    NO_CONTENT_DIR: contentDir === undefined,
    TARGET: target,
    RESOLVES: options.depth !== undefined || options.linkPattern !== undefined,
    DEPTH: options.depth?.toString(),
    LINK_PATTERN: options.linkPattern,
    RICH_TEXT: options.richText,
    FORMATS: `[${(options.formats ?? ["json", "markdown"]).join(", ")}]`,
  });
}

function readUrl(url: string): string {
  const reading = sourceUrl.read(url);
  if ("value" in reading) return reading.value;
  const [misfit] = reading.misfits;
  const shown = looksLikeToken(url) ? "this text" : JSON.stringify(url);
  throw new OffprintError("USAGE", `The url expects ${misfit?.expects}, not ${shown}`, { hint: misfit?.hint ?? "" });
}
