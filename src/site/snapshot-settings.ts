import { access, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "../config/config.js";
import { configFileName } from "../config/config-file.js";
import { onlySpace } from "../config/load/fleet.js";
import { loadSpaces } from "../config/load/load-spaces.js";
import { resolveConfig } from "../config/load/resolve-config.js";
import { configSchema } from "../config/schema/config-schema.js";
import { isStoreAddress, storeAddressText } from "../config/schema/store-address.js";
import { storeSettingOf } from "../config/schema/store-schema.js";
import type { ShapingConfig } from "../content/tree/content-settings.js";
import { isOffprintError, OffprintError } from "../lib/errors.js";
import { manifestFile, seenPointer } from "../snapshot/layout.js";
import type { OpenSnapshotOptions, StoreOptions } from "./snapshot.js";

/** Where a snapshot is, and the settings that shape it for site code. */
export interface SnapshotSettings {
  /** Absolute path of the output folder; for a store, of its local cache folder. */
  dir: string;
  /** The same folder, or the address of the store. */
  address: string;
  config: ShapingConfig;
}

/**
 * Options first, then the configuration file, then the defaults. A configuration found only because it is in
 * the working folder counts for its own output folder alone. Of several spaces, the one with this output
 * folder counts.
 * @throws OffprintError `CONFIG_MISSING`, `CONFIG_INVALID`; `USAGE` if no space matches
 */
export async function snapshotSettings(
  dir: string | undefined,
  options: Pick<OpenSnapshotOptions, "config" | "links" | "assetBaseUrl" | "relations" | "depth" | "store">,
): Promise<SnapshotSettings> {
  const file = await configOf(dir, options.config);
  const isOwn = file !== undefined && (dir === undefined || options.config !== undefined || isPlaceOf(dir, file));
  const found = isOwn ? file : defaults();
  const output = outputAt(dir, found.output, options.store);
  const { links = {}, relations = found.resolve.relations, depth = found.resolve.depth, assetBaseUrl } = options;
  return {
    dir: output.dir,
    address: output.store === undefined ? output.dir : storeAddressText(output.store),
    config: {
      output,
      content: found.content,
      source: { include: found.source.include },
      assets: assetBaseUrl === undefined ? found.assets : { ...found.assets, baseUrl: assetBaseUrl },
      resolve: {
        links: { ...found.resolve.links, ...links, home: homeOf(links.home ?? found.resolve.links.home) },
        relations: typeof relations === "string" ? relations : [...relations],
        depth,
      },
    },
  };
}

function homeOf(home: string | readonly string[]): string | string[] {
  return typeof home === "string" ? home : [...home];
}

async function configOf(dir: string | undefined, file: string | undefined): Promise<Config | undefined> {
  const cwd = process.cwd();
  if (dir !== undefined && file === undefined && !(await isThere(resolve(cwd, configFileName)))) return undefined;
  try {
    const place = file === undefined ? {} : { file };
    const fleet = await loadSpaces({ cwd, env: process.env, tokenOptional: true, ...place });
    // Of several spaces, the output folder selects one.
    const own = dir === undefined ? undefined : fleet.spaces.find(({ config }) => isPlaceOf(dir, config));
    if (own !== undefined) return own.config;
    if (fleet.isFleet && dir !== undefined && file === undefined) return undefined;
    return onlySpace(fleet, "Pass its output folder: `openSnapshot(dir)`.").config;
  } catch (error) {
    if (!isOffprintError(error, "CONFIG_MISSING") || file !== undefined) throw error;
    throw new OffprintError("CONFIG_MISSING", `There is no ${configFileName} in ${cwd}.`, {
      hint: "Pass the output folder, `openSnapshot(dir)`, or the file, `{ config }`; or run `offprint init` to create one.",
      cause: error,
    });
  }
}

function isPlaceOf(dir: string, { output }: Config): boolean {
  if (isStoreAddress(dir)) return output.store !== undefined && storeAddressText(output.store) === dir.trim();
  return resolve(dir) === output.dir;
}

function outputAt(dir: string | undefined, found: Config["output"], store: StoreOptions = {}): Config["output"] {
  const isFound = dir === undefined || (found.store !== undefined && storeAddressText(found.store) === dir.trim());
  if (isFound) return found;
  const { store: _, ...others } = found;
  if (!isStoreAddress(dir)) return { ...others, dir: resolve(dir) };
  const { intervalMs: __, ...reached } = store;
  return { ...others, ...storeSettingOf(dir, reached, { cwd: process.cwd(), env: process.env }) };
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function defaults(): Config {
  const read = configSchema.read({ source: { url: "demo:", token: "demo" } });
  if (!("value" in read)) throw new RangeError("The defaults of the configuration do not fit its schema.");
  return resolveConfig(read.value, process.cwd());
}

/** How often a store is asked for a new pointer, in milliseconds. */
export const storeIntervalMs = 10_000;

/** Absolute path of the pointer; for a store, of the local file with its last known state. */
export function pointerFile({ dir, config: { output } }: SnapshotSettings): string {
  return join(dir, output.store === undefined ? manifestFile : seenPointer);
}

/** Changes with every commit; "": no file. Read it before the pointer, so no commit is missed. */
export async function pointerState(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return "";
    throw error;
  }
}
