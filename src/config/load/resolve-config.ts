import { join, resolve } from "node:path";
import type { Config, ManagementSetting } from "../config.js";
import { hostsOfOrigin, regionHosts } from "../region-hosts.js";
import type { ParsedConfig } from "../schema/config-schema.js";

export function resolveConfig(parsed: ParsedConfig, baseDir: string): Config {
  const { source, queue, safety, assets, content, output, types, schedule, webhooks } = parsed;
  const region = source.region === undefined ? hostsOfOrigin(source.url ?? "") : regionHosts(source.region);
  const absolute = (written: string | undefined) => (written === undefined ? undefined : resolve(baseDir, written));
  return {
    baseDir,
    source: defined({
      url: source.url ?? `https://${region?.cdn}`,
      token: source.token,
      versions: source.versions,
      languages:
        source.languages === "all"
          ? ("all" as const)
          : source.languages.map((one) => (typeof one === "string" ? { code: one } : one)),
      releases: source.releases,
      include: source.include,
      recheckMs: source.recheck,
      settleMs: source.settle,
      management: managementSetting(source.management, region?.mapi),
    }),
    queue: defined({
      concurrency: queue.concurrency,
      prefer: queue.prefer,
      rateLimit: queue.rateLimit,
      maxRequests: queue.maxRequests === "none" ? undefined : queue.maxRequests,
      timeoutMs: queue.timeout,
      retries: queue.retries,
    }),
    safety: {
      maxRemoveShare: safety.maxRemove,
      consistency: safety.consistency,
      maxStaleMs: safety.maxStale,
    },
    resolve: parsed.resolve,
    assets: defined({ ...assets, dir: absolute(assets.dir ?? assetsFolder(parsed)) }),
    content: defined({ ...content, dir: absolute(content.dir), types: contentTypes(content.types) }),
    editor: defined({ url: parsed.editor.url ?? editorUrl(region?.editor) }),
    site: defined(parsed.site),
    output: outputSetting(output, baseDir),
    types: defined({ ...types, file: absolute(types.file) }),
    check: defined({
      ...parsed.check,
      baseline: absolute(parsed.check.baseline),
      lock: resolve(baseDir, parsed.check.lock),
    }),
    schedule: defined({
      everyMs: schedule.every,
      cron: schedule.cron,
      timeZone: schedule.timeZone,
      jitterMs: schedule.jitter,
      maxAgeMs: schedule.maxAge,
    }),
    webhooks: defined(webhooks),
    onCommit: Object.fromEntries(
      Object.entries(parsed.onCommit).map(([consumer, { run, timeout }]) => [consumer, { run, timeoutMs: timeout }]),
    ),
    consumers: { keepMs: parsed.consumers.keep },
    serve: parsed.serve,
  };
}

/** Content cannot name files in a bucket, so assets that it names are copied to their usual local folder. */
function assetsFolder({ output, assets, content }: ParsedConfig): string | undefined {
  const isNamed = output.store !== undefined && assets.download && content.formats.length > 0;
  return isNamed ? join(output.dir, "assets") : undefined;
}

function outputSetting(parsed: ParsedConfig["output"], baseDir: string): Config["output"] {
  const { store, s3, keep, grace, ...others } = parsed;
  const { last = others.keepGenerations, ...periods } = keep ?? {};
  const output = {
    ...others,
    keepGenerations: last,
    ...(keep === undefined ? {} : { keep: { hours: 0, days: 0, weeks: 0, ...periods } }),
    ...(grace === undefined ? {} : { graceMs: grace }),
  };
  const dir = resolve(baseDir, output.dir);
  if (store === undefined) return { ...output, dir };
  const { cache, lease, ...options } = s3;
  const cacheDir = cache.dir === undefined ? undefined : resolve(baseDir, cache.dir);
  const setting = { ...store, ...options, leaseMs: lease, cacheDir, cacheBytes: cache.maxBytes };
  return { ...output, dir, store: defined(setting) };
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
    types[type] = { ...defined(setting), ...own };
  }
  return types;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function defined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
