import { configFileName } from "../../config/config-file.js";
import type { Region } from "../../config/schema/region-hosts.js";
import { isDemoUrl } from "../../config/schema/source-url.js";
import { configDifferences, namesDemo } from "./config-differences.js";
import type { FrameworkName } from "./frameworks.js";
import { configTemplate, envExample, ignoringPaths } from "./init-files.js";
import { addScripts } from "./package-json.js";
import { devScriptOf, packageManagerOf, planScripts, type ScriptPlan } from "./script-plan.js";
import type { Project, SiteFile, SiteTemplate } from "./sites/framework.js";

export interface SitePlan {
  changes: readonly FileChange[];
  byHand: readonly string[];
  next: readonly string[];
}

/** `replace`: overwritten by `--force`. `add`: gets more. `unchanged`: as planned. `keep`: it differs and stays. */
export type FileChange =
  | { kind: "write" | "replace"; path: string; text: string }
  | { kind: "add"; path: string; text: string; added: readonly string[] }
  | { kind: "unchanged" | "keep" | "remove"; path: string };

export interface SitePlanOptions {
  region?: Region | undefined;
  url?: string | undefined;
  force: boolean;
  framework: FrameworkName;
  /** What builds of the framework write, as git ignores it. */
  ignored: readonly string[];
}

const gitignoreName = ".gitignore";
const packageName = "package.json";

/** Files whose text {@link planSite} needs, in addition to those it writes. */
export function filesOf(template: SiteTemplate, options: SitePlanOptions): SiteFile[] {
  const readsUrl = options.region === undefined && options.url === undefined;
  const wanted = { ...template.config, region: options.region, url: options.url };
  const config = configTemplate(wanted);
  return [
    {
      path: configFileName,
      text: config,
      // Without a region or an address, the existing file decides where the space is.
      isSame: (text) =>
        options.force
          ? readsUrl && withoutSource(text) === withoutSource(config)
          : configDifferences(text, wanted).length === 0,
      otherwise: (text) =>
        `${configFileName} is yours and stays, but has other values. Write in it ${configDifferences(text, wanted).join(", ")}.`,
    },
    { path: ".env.example", text: envExample(readsUrl), isSame: (text) => readsUrl && text === envExample(false) },
    ...template.files,
  ];
}

function withoutSource(config: string): string {
  return config.replace(/^ {2}(?:region|url|token):.*\n/gm, "");
}

/** Applied a second time, it changes nothing. @param texts of existing files by path: {@link filesOf} and two more */
export function planSite(
  template: SiteTemplate,
  project: Project,
  texts: ReadonlyMap<string, string>,
  options: SitePlanOptions,
): SitePlan {
  const files = filesOf(template, options).map((file) => ({ file, change: fileChange(file, texts, options.force) }));
  const scripts = planScripts(project, template);
  const kept = files.filter(({ change }) => change.kind === "keep");
  const gone = (template.removed ?? []).filter(({ path }) => texts.has(path));
  const isUntouched = ({ path, isStarter }: Pick<SiteFile, "path" | "isStarter">) =>
    isStarter?.(texts.get(path)!) === true;
  return {
    changes: [
      ...files.map(({ change }) => change),
      ...gone.filter(isUntouched).map(({ path }) => ({ kind: "remove" as const, path })),
      packageChange(texts.get(packageName), scripts.added),
      gitignoreChange(texts.get(gitignoreName), template, options),
    ],
    byHand: [
      ...gone
        .filter((file) => !isUntouched(file))
        .map(
          ({ path }) =>
            `${path} is yours and stays, but hides a page of your space. Move what you need, and delete it.`,
        ),
      ...kept.flatMap(({ file: { path, otherwise = [] } }) =>
        typeof otherwise === "function" ? otherwise(texts.get(path) ?? "") : otherwise,
      ),
      ...(template.byHand ?? []),
      ...scripts.byHand,
    ],
    next: nextSteps(template, project, {
      framework: options.framework,
      isDemo: readsDemo(options, texts.get(configFileName)),
      added: scripts.added,
    }),
  };
}

function fileChange(
  { path, text, isSame, isStarter }: SiteFile,
  texts: ReadonlyMap<string, string>,
  force: boolean,
): FileChange {
  // A checkout may have changed the line ends.
  const there = texts.get(path)?.replaceAll("\r\n", "\n");
  if (there === undefined) return { kind: "write", path, text };
  if (there === text || isSame?.(there) === true) return { kind: "unchanged", path };
  return force || isStarter?.(there) ? { kind: "replace", path, text } : { kind: "keep", path };
}

function packageChange(text: string | undefined, scripts: Readonly<Record<string, string>>): FileChange {
  if (text === undefined) {
    return { kind: "write", path: packageName, text: `${JSON.stringify({ private: true, scripts }, undefined, 2)}\n` };
  }
  const added = Object.entries(scripts).map(([name, command]) => `script ${name}: ${command}`);
  if (added.length === 0) return { kind: "unchanged", path: packageName };
  return { kind: "add", path: packageName, text: addScripts(text, scripts), added };
}

function gitignoreChange(
  text: string | undefined,
  { config }: SiteTemplate,
  { ignored: built }: SitePlanOptions,
): FileChange {
  const folders = [config.outputDir ?? "output", config.contentDir, config.assetsDir].filter(
    (folder) => folder !== undefined,
  );
  const ignored = ignoringPaths(text, ["node_modules/", ...built, ".env", ...folders.map((folder) => `/${folder}/`)]);
  if (ignored === undefined) return { kind: "unchanged", path: gitignoreName };
  if (text === undefined) return { kind: "write", path: gitignoreName, text: ignored.text };
  return { kind: "add", path: gitignoreName, ...ignored };
}

/** True for the demo space, which needs no token. The flags decide, else the existing configuration. */
function readsDemo({ region, url }: Pick<SitePlanOptions, "region" | "url">, config: string | undefined): boolean {
  if (url !== undefined || region !== undefined) return url !== undefined && isDemoUrl(url);
  return config !== undefined && namesDemo(config);
}

function nextSteps(
  template: SiteTemplate,
  project: Project,
  { framework, isDemo, added }: { framework: FrameworkName; isDemo: boolean; added: ScriptPlan["added"] },
): string[] {
  const { add, run } = packageManagerOf(project);
  const isInstalled = project.packageJson?.dependencies.has("offprint") === true;
  const missing = (template.installs ?? []).filter((name) => project.packageJson?.dependencies.has(name) !== true);
  const { script } = template.dev;
  const dev = devScriptOf(project, template) ?? (added[script] === undefined ? undefined : script);
  const start = dev === undefined ? template.dev.command : `${run} ${dev}`;
  return [
    ...(isInstalled && missing.length === 0
      ? []
      : [`${add} ${[...(isInstalled ? [] : ["offprint"]), ...missing].join(" ")}`]),
    ...(isDemo ? [] : ["copy .env.example to .env, and fill in the token"]),
    `${run} sync`,
    `${start}, and open ${template.address}`,
    `${template.isFull ? "what each file is for" : "a page for each story, languages, images"}: node_modules/offprint/docs/sites/${framework}.md`,
  ];
}
