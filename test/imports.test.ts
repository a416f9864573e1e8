import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

interface Room {
  /** The rooms below that it imports. */
  imports: string[];
  /** Its sub-rooms from the lowest to the highest: each imports those before it. "": its own files. */
  subRooms: string[];
}

/** Every room with the rooms that it may import; ARCHITECTURE.md says why. An import goes down, never up. */
const rooms: Record<string, Room> = {
  lib: { imports: [], subRooms: ["concurrency", "", "redact", "collections", "http-server", "json", "http"] },
  contract: { imports: ["lib"], subRooms: [""] },
  config: { imports: ["lib"], subRooms: ["schema", "", "load"] },
  snapshot: { imports: ["lib", "contract", "config"], subRooms: ["store", "", "write", "reader", "verify"] },
  content: {
    imports: ["lib", "contract", "config", "snapshot"],
    subRooms: [
      ...["resolve", "names", "diff", "render", "model", "tree"],
      ...["check/facts", "check/rules", "check", "check/built", "check/formats", "check/usage"],
    ],
  },
  sync: {
    imports: ["lib", "contract", "config", "snapshot", "content"],
    subRooms: ["upstream", "pull", "assets", "crawl/run", "crawl/index", "crawl/stories", "crawl/parts", "crawl", ""],
  },
  site: { imports: ["lib", "contract", "config", "snapshot", "content", "index"], subRooms: ["", "adapters"] },
  server: {
    imports: ["lib", "contract", "config", "snapshot", "content"],
    subRooms: ["replica", "explorer/data", "explorer/parts", "explorer/pages", "explorer"],
  },
  watch: {
    imports: ["lib", "config", "snapshot", "content", "sync"],
    subRooms: ["", "hooks", "http", "telemetry", "fleet"],
  },
  cli: {
    imports: ["lib", "contract", "config", "snapshot", "content", "sync", "server", "watch", "demo"],
    subRooms: ["init/sites", "init", "doctor", ""],
  },
};

/** Outside of the rooms: the public library and the demo space. */
const beside: Record<string, string[]> = {
  index: ["lib", "contract", "config", "snapshot", "content", "sync", "site", "server"],
  demo: ["lib", "contract", "config", "snapshot", "content", "server"],
};

/** The one home of each outside package, as a path prefix; a second one where the demo space reads its own content. */
const packageHomes: Record<string, string | string[]> = {
  "@opentelemetry/api": "src/watch/telemetry/trace-sync.ts",
  undici: ["src/lib/http/", "src/cli/lean-agent.ts"],
  bullmq: "src/watch/fleet/",
  ioredis: "src/watch/fleet/",
  pg: "src/watch/fleet/",
  "p-queue": "src/sync/upstream/",
  tinypool: "src/content/tree/render-threads.ts",
  diff: "src/content/diff/",
  hono: "src/server/explorer/",
  yaml: ["src/config/", "src/cli/init/ci-recipe.ts", "demo/compile/"],
  zod: "demo/compile/",
  "gray-matter": "src/content/tree/",
  "fs-extra": "src/snapshot/store/",
  commander: "src/cli/",
  croner: "src/config/",
  aws4fetch: "src/snapshot/store/s3/",
  "@rgrove/parse-xml": "src/snapshot/store/s3/",
  ini: "src/snapshot/store/s3/",
  "mdast-util-to-markdown": "src/content/render/",
  "mdast-util-from-markdown": "src/content/render/",
  "mdast-util-to-hast": "src/content/render/",
  "micromark-extension-gfm-strikethrough": "src/content/render/",
  "micromark-extension-gfm-table": "src/content/render/",
  "mdast-util-gfm-table": "src/content/render/",
  "mdast-util-gfm-strikethrough": "src/content/render/",
  "hast-util-to-html": "src/content/render/",
  "decode-named-character-reference": "src/content/render/",
};

/** Modules and files without disk, network, clock or process. */
const pure = [
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
  "src/lib/json/",
  "src/content/names/editor-address.ts",
  "src/content/names/field-title.ts",
  "src/content/names/link-text.ts",
  "src/content/resolve/",
  "src/content/render/",
  "src/cli/init/",
  "src/content/diff/",
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

interface Inner {
  file: string;
  path: string;
}

/** The imports between files of the project. */
const inner: Inner[] = imports
  .filter(({ target }) => target.startsWith("."))
  .map(({ file, target }) => ({
    file,
    path: relative(root, resolve(root, dirname(file), target)).replace(/\.js$/, ".ts"),
  }));

test("an import goes from a room to one of those below it, as ARCHITECTURE.md draws them", () => {
  const wrong = inner.filter(({ file, path }) => {
    const [from, to] = [roomOf(file), roomOf(path)];
    return from !== to && !(rooms[from]?.imports ?? beside[from] ?? []).includes(to);
  });
  expect(wrong).toEqual([]);
});

test("within a room an import goes from a sub-room to one below it", () => {
  const wrong = inner.filter(({ file, path }) => {
    const order = rooms[roomOf(file)]?.subRooms;
    if (order === undefined || roomOf(file) !== roomOf(path)) return false;
    const [from, to] = [subRoomOf(file, order), subRoomOf(path, order)];
    return order.indexOf(to) > order.indexOf(from);
  });
  expect(wrong).toEqual([]);
});

test("every folder of a room is one of its sub-rooms, or in one", async () => {
  const homeless = (await sourceFiles()).filter((file) => {
    const order = rooms[roomOf(file)]?.subRooms;
    return order !== undefined && !order.includes(subRoomOf(file, order));
  });
  expect(homeless).toEqual([]);
});

test("the adapters of frameworks import the public library alone", () => {
  const adapters = inner.filter(({ file }) => file.startsWith("src/site/adapters/"));
  const isOwn = ({ path }: Inner) => path === "src/index.ts" || path.startsWith("src/site/adapters/");
  expect(adapters.length).toBeGreaterThan(0);
  expect(adapters.filter((one) => !isOwn(one))).toEqual([]);
  expect(inner.filter(({ file, path }) => path === "src/index.ts" && !file.startsWith("src/site/adapters/"))).toEqual(
    [],
  );
});

test("a helper for one part of a room is named for it: no two sibling sub-rooms have a file of one name", async () => {
  const places = new Map<string, string[]>();
  for (const file of await sourceFiles()) {
    const [, room = "", second = "", ...rest] = file.split("/");
    if (rest.length === 0 || room === "src") continue;
    const key = `${room}/*/${basename(file)}`;
    places.set(key, [...(places.get(key) ?? []), second]);
  }
  const twice = [...places].filter(([, found]) => new Set(found).size > 1).map(([key]) => key);
  expect(twice).toEqual([]);
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
  expect(pure.filter((path) => !existsSync(join(root, path)))).toEqual([]);
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

function roomOf(path: string): string {
  const [top, second = ""] = path.split("/");
  return top === "demo" ? "demo" : second.replace(/\.ts$/, "");
}

/** The longest sub-room that holds the file; its folder where none does. */
function subRoomOf(path: string, order: readonly string[]): string {
  const folder = dirname(path).split("/").slice(2).join("/");
  const holding = order.filter((name) => name !== "" && (folder === name || folder.startsWith(`${name}/`)));
  return holding.sort((a, b) => b.length - a.length)[0] ?? folder;
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
