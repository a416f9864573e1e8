import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Who may import whom; ARCHITECTURE.md says why. Every module may import {@link everywhere} too. */
const allowed: Record<string, string[]> = {
  cli: [
    "sync",
    "content-model",
    "export",
    "snapshot",
    "reader",
    "replica",
    "demo",
    "crawl",
    "contract",
    "site-setup",
    "watch",
    "fleet",
    "changes",
    "doctor",
    "story-diff",
    "explorer",
    "json",
    "pull",
    "check",
  ],
  "story-diff": ["resolve", "json"],
  explorer: [
    "check",
    "reader",
    "content-model",
    "story-diff",
    "snapshot",
    "store",
    "replica",
    "render",
    "resolve",
    "contract",
    "json",
  ],
  pull: ["snapshot", "store", "export"],
  changes: ["reader", "snapshot", "store", "export", "resolve", "contract", "json"],
  check: ["content-model", "export", "render", "resolve", "snapshot", "store", "contract", "json"],
  watch: ["sync", "changes", "snapshot", "store", "http", "http-server"],
  fleet: ["watch", "sync", "upstream"],
  doctor: ["sync", "upstream", "http", "snapshot", "store", "watch", "fleet", "content-model", "contract"],
  demo: ["replica", "snapshot", "reader", "render", "contract"],
  "content-model": ["snapshot", "store", "resolve", "contract"],
  sync: ["crawl", "upstream", "http", "assets", "snapshot", "resolve", "export", "content-model"],
  crawl: ["upstream", "http", "snapshot", "resolve", "contract", "json"],
  assets: ["upstream", "http", "store", "resolve"],
  export: ["render", "reader", "store", "snapshot", "resolve", "json"],
  render: ["resolve"],
  reader: ["snapshot", "contract", "json"],
  replica: ["reader", "resolve", "contract", "json", "http-server"],
  "http-server": [],
  "site-reader": ["reader", "render", "resolve", "export", "snapshot", "store", "contract", "json"],
  sites: ["index"],
  snapshot: ["store", "contract", "json"],
  upstream: ["http", "contract", "json"],
  http: ["json"],
  config: [],
  contract: [],
  json: [],
  resolve: [],
  "site-setup": ["json"],
  store: ["http"],
  index: [
    "config",
    "contract",
    "crawl",
    "export",
    "reader",
    "refuse-old-node",
    "render",
    "replica",
    "site-reader",
    "snapshot",
    "store",
    "sync",
  ],
};

/** What every module may import. */
const everywhere = [
  "buffer-over",
  "config",
  "cost-limits",
  "errors",
  "gate",
  "loopback",
  "lower-bound",
  "lru",
  "map-bounded",
  "node-version",
  "percent-decoded",
  "printable",
  "quantity-text",
  "redact",
  "shape",
  "uuid-list",
  "uuid-set",
  "uuid-slots",
];

/** Types of these modules are the vocabulary of records and files: they may be named anywhere. */
const vocabulary = new Set([
  "src/contract/records.ts",
  "src/snapshot/manifest.ts",
  "src/snapshot/reader/reader.ts",
  "src/snapshot/store/store.ts",
]);

/** Names of parts and editions, which may be spelled anywhere by these functions. */
const names = "src/snapshot/layout.ts";

/** The one home of each outside package, as a path prefix; a second one where the demo space reads its own content. */
const packageHomes: Record<string, string | string[]> = {
  "@opentelemetry/api": "src/watch/telemetry/trace-sync.ts",
  undici: ["src/http/", "src/cli/lean-agent.ts"],
  bullmq: "src/fleet/",
  ioredis: "src/fleet/",
  pg: "src/fleet/",
  "p-queue": "src/upstream/",
  tinypool: "src/content/tree/render-threads.ts",
  diff: "src/story-diff/",
  hono: "src/explorer/",
  yaml: ["src/config/", "demo/compile/"],
  zod: "demo/compile/",
  "gray-matter": "src/export/",
  "fs-extra": "src/store/",
  commander: "src/cli/",
  croner: "src/config/",
  aws4fetch: "src/store/s3/",
  "@rgrove/parse-xml": "src/store/s3/",
  ini: "src/store/s3/",
  "mdast-util-to-markdown": "src/render/",
  "mdast-util-from-markdown": "src/render/",
  "mdast-util-to-hast": "src/render/",
  "micromark-extension-gfm-strikethrough": "src/render/",
  "micromark-extension-gfm-table": "src/render/",
  "mdast-util-gfm-table": "src/render/",
  "mdast-util-gfm-strikethrough": "src/render/",
  "hast-util-to-html": "src/render/",
};

