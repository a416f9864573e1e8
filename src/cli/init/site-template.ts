import type { TemplateOptions } from "./config-template.js";
import type { Project } from "./project.js";

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
  /** Values of sync.config.yaml. */
  config: Pick<TemplateOptions, "target" | "outputDir" | "contentDir" | "formats" | "assetsDir" | "assetsBaseUrl">;
  /** Files of the site, in the order in which somebody would read them. */
  files: readonly SiteFile[];
  /** What is added by hand to files that the project has. */
  byHand: readonly string[];
  /** The script that starts the development server; where there is none, the command. */
  dev: { script: string; command: string };
  /** The command that builds the site, for a project that has no package.json yet; undefined: it has to have one. */
  build?: string;
  /** Where the list is shown: `http://localhost:4321/stories/`. */
  address: string;
  /** The page of the documentation that tells how to go on: `docs/library.md`. */
  guide: string;
}

/** A file of the site. */
export interface SiteFile {
  /** Relative to the folder of the project, with `/` between segments. */
  path: string;
  text: string;
  /** Whether another text, with line ends `\n`, is as good. */
  isSame?(there: string): boolean;
  /** What to add by hand where another file of that name is there. */
  otherwise?: string | ((there: string) => string);
}
