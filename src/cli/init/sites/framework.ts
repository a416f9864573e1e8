import type { ContentTarget } from "../../../config/config.js";
import { packageFiles } from "../../../lib/package-file.js";
import { filledTemplate } from "./filled-template.js";

export interface Framework {
  label: string;
  packages: readonly string[];
  configFiles: readonly string[];
  /** Its settings in a new project, as the templates of a full site have them. */
  newConfigFile: string;
  /** What builds write, as git ignores it: `/dist/`. */
  ignored: readonly string[];
  /** The command that starts the development server. */
  dev: string;
  /** The build command for a package.json without one. */
  build: string;
  /** Where the development server answers. */
  origin: string;
  /** A first page that lists the stories. */
  site(project: Project): FirstSite;
  /** How the files of `config/templates/sites/<framework>/full` go into a project. */
  full(project: Project): FullSite;
}

/** What the first page needs, where it differs from other sites. */
export interface FirstSite extends Partial<Omit<SiteTemplate, "files" | "address">> {
  files: readonly SiteFile[];
  /** Path of the page; default: `/stories`. */
  page?: string;
}

export interface FullSite extends Partial<Omit<SiteTemplate, "files" | "removed" | "address">> {
  /** Where the settings go, if the project has none; default: as in the templates. */
  configFile?: string;
  /** The folder of all files but the settings. */
  folder?: string | undefined;
  /** Where a file of the templates goes; default: the same path, with TypeScript's extension in a TypeScript project. */
  place?(path: string): string | undefined;
  /** Where the style sheet of all sites goes. */
  stylesheet?: string;
  /** Values of the placeholders in the templates. */
  values?: Readonly<Record<string, string>>;
  /** Found in each file that the creator of the framework writes, and that the site replaces or removes. */
  starter: RegExp;
  /** Files that hide the pages of the space, or end the build. */
  inTheWay?: readonly string[];
}

export function withExtension(name: string): string[] {
  return ["js", "mjs", "cjs", "ts", "mts", "cts"].map((extension) => `${name}.${extension}`);
}

/** Everything that a framework needs from Offprint: settings, files, and steps for the owner of a file. */
export interface SiteTemplate {
  config: SiteConfig;
  files: readonly SiteFile[];
  /** Files that the site cannot have: removed if nobody changed them, else a step for their owner. */
  removed?: readonly Pick<SiteFile, "path" | "isStarter">[];
  /** Packages to install in addition to Offprint. */
  installs?: readonly string[];
  byHand?: readonly string[];
  /** The script that starts the development server, and the command to use without one. */
  dev: { script: string; command: string };
  /** The build command for a package.json without one. */
  build: string;
  address: string;
  isFull?: boolean;
}

export interface SiteConfig {
  target?: ContentTarget | undefined;
  outputDir?: string | undefined;
  /** `content.dir`. Without it, the line is a comment. */
  contentDir?: string | undefined;
  formats?: readonly ("json" | "markdown")[] | undefined;
  assetsDir?: string | undefined;
  assetsBaseUrl?: string | undefined;
  /** `resolve.depth`. Without it, the line is missing. */
  depth?: number | undefined;
  /** `resolve.links.pattern`. */
  linkPattern?: string | undefined;
  /** `content.richText`. */
  richText?: "html" | undefined;
}

export interface SiteFile {
  /** Relative to the folder of the project, with `/` between segments. */
  path: string;
  text: string;
  /** True if an existing text, with line ends `\n`, will do. */
  isSame?(there: string): boolean;
  /** True if an existing text is as a tool wrote it, and is replaced without `--force`. */
  isStarter?(there: string): boolean;
  /** Steps to do by hand if another file has this name. */
  otherwise?: string | ((there: string) => string);
}

export interface Project {
  /** Existing files and folders, with `/` between segments: of the root and of {@link listedFolders}. */
  paths: ReadonlySet<string>;
  packageJson: PackageJson | undefined;
  configTexts: ReadonlyMap<string, string>;
}