/** Modules and files without disk, network, clock or process. */
const pure = [
  "src/content/model/compare-declarations.ts",
  "src/content/model/declare-types.ts",
  "src/content/model/infer-content.ts",
  "src/content/model/merge-models.ts",
  "src/content/model/print-json-schema.ts",
  "src/content/model/print-typescript.ts",
  "src/content/model/print-zod.ts",
  "src/content/model/read-declarations.ts",
  "src/content/model/resolve-model.ts",
  "src/lib/cost-limits.ts",
  "src/lib/shape.ts",
  "src/contract/",
  "src/json/",
  "src/resolve/",
  "src/render/",
  "src/site-setup/",
  "src/story-diff/",
  "src/watch/fleet/announced.ts",
  "src/watch/fleet/fleet-records.ts",
  "src/watch/fleet/space-job.ts",
  "src/watch/fleet/turn-agenda.ts",
  "src/watch/agenda.ts",
  "src/watch/content-event.ts",
  "src/watch/expectation.ts",
  "src/watch/next-turn.ts",
  "src/watch/storm.ts",
  "src/sync/crawl/stories/batches.ts",
  "src/sync/crawl/stories/decision.ts",
  "src/sync/crawl/index/diff.ts",
  "src/sync/crawl/stories/neighbours.ts",
  "src/sync/crawl/plan.ts",
  "src/sync/crawl/stories/story-states.ts",
  "src/sync/crawl/stories/tags.ts",
  "src/sync/crawl/stories/verdict.ts",
  "src/server/replica/query/select.ts",
];
const impure =
  /^(?:node:(?:fs|fs\/promises|net|http|https|dns|dns\/promises|os|process|child_process|timers|timers\/promises|tls)|undici)$/;

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

const imports = await allImports();

test("every import between modules is one of those that ARCHITECTURE.md draws", () => {
  const wrong = imports
    .filter(({ target }) => target.startsWith("."))
    .map(({ file, target, typeOnly }) => ({
      file,
      typeOnly,
      path: relative(root, resolve(root, dirname(file), target)).replace(/\.js$/, ".ts"),
    }))
    .filter(({ file, path, typeOnly }) => {
      const [from, to] = [moduleOf(file), moduleOf(path)];
      if (from === to || everywhere.includes(to)) return false;
      return path !== names && !(typeOnly && vocabulary.has(path)) && !allowed[from]?.includes(to);
    })
    .map(({ file, path }) => `${file} imports ${path}`);
  expect(wrong).toEqual([]);
});

test("each outside package is imported in its one home", () => {
  const wrong = imports
    .filter(({ target }) => !target.startsWith(".") && !target.startsWith("node:"))
    .filter(({ file, target }) => {
      const homes = packageHomes[packageOf(target)];
      if (homes === undefined) return !["mdast", "hast", "unist"].includes(target);
      return ![homes].flat().some((home) => file.startsWith(home));
    })
    .map(({ file, target }) => `${file} imports ${target}`);
  expect(wrong).toEqual([]);
});

test("undici is imported by the transport alone", () => {
  const files = imports.filter(({ target, typeOnly }) => target === "undici" && !typeOnly).map(({ file }) => file);
  expect([...new Set(files)]).toEqual(["src/lib/http/transport.ts"]);
});

test("pure modules import nothing that reaches disk, network, clock or process", () => {
  const wrong = imports
    .filter(
      ({ file, target, typeOnly }) => !typeOnly && pure.some((path) => file.startsWith(path)) && impure.test(target),
    )
    .map(({ file, target }) => `${file} imports ${target}`);
  expect(wrong).toEqual([]);
});

test("only the command line ends the process, prints or reads its arguments", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles()) {
    if (file.startsWith("src/cli/")) continue;
    const text = await readFile(join(root, file), "utf8");
    if (/process\.(?:exit\b|argv|stdout|stderr)|console\./.test(text)) wrong.push(file);
  }
  expect(wrong).toEqual([]);
});

test("only the start of the command sets flags of V8 and names files that are no part of undici's interface", async () => {
  const filesWith = async (pattern: RegExp) => {
    const files = await sourceFiles();
    const texts = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
    return files.filter((_, at) => pattern.test(texts[at] ?? ""));
  };
  expect(await filesWith(/setFlagsFromString/)).toEqual(["src/cli/lean-start.ts"]);
  expect(await filesWith(/["']undici\//)).toEqual(["src/cli/lean-agent.ts", "src/cli/undici-files.d.ts"]);
});

test("the file names of the snapshot are spelled in snapshot/layout alone", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles()) {
    if (file === "src/snapshot/layout.ts") continue;
    const code = (await readFile(join(root, file), "utf8")).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    if (/["'`](?:manifest\.json|\.state\.json|\.demo-edits\.json|snapshot\/[a-z]+|\.work\/?|generations\/)/.test(code))
      wrong.push(file);
  }
  expect(wrong).toEqual([]);
});

function moduleOf(path: string): string {
  const [top, second = ""] = path.split("/");
  if (top === "demo") return "demo";
  return second.endsWith(".ts") ? second.replace(/\.ts$/, "") : second;
}

function packageOf(target: string): string {
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

async function sourceFiles(): Promise<string[]> {
  const files: string[] = [];
  for (const folder of ["src", "demo"]) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && /\.tsx?$/.test(entry.name)) files.push(relative(root, join(entry.parentPath, entry.name)));
    }
  }
  return files.sort();
}

async function allImports(): Promise<Import[]> {
  const found: Import[] = [];
  for (const file of await sourceFiles()) {
    const text = await readFile(join(root, file), "utf8");
    for (const match of text.matchAll(
      /^(?:import|export)\s+(type\s+)?([^;]*?)\bfrom\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|^import\s+"([^"]+)"/gm,
    )) {
      const target = match[3] ?? match[4] ?? match[5] ?? "";
      const names =
        match[2]
          ?.match(/\{([^}]*)\}/)?.[1]
          ?.split(",")
          .map((name) => name.trim())
          .filter(Boolean) ?? [];
      const typeOnly = match[1] !== undefined || (names.length > 0 && names.every((name) => name.startsWith("type ")));
      found.push({ file, target, typeOnly });
    }
  }
  return found;
}
