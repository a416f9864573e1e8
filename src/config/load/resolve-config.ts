import { join, resolve } from "node:path";
import type { Config, ManagementSetting } from "../config.js";
import type { ParsedConfig } from "../schema/config-schema.js";
import { hostsOfOrigin, regionHosts } from "../schema/region-hosts.js";
import { storeSetting } from "../schema/store-schema.js";

export function resolveConfig(parsed: ParsedConfig, baseDir: string): Config {
  const { url, region: name, management, ...source } = parsed.source;
  const region = name === undefined ? hostsOfOrigin(url ?? "") : regionHosts(name);
  const { assets, content, types, check } = parsed;
  const absolute = (written: string | undefined) => (written === undefined ? undefined : resolve(baseDir, written));
  return {
    baseDir,
    ...parsed,
    source: defined({
      url: url ?? `https://${region?.cdn}`,
      ...source,
      management: managementSetting(management, region?.mapi),
    }),
    assets: defined({ ...assets, dir: absolute(assets.dir ?? assetsFolder(parsed)) }),
    content: defined({ ...content, dir: absolute(content.dir), types: contentTypes(content.types) }),
    editor: defined({ url: parsed.editor.url ?? editorUrl(region?.editor) }),
    output: outputSetting(parsed.output, baseDir),
    types: defined({ ...types, file: absolute(types.file) }),
    check: defined({ ...check, baseline: absolute(check.baseline), lock: resolve(baseDir, check.lock) }),
  };
}

/** Content cannot name files in a bucket, so assets that it names are copied to their usual local folder. */
function assetsFolder({ output, assets, content }: ParsedConfig): string | undefined {
  const isNamed = output.store !== undefined && assets.download && content.formats.length > 0;
  return isNamed ? join(output.dir, "assets") : undefined;
}

function outputSetting(parsed: ParsedConfig["output"], baseDir: string): Config["output"] {
  const { store, s3, keep, ...others } = parsed;
  const { last = others.keepGenerations, ...periods } = keep ?? {};
  const output = {
    ...others,
    dir: resolve(baseDir, others.dir),
    keepGenerations: last,
    ...(keep === undefined ? {} : { keep: { hours: 0, days: 0, weeks: 0, ...periods } }),
  };
  if (store === undefined) return output;
  const { cache } = s3;
  const cacheDir = cache.dir === undefined ? {} : { cacheDir: resolve(baseDir, cache.dir) };
  return { ...output, store: { ...storeSetting(store, s3), ...cacheDir } };
}

function managementSetting(
  written: ParsedConfig["source"]["management"],
  regionHost: string | undefined,
): ManagementSetting | undefined {
  if (written === undefined) return undefined;
  const byRegion = written.token === undefined || regionHost === undefined ? undefined : `https://${regionHost}`;
  return defined({ ...written, url: written.url ?? byRegion });
}

function editorUrl(host: string | undefined): string | undefined {
  return host === undefined ? undefined : `https://${host}/#/me/spaces/{space}/stories/0/0/{id}`;
}

/** Without a prototype: a content type may be called `constructor`. */
function contentTypes(written: ParsedConfig["content"]["types"]): Config["content"]["types"] {
  const types: Config["content"]["types"] = Object.create(null);
  for (const [type, { markdown, ...setting }] of Object.entries(written)) {
    const own = typeof markdown === "boolean" ? { page: markdown } : defined({ markdown });
    types[type] = { ...setting, ...own };
  }
  return types;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function defined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
