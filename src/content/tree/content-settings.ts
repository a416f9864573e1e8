import { join, relative } from "node:path";
import type { Config } from "../../config/config.js";
import { contentHash } from "../../lib/content-hash.js";
import { isObject } from "../../lib/shape.js";
import { assetsFolder } from "../../snapshot/layout.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import { contentFolderOf } from "./content-folder.js";

/** Increased when the same records and settings give other files than before. */
export const contentFormat = 10;

/** The parts of the configuration that shape files and answers. */
export type ShapingConfig = Pick<Config, "resolve" | "assets" | "content" | "output"> & {
  source: Pick<Config["source"], "include">;
};

/** Hash of all that shapes the tree: with another one every file is checked. @param target name of the profile */
export function contentSettings(config: ShapingConfig, target: string = config.content.target): string {
  const shape = [
    contentFormat,
    config.resolve,
    slugRules(config),
    assetsBase(config),
    config.assets.dir === undefined ? null : fromContent(config, config.assets.dir),
    config.content.formats,
    target,
    config.content.richText,
    config.content.types,
    config.content.outline,
    config.output.shardBytes,
    config.assets.metadata,
    config.content.paths ?? null,
  ];
  return contentHash(JSON.stringify(sorted(shape)));
}

/** Hash of what shapes a file of stories, except its records. The same hash and the same answers: the same file. */
export function storyBasis(config: Config, ...more: readonly unknown[]): string {
  return shortHash(
    JSON.stringify(
      sorted([contentFormat, config.resolve, slugRules(config), assetsBase(config), config.assets.metadata, ...more]),
    ),
  );
}

/** The rules that decide whether a story that is missing was left out. */
function slugRules({ source }: Pick<ShapingConfig, "source">): unknown {
  const { startsWith, excludeSlugs, contentTypes, related } = source.include;
  return { startsWith, excludeSlugs, contentTypes, related };
}

/** The part of an asset's address before `<hash>/<name>`: a URL, or a path relative to the content folder. */
export function assetsBase(config: ShapingConfig): string {
  const { baseUrl, dir } = config.assets;
  if (baseUrl !== undefined) return baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`;
  return `${fromContent(config, dir ?? join(config.output.dir, assetsFolder))}/`;
}

function fromContent(config: ShapingConfig, folder: string): string {
  return relative(contentFolderOf(config), folder).replaceAll("\\", "/");
}

/** Objects as lists of pairs in code-unit order of the keys: the order of the configuration's lines does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key])]);
}
