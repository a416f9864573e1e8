import type { ContentTarget } from "../../../config/config.js";

/** A framework that a project may be built with, what shows it, and what it needs. */
export interface Framework {
  /** As people write it. */
  label: string;
  /** Names of packages, each of which shows it. */
  packages: readonly string[];
  /** Paths of files, each of which shows it. */
  configFiles: readonly string[];
  /** What it needs in a project. */
  site(project: Project): SiteTemplate;
}

/** The names of a script, which a configuration may be. */
export function withExtension(name: string): string[] {
  return ["js", "mjs", "cjs", "ts", "mts", "cts"].map((extension) => `${name}.${extension}`);
}

/** What a framework needs of Offprint: settings, files, and what nobody but the owner of a file may write. */
export interface SiteTemplate {
  config: SiteConfig;
  /** Files of the site, in the order in which somebody would read them. */
  files: readonly SiteFile[];
  /** Steps to do by hand in existing files. */
  byHand: readonly string[];
  /** The script that starts the development server; where there is none, the command. */
  dev: { script: string; command: string };
  /** The command that builds the site, for a project that has no package.json yet; undefined: it has to have one. */
  build?: string;
  /** Address of the list, such as `/stories`. */
  address: string;
  /** The page of the documentation that tells how to go on: `docs/library.md`. */
  guide: string;
}

/** Values of sync.config.yaml that depend on the site. */
export interface SiteConfig {
  /** `content.target`; default: `plain`. */
  target?: ContentTarget | undefined;
  /** `output.dir`; default: `output`. */
  outputDir?: string | undefined;
  /** `content.dir`; without it, the line is a comment. */
  contentDir?: string | undefined;
  /** `content.formats`; default: both. */
  formats?: readonly ("json" | "markdown")[] | undefined;
  /** `assets.dir` */
  assetsDir?: string | undefined;
  /** `assets.baseUrl` */
  assetsBaseUrl?: string | undefined;
}

/** A file of the site. */
export interface SiteFile {
  /** Relative to the folder of the project, with `/` between segments. */
  path: string;
  text: string;
  /** Whether another text, with line ends `\n`, is as good. */
  isSame?(there: string): boolean;
  /** Steps to do by hand if another file has this name. */
  otherwise?: string | ((there: string) => string);
}

/** What `offprint init --site` knows of the project that it adds to. */
export interface Project {
  /** Paths of files and folders that are there, `/` between segments: of the folder itself, and of {@link listedFolders}. */
  paths: ReadonlySet<string>;
  /** undefined where there is none */
  packageJson: PackageJson | undefined;
  /** The texts of the configuration files of frameworks, by path. */
  configTexts: ReadonlyMap<string, string>;
}

/** The parts of package.json that are read. */
export interface PackageJson {
  /** Names of `dependencies`, `devDependencies`, `optionalDependencies` and `peerDependencies`. */
  dependencies: ReadonlySet<string>;
  scripts: Readonly<Record<string, string>>;
  /** Names in `scripts` whose values are no texts, which no program runs. */
  otherScripts: ReadonlySet<string>;
  isModule: boolean;
  /** `yarn@4.5.0`; empty where it names none. */
  packageManager: string;
  /** The patterns of `workspaces`: `apps/*`. */
  workspaces: readonly string[];
}

/** Folders to list, in addition to the project's root. */
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

/** The first of these paths that is there. */
export function firstOf({ paths }: Project, candidates: readonly string[]): string | undefined {
  return candidates.find((path) => paths.has(path));
}
