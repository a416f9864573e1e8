import { packageManagerOf } from "./package-manager.js";
import type { Project } from "./project.js";
import type { SiteTemplate } from "./site-template.js";

/** What becomes of the scripts of package.json. */
export interface ScriptPlan {
  /** By names that package.json does not have. */
  added: Readonly<Record<string, string>>;
  /** What is left to the owner, because a script of that name is there or would not be run. */
  byHand: readonly string[];
}

const command = "offprint sync";

/**
 * The scripts that a site needs: `sync`, and one that syncs before each build. A script that is there stays as it is.
 * The build is `build`, or `docs:build` where only that is there.
 */
export function planScripts(project: Project, { build: newBuild }: SiteTemplate): ScriptPlan {
  const scripts = project.packageJson?.scripts ?? {};
  if (project.packageJson === undefined) {
    return { added: { sync: command, prebuild: command, ...(newBuild && { build: newBuild }) }, byHand: [] };
  }
  const build = scripts.build === undefined && scripts["docs:build"] !== undefined ? "docs:build" : "build";
  const hook = `pre${build}`;
  const isSynced = [scripts[hook], scripts[build]].some((text) => text !== undefined && syncs(text, scripts));
  const needsHook = !isSynced && packageManagerOf(project).runsPreScripts;
  return {
    added: {
      ...(scripts.sync === undefined && { sync: command }),
      ...(needsHook && scripts[hook] === undefined && { [hook]: command }),
    },
    byHand: [
      ...(scripts.sync === undefined || syncs(scripts.sync, {})
        ? []
        : [`package.json: your script \`sync\` stays. Call \`npx ${command}\` in its place.`]),
      ...(needsHook && scripts[hook] !== undefined
        ? [`package.json: your script \`${hook}\` stays. Sync in it: "${hook}": ${prefixed(scripts[hook])}.`]
        : []),
      ...(!isSynced && !needsHook
        ? [`package.json: Yarn runs no \`${hook}\`. Sync in the build: "${build}": ${prefixed(scripts[build] ?? "…")}.`]
        : []),
    ],
  };
}

/** Whether a script syncs, itself or through the script `sync`. */
function syncs(text: string, scripts: Readonly<Record<string, string>>): boolean {
  if (/\boffprint (?:.* )?sync\b/.test(text)) return true;
  return /\b(?:npm|pnpm|yarn|bun) (?:run )?sync\b/.test(text) && scripts.sync !== undefined && syncs(scripts.sync, {});
}

function prefixed(script: string): string {
  return JSON.stringify(`${command} && ${script}`);
}
