import type { Config } from "../../src/config/config.js";

/** A configuration for exports; nothing of it is a default of the program. */
export const sampleConfig: Config = {
  baseDir: "/project",
  source: {
    url: "demo:",
    token: "demo",
    versions: ["published"],
    languages: "all",
    releases: [],
    include: {
      startsWith: [],
      excludeSlugs: [],
      contentTypes: [],
      related: false,
      datasources: "all",
      experiments: true,
      tags: true,
      taxonomies: true,
      space: true,
    },
    recheckMs: 0,
  },
  queue: { concurrency: 1, prefer: "requests", rateLimit: false, timeoutMs: 1, retries: 0 },
  safety: { maxRemoveShare: 1, consistency: "interval", maxStaleMs: 1 },
  resolve: {
    relations: "all",
    depth: 0,
    links: { pattern: "/{language?}/{slug}", home: "home", use: "path", outside: "url" },
  },
  assets: { download: true, hosts: [], maxBytes: 1, onFailure: "keep", metadata: false },
  content: { target: "plain", formats: ["json", "markdown"], richText: "document", outline: "frontMatter", types: {} },
  editor: {},
  site: {},
  output: { dir: "/project/output", keepGenerations: 3, shardBytes: 100_000 },
  types: { format: "typescript" },
  check: { rules: {}, ignore: [], failOn: "error", assetBytes: 5_242_880, lock: "/project/lock.json", drift: "evolve" },
  schedule: { maxAgeMs: 3_600_000 },
  webhooks: { signature: "storyblok" },
  onCommit: {},
  consumers: { keepMs: 2_592_000_000 },
  serve: { port: 0, host: "", tokens: { public: [], preview: [] }, dialect: "compatible", tags: false },
};
