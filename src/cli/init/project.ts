import type { PackageJson } from "./package-json.js";

/** What `offprint init --site` knows of the project that it adds to. */
export interface Project {
  /** Paths of files and folders that are there, `/` between segments: of the folder itself, and of {@link listedFolders}. */
  paths: ReadonlySet<string>;
  /** undefined where there is none */
  packageJson: PackageJson | undefined;
  /** The texts of the configuration files of frameworks, by path. */
  configTexts: ReadonlyMap<string, string>;
}

/** The folders whose files and folders are listed, beside the project's own. */
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
