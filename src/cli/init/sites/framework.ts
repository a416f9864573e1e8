import type { ContentTarget } from "../../../config/config.js";

export interface Framework {
  label: string;
  packages: readonly string[];
  configFiles: readonly string[];
  /** What builds write, as git ignores it: `/dist/`. */
  ignored: readonly string[];
  site(project: Project): SiteTemplate;
  /** How the files of `config/templates/sites/<framework>/full` go into a project. */
  full(project: Project): FullSite;
}

export interface FullSite {
  /** Settings in addition to those of the first page. */
  config?: SiteConfig;
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
  /** Packages to install in addition to Offprint. */
  installs?: readonly string[];
  byHand?: readonly string[];
  build?: string;
  dev?: SiteTemplate["dev"];
  address?: string;
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