export interface PackageJson {
  /** Names of `dependencies`, `devDependencies`, `optionalDependencies` and `peerDependencies`. */
  dependencies: ReadonlySet<string>;
  scripts: Readonly<Record<string, string>>;
  /** Names in `scripts` whose values are not texts. No program runs those. */
  otherScripts: ReadonlySet<string>;
  isModule: boolean;
  /** `yarn@4.5.0`. Empty if not set. */
  packageManager: string;
  /** The patterns of `workspaces`: `apps/*`. */
  workspaces: readonly string[];
}

export const listedFolders = [
  "src",
  "src/content",
  "src/app",
  "app",
  "docs",
  "pages",
  ".vitepress",
  "docs/.vitepress",
  "config",
  "config/_default",
] as const;

export function isTypeScript({ paths }: Project): boolean {
  return paths.has("tsconfig.json");
}

export function firstOf({ paths }: Project, candidates: readonly string[]): string | undefined {
  return candidates.find((path) => paths.has(path));
}

/** A site with one page that lists the stories. */
export function firstSite(framework: Framework, project: Project): SiteTemplate {
  const { dev, build, origin } = framework;
  const { page = "/stories", config, ...more } = framework.site(project);
  return {
    dev: { script: "dev", command: dev },
    build,
    address: `${origin}${page}`,
    ...more,
    config: { target: "plain", formats: [], assetsBaseUrl: "/cms", ...config },
  };
}

/** The files of a site with a page for each story. They replace files of the creator and those of the first page. */
export function fullSite(name: string, framework: Framework, project: Project): SiteTemplate {
  const first = firstSite(framework, project);
  const { config, configFile, folder = "", place, stylesheet, values, starter, ...others } = framework.full(project);
  const { inTheWay = [], ...more } = others;
  const isTyped = isTypeScript(project);
  const firstTexts = new Map(first.files.map(({ path, text }) => [path, text]));
  const isStarter = (path: string) => (there: string) => starter.test(there) || there === firstTexts.get(path);
  const placeOf = (from: string): string => {
    if (from === framework.newConfigFile) return firstOf(project, framework.configFiles) ?? configFile ?? from;
    return place?.(from) ?? folder + (isTyped ? from.replace(/\.js(?=x?$)/, ".ts") : from);
  };
  const templates = `sites/${name}/full`;
  const own = packageFiles(`config/templates/${templates}`).map((from) => ({
    from: `${templates}/${from}`,
    path: placeOf(from),
  }));
  const shared = stylesheet === undefined ? [] : [{ from: "sites/style.css", path: stylesheet }];
  const files = [...own, ...shared].map(({ from, path }) => ({
    path,
    text: withTypes(filledTemplate(from, values), isTyped),
    isStarter: isStarter(path),
    otherwise: `${path} is yours and stays. Add what is in node_modules/offprint/config/templates/${from}.`,
  }));
  const written = new Set(files.map(({ path }) => path));
  const removed = [...new Set([...firstTexts.keys(), ...inTheWay])].filter((path) => !written.has(path));
  return {
    ...first,
    address: `${framework.origin}/`,
    byHand: [],
    ...more,
    config: { ...first.config, ...config },
    files,
    removed: removed.map((path) => ({ path, isStarter: isStarter(path) })),
    isFull: true,
  };
}

/** Types are in comments: `name/*: string *\/` is `name: string`, and what follows `/*::` is only in TypeScript. */
export function withTypes(text: string, isTyped: boolean): string {
  if (isTyped) return text.replace(/\/\*::\s*(.*?)\s*\*\//g, "$1").replace(/\/\*:\s*(.*?)\s*\*\//g, ": $1");
  return text.replace(/^\/\*::.*\*\/\n/gm, "").replace(/ *\/\*::?.*?\*\//g, "");
}
