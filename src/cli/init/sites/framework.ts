import type { ContentTarget } from "../../../config/config.js";

export interface Framework {
  label: string;
  packages: readonly string[];
  configFiles: readonly string[];
  site(project: Project): SiteTemplate;
}

export function withExtension(name: string): string[] {
  return ["js", "mjs", "cjs", "ts", "mts", "cts"].map((extension) => `${name}.${extension}`);
}

/** Everything that a framework needs from Offprint: settings, files, and steps for the owner of a file. */
export interface SiteTemplate {
  config: SiteConfig;
  files: readonly SiteFile[];
  byHand?: readonly string[];
  /** The script that starts the development server, and the command to use without one. */
  dev: { script: string; command: string };
  /** The build command for a new package.json. Undefined if the project must have one already. */
  build?: string;
  address: string;
}

export interface SiteConfig {
  target?: ContentTarget | undefined;
  outputDir?: string | undefined;
  /** `content.dir`. Without it, the line is a comment. */
  contentDir?: string | undefined;
  formats?: readonly ("json" | "markdown")[] | undefined;
  assetsDir?: string | undefined;
  assetsBaseUrl?: string | undefined;
}

export interface SiteFile {
  /** Relative to the folder of the project, with `/` between segments. */
  path: string;
  text: string;
  /** True if an existing text, with line ends `\n`, will do. */
  isSame?(there: string): boolean;
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
