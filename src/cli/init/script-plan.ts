import type { Project, SiteTemplate } from "./sites/framework.js";

export interface ScriptPlan {
  /** By names that package.json does not have. */
  added: Readonly<Record<string, string>>;
  /** Steps for the owner, because a script of that name exists or would not run. */
  byHand: readonly string[];
}

const command = "offprint sync";

/**
 * Plans `sync`, and a sync before each build (`build`, else `docs:build`) and each start of the development server. A project
 * without a build script, or for a whole site, gets scripts that sync, as far as it has none.
 */
export function planScripts(project: Project, template: SiteTemplate): ScriptPlan {
  if (project.packageJson === undefined) return { added: newScripts(template), byHand: [] };
  const { scripts, otherScripts } = project.packageJson;
  const build = scripts.build === undefined && scripts["docs:build"] !== undefined ? "docs:build" : "build";
  const dev = devScriptOf(project, template);
  const { runsPreScripts } = packageManagerOf(project);
  const isNew = scripts[build] === undefined;
  const hooks = [
    isNew ? newScript(scripts, "build", template.build) : hookPlan(scripts, build, "the build", runsPreScripts),
    ...(dev === undefined ? [] : [hookPlan(scripts, dev, "the development server", runsPreScripts)]),
    ...(dev === undefined && (isNew || template.isFull)
      ? [newScript(scripts, template.dev.script, template.dev.command)]
      : []),
  ];
  const sync: ScriptPlan =
    scripts.sync === undefined
      ? { added: { sync: command }, byHand: [] }
      : { added: {}, byHand: syncs(scripts.sync, {}) ? [] : [otherSync] };
  const plans = [sync, ...hooks].map((plan) => withoutKnown(plan, otherScripts));
  return {
    added: Object.assign({}, ...plans.map(({ added }) => added)),
    byHand: plans.flatMap(({ byHand }) => byHand),
  };
}

/** Drops names whose values in package.json are not texts. Those values are kept and reported. */
function withoutKnown({ added, byHand }: ScriptPlan, known: ReadonlySet<string>): ScriptPlan {
  const isKnown = ([name]: readonly [string, string]) => known.has(name);
  const steps = Object.entries(added)
    .filter(isKnown)
    .map(
      ([name, text]) => `package.json: your script \`${name}\` is no text, and stays. Make it "${name}": "${text}".`,
    );
  return {
    added: Object.fromEntries(Object.entries(added).filter((entry) => !isKnown(entry))),
    byHand: [...byHand, ...steps],
  };
}

const otherSync = `package.json: your script \`sync\` stays. Call \`npx ${command}\` in its place.`;

export function devScriptOf({ packageJson }: Project, { dev }: SiteTemplate): string | undefined {
  if (packageJson === undefined) return dev.script;
  return [dev.script, "dev"].find((name) => packageJson.scripts[name] !== undefined);
}

function newScripts({ build, dev }: SiteTemplate): Record<string, string> {
  return { sync: command, prebuild: command, build, [`pre${dev.script}`]: command, [dev.script]: dev.command };
}

/** npm would never run a `prebuild` without a `build`, so the script itself syncs, unless its `pre` script does. */
function newScript(scripts: Readonly<Record<string, string>>, name: string, run: string): ScriptPlan {
  const before = scripts[`pre${name}`];
  const syncsBefore = before !== undefined && syncs(before, scripts);
  return { added: { [name]: syncsBefore ? run : `${command} && ${run}` }, byHand: [] };
}

function hookPlan(
  scripts: Readonly<Record<string, string>>,
  name: string,
  called: string,
  runsPreScripts: boolean,
): ScriptPlan {
  const hook = `pre${name}`;
  const [before, script] = [scripts[hook], scripts[name]];
  if ([before, script].some((text) => text !== undefined && syncs(text, scripts))) return { added: {}, byHand: [] };
  if (!runsPreScripts) {
    const inside = `Sync in ${called}: "${name}": ${prefixed(script ?? "…")}.`;
    return { added: {}, byHand: [`package.json: Yarn runs no \`${hook}\`. ${inside}`] };
  }
  if (before === undefined) return { added: { [hook]: command }, byHand: [] };
  const inside = `Sync in it: "${hook}": ${prefixed(before)}.`;
  return { added: {}, byHand: [`package.json: your script \`${hook}\` stays. ${inside}`] };
}

function syncs(text: string, scripts: Readonly<Record<string, string>>): boolean {
  if (/\boffprint (?:.* )?sync\b/.test(text)) return true;
  return /\b(?:npm|pnpm|yarn|bun) (?:run )?sync\b/.test(text) && scripts.sync !== undefined && syncs(scripts.sync, {});
}

function prefixed(script: string): string {
  return JSON.stringify(`${command} && ${script}`);
}

export interface PackageManager {
  add: string;
  run: string;
  /** True if it runs `prebuild` before `build`. Yarn 2 and later do not. */
  runsPreScripts: boolean;
}

const npm: PackageManager = { add: "npm install --save-dev", run: "npm run", runsPreScripts: true };
const pnpm: PackageManager = { add: "pnpm add --save-dev", run: "pnpm run", runsPreScripts: true };
const bun: PackageManager = { add: "bun add --dev", run: "bun run", runsPreScripts: true };
const yarnClassic: PackageManager = { add: "yarn add --dev", run: "yarn run", runsPreScripts: true };
const yarn: PackageManager = { ...yarnClassic, runsPreScripts: false };

/** The package manager that package.json names, else that of the lock file, else npm. */
export function packageManagerOf({ paths, packageJson }: Project): PackageManager {
  const [, name, major] = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(packageJson?.packageManager ?? "") ?? [];
  if (name === "pnpm" || (name === undefined && paths.has("pnpm-lock.yaml"))) return pnpm;
  if (name === "bun" || (name === undefined && (paths.has("bun.lock") || paths.has("bun.lockb")))) return bun;
  if (name === "yarn") return Number(major) >= 2 ? yarn : yarnClassic;
  if (name === undefined && paths.has(".yarnrc.yml")) return yarn;
  return name === undefined && paths.has("yarn.lock") ? yarnClassic : npm;
}
