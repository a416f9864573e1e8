import type { Project } from "./project.js";

/** How the commands of a project's package manager are typed. */
export interface PackageManager {
  /** Installs a package that the build alone needs. */
  add: string;
  /** Stands before the name of a script. */
  run: string;
  /** Whether it runs `prebuild` before `build`: Yarn 2 and later do not. */
  runsPreScripts: boolean;
}

const npm: PackageManager = { add: "npm install --save-dev", run: "npm run", runsPreScripts: true };
const pnpm: PackageManager = { add: "pnpm add --save-dev", run: "pnpm run", runsPreScripts: true };
const bun: PackageManager = { add: "bun add --dev", run: "bun run", runsPreScripts: true };
const yarnClassic: PackageManager = { add: "yarn add --dev", run: "yarn run", runsPreScripts: true };
const yarn: PackageManager = { ...yarnClassic, runsPreScripts: false };

/** The package manager that package.json names, else the one whose lock file is there, else npm. */
export function packageManagerOf({ paths, packageJson }: Project): PackageManager {
  const [, name, major] = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(packageJson?.packageManager ?? "") ?? [];
  if (name === "pnpm" || (name === undefined && paths.has("pnpm-lock.yaml"))) return pnpm;
  if (name === "bun" || (name === undefined && (paths.has("bun.lock") || paths.has("bun.lockb")))) return bun;
  if (name === "yarn") return Number(major) >= 2 ? yarn : yarnClassic;
  if (name === undefined && paths.has(".yarnrc.yml")) return yarn;
  return name === undefined && paths.has("yarn.lock") ? yarnClassic : npm;
}
