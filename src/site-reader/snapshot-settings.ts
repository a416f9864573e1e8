import { access } from "node:fs/promises";
import { resolve } from "node:path";
import type { Config } from "../config/config.js";
import { configFileName } from "../config/config-file.js";
import { configSchema } from "../config/config-schema.js";
import { loadSpaces } from "../config/load-spaces.js";
import { resolveConfig } from "../config/resolve-config.js";
import { onlySpace } from "../config/select-spaces.js";
import { isOffprintError, OffprintError } from "../errors.js";
import type { OpenSnapshotOptions } from "./snapshot.js";

/** Where a snapshot lies, and what shapes how site code sees it. */
export interface SnapshotSettings {
  /** Absolute path of the output folder. */
  dir: string;
  config: Pick<Config, "resolve" | "assets" | "content" | "output">;
}

/**
 * The settings of a snapshot: those of the options, then of the configuration file, then the defaults.
 *
 * @param dir the output folder; without one, that of the configuration. A configuration that only lies in the working
 * folder counts for its own output folder alone. Of several spaces that one counts whose output folder it is
 * @throws OffprintError `CONFIG_MISSING`, `CONFIG_INVALID`; `USAGE` where the file has several spaces, and none of them is meant
 */
export async function snapshotSettings(
  dir: string | undefined,
  options: Pick<OpenSnapshotOptions, "config" | "links" | "assetBaseUrl" | "relations" | "depth">,
): Promise<SnapshotSettings> {
  const file = await configOf(dir, options.config);
  const isOwn = file !== undefined && (dir === undefined || options.config !== undefined || isFolder(dir, file));
  const found = isOwn ? file : defaults();
  const output = { ...found.output, dir: dir === undefined ? found.output.dir : resolve(dir) };
  const { links, relations = found.resolve.relations, depth = found.resolve.depth, assetBaseUrl } = options;
  return {
    dir: output.dir,
    config: {
      output,
      content: found.content,
      assets: assetBaseUrl === undefined ? found.assets : { ...found.assets, baseUrl: assetBaseUrl },
      resolve: {
        links: { ...found.resolve.links, ...links },
        relations: typeof relations === "string" ? relations : [...relations],
        depth,
      },
    },
  };
}

async function configOf(dir: string | undefined, file: string | undefined): Promise<Config | undefined> {
  const cwd = process.cwd();
  if (dir !== undefined && file === undefined && !(await isThere(resolve(cwd, configFileName)))) return undefined;
  try {
    const place = file === undefined ? {} : { file };
    const fleet = await loadSpaces({ cwd, env: process.env, tokenOptional: true, ...place });
    // Of several spaces, the output folder tells which one is meant.
    const own = dir === undefined ? undefined : fleet.spaces.find(({ config }) => isFolder(dir, config));
    if (own !== undefined) return own.config;
    if (fleet.isFleet && dir !== undefined && file === undefined) return undefined;
    return onlySpace(fleet, "Name its output folder: `openSnapshot(dir)`.").config;
  } catch (error) {
    if (!isOffprintError(error, "CONFIG_MISSING") || file !== undefined) throw error;
    throw new OffprintError("CONFIG_MISSING", `${configFileName} is not there: ${cwd} has none.`, {
      hint: "Name the output folder, `openSnapshot(dir)`, or the file, `{ config }`; or run `offprint init`, which writes one.",
      cause: error,
    });
  }
}

function isFolder(dir: string, { output }: Config): boolean {
  return resolve(dir) === output.dir;
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** What every key is where no file says otherwise. */
function defaults(): Config {
  const read = configSchema.read({ source: { url: "demo:", token: "demo" } });
  if (!("value" in read)) throw new RangeError("The defaults of the configuration do not fit its schema.");
  return resolveConfig(read.value, process.cwd());
}
