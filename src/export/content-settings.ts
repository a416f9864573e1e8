import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import type { Config } from "../config/config.js";
import { shortHash } from "../reader/noting-reader.js";
import { isObject } from "../shape.js";
import { assetsFolder } from "../snapshot/layout.js";
import { contentFolderOf } from "./content-folder.js";

/** Counts up when the same records and settings give other files. */
export const contentFormat = 4;

/** Hash of every setting that shapes the content tree: another hash means that it has to be looked through again. */
export function contentSettings(config: Config): string {
  const shape = [
    contentFormat,
    config.resolve,
    assetsBase(config),
    config.assets.dir === undefined ? null : fromContent(config, config.assets.dir),
    config.content.formats,
    config.content.target,
    config.content.richText,
    config.content.types,
    config.output.shardBytes,
    config.assets.metadata,
  ];
  return createHash("sha256")
    .update(JSON.stringify(sorted(shape)))
    .digest("hex");
}

/** Hash of what shapes a file of stories beside its records; files of which nothing here changed are not rendered again. */
export function storyBasis(config: Config, ...more: readonly unknown[]): string {
  return shortHash(
    JSON.stringify(sorted([contentFormat, config.resolve, assetsBase(config), config.assets.metadata, ...more])),
  );
}

/** What stands before `<hash>/<name>` of an asset in content: a URL, or a path relative to the content folder. */
export function assetsBase(config: Config): string {
  const { baseUrl, dir } = config.assets;
  if (baseUrl !== undefined) return baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`;
  return `${fromContent(config, dir ?? join(config.output.dir, assetsFolder))}/`;
}

function fromContent(config: Config, folder: string): string {
  return relative(contentFolderOf(config), folder).replaceAll("\\", "/");
}

/** Keys in code-unit order, so that the order of the configuration's lines does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key])]);
}
