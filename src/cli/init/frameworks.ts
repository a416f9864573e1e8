import { OffprintError } from "../../lib/errors.js";
import { astro } from "./sites/astro.js";
import type { Project } from "./sites/framework.js";
import { next } from "./sites/next.js";
import { eleventy, hugo, jekyll } from "./sites/static-generators.js";
import { nuxt, sveltekit, vite, vitepress } from "./sites/vite-sites.js";

export const frameworks = { astro, next, eleventy, sveltekit, nuxt, vitepress, vite, hugo, jekyll };

export type FrameworkName = keyof typeof frameworks;

export const frameworkNames = Object.keys(frameworks).filter(isFrameworkName);

export function isFrameworkName(name: string): name is FrameworkName {
  return Object.hasOwn(frameworks, name);
}

/** By configuration file, else package; Vite last: others need it. @throws OffprintError `PROJECT_UNUSABLE` */
export function detectFramework(project: Project): { name: FrameworkName; shownBy: string } {
  const all = frameworkNames.map((name) => candidate(name, project)).filter((found) => signsOf(found).length > 0);
  const others = all.filter(({ name }) => name !== "vite");
  const found = others.length > 0 ? others : all;
  const configured = found.filter(({ configFile }) => configFile !== undefined);
  const chosen = configured.length === 1 ? configured : found;
  if (chosen.length === 1) return { name: chosen[0]!.name, shownBy: signsOf(chosen[0]!).join(" and ") };
  throw chosen.length === 0 ? noFramework(project) : severalFrameworks(chosen);
}

type Candidate = ReturnType<typeof candidate>;

function candidate(name: FrameworkName, { paths, packageJson }: Project) {
  const { configFiles, packages } = frameworks[name];
  return {
    name,
    configFile: configFiles.find((path) => paths.has(path)),
    dependency: packages.find((dependency) => packageJson?.dependencies.has(dependency)),
  };
}

function signsOf({ configFile, dependency }: Candidate): string[] {
  return [
    ...(configFile === undefined ? [] : [configFile]),
    ...(dependency === undefined ? [] : [`the package ${dependency}`]),
  ];
}

function severalFrameworks(found: readonly Candidate[]): OffprintError {
  const shown = found.map((one) => `${frameworks[one.name].label} (${signsOf(one).join(", ")})`);
  return new OffprintError("PROJECT_UNUSABLE", `This folder shows more than one framework: ${shown.join(", ")}.`, {
    hint: `Name the one that is meant: ${found.map(({ name }) => `\`offprint init --site ${name}\``).join(" or ")}.`,
  });
}

function noFramework({ paths, packageJson }: Project): OffprintError {
  const names = frameworkNames.join(", ");
  const isRoot =
    (packageJson?.workspaces.length ?? 0) > 0 ||
    ["pnpm-workspace.yaml", "lerna.json", "nx.json", "turbo.json"].some((name) => paths.has(name));
  if (isRoot) {
    return new OffprintError("PROJECT_UNUSABLE", "This folder is the root of a monorepo, and no site itself.", {
      hint: `Run the same command in the folder of the site${packageJson?.workspaces.length ? ` (workspaces: ${packageJson.workspaces.join(", ")})` : ""}.`,
    });
  }
  const seen = packageJson === undefined ? "no package.json" : "a package.json that names no framework known here";
  return new OffprintError("PROJECT_UNUSABLE", `No framework was found in this folder: it has ${seen}.`, {
    hint: `Run the command in the folder of the site, or name its framework: \`offprint init --site <name>\` with ${names}. For any other, \`offprint init\` writes the configuration alone.`,
  });
}
