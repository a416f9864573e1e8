import { createHash } from "node:crypto";
import { parse } from "yaml";
import { isObject } from "../../lib/shape.js";
import { filledTemplate } from "./sites/filled-template.js";

export const ciHosts = ["github", "gitlab", "netlify", "vercel"] as const;
export type CiHost = (typeof ciHosts)[number];

export function isCiHost(name: string): name is CiHost {
  return ciHosts.some((host) => host === name);
}

/** What shows that a project uses a host. */
export const hostSigns: readonly [path: string, host: CiHost][] = [
  [".gitlab-ci.yml", "gitlab"],
  ["netlify.toml", "netlify"],
  ["vercel.json", "vercel"],
  [".github", "github"],
];

/** A host keeps this folder below the packages between builds without configuration. */
export const keptBelowPackages = "node_modules/.cache/offprint";

export interface RecipeFacts {
  outputDir: string;
  contentDir: string;
  /** Folder for copies of assets, if it is outside the output folder. */
  assetsDir?: string | undefined;
  /** True if the configuration reads the upstream's address from `OFFPRINT_URL`. */
  readsUrl: boolean;
  /** Minute of the hour for the first scheduled run: odd and below 30. */
  minute: number;
}

export function plannedFacts(host: CiHost | undefined, project: string, readsUrl: boolean): RecipeFacts {
  const outputDir = host === "netlify" || host === "vercel" ? keptBelowPackages : "output";
  return { outputDir, contentDir: `${outputDir}/content`, readsUrl, minute: scheduleMinute(project) };
}

/** Facts of the configuration; defaults for values that are missing or unresolved: people can correct the recipe. */
export function factsOf(configText: string, project: string): RecipeFacts {
  let document: unknown;
  try {
    document = parse(configText, { logLevel: "silent" });
  } catch {
    // The next sync reports a file that is not YAML.
  }
  const folder = (section: string): string | undefined => {
    const value = isObject(document) ? document[section] : undefined;
    const dir = isObject(value) ? value.dir : undefined;
    return typeof dir === "string" && /^[\w./@-]+$/.test(dir) ? dir.replace(/^\.\/|\/+$/g, "") : undefined;
  };
  const outputDir = folder("output") ?? "output";
  const assetsDir = folder("assets");
  return {
    outputDir,
    contentDir: folder("content") ?? `${outputDir}/content`,
    ...(assetsDir !== undefined && !isBelow(assetsDir, outputDir) && { assetsDir }),
    readsUrl: configText.includes("${OFFPRINT_URL"),
    minute: scheduleMinute(project),
  };
}

/** Derives an odd minute below 30 from the name: most other schedules run at full hours. */
export function scheduleMinute(project: string): number {
  return (createHash("sha256").update(project).digest().readUInt16BE(0) % 15) * 2 + 1;
}

/** The file that a host reads, and its text. docs/operations.md explains each line. */
export function ciRecipe(host: CiHost, facts: RecipeFacts): { name: string; text: string } {
  const { name, template } = recipes[host];
  const { outputDir, contentDir, readsUrl, minute } = facts;
  const text = filledTemplate(`ci/${template}`, {
    OUTPUT_DIR: outputDir,
    CONTENT_DIR: contentDir,
    KEPT: keptFolders(facts),
    MINUTE: String(minute),
    LATER: String(minute + 30),
    URL: readsUrl,
    NO_URL: !readsUrl,
  });
  return { name, text };
}

const recipes: Readonly<Record<CiHost, { name: string; template: string }>> = {
  github: { name: ".github/workflows/content-sync.yml", template: "github.yml" },
  gitlab: { name: ".gitlab-ci.yml", template: "gitlab.yml" },
  netlify: { name: "netlify.toml", template: "netlify.toml" },
  // JSON has no comments, and Vercel allows 256 characters per command: docs/operations.md has the reasons.
  vercel: { name: "vercel.json", template: "vercel.json" },
};

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The snapshot, and content and images elsewhere. Keep them together, or they no longer match. */
function keptFolders({ outputDir, contentDir, assetsDir }: RecipeFacts): string[] {
  return [outputDir, contentDir, assetsDir ?? outputDir].filter(
    (path, at) => at === 0 || (path !== outputDir && !isBelow(path, outputDir)),
  );
}
