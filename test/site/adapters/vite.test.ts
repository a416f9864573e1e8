import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Channel, type DevelopmentServer, type ModuleGraph, offprint } from "../../../src/site/adapters/vite.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { commitSample, story } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const variable = "OFFPRINT_PINNED";
beforeEach(() => {
  delete process.env[variable];
});
afterEach(() => {
  delete process.env[variable];
});

const build = { command: "build" } as const;
const serve = { command: "serve" } as const;
const id = "\0offprint:content";

/** A folder with a snapshot; `commit` names its home page. */
async function site(name: string) {
  const dir = await temporaryFolder();
  const store = openFileStore(dir);
  const commit = (name: string) =>
    commitSample({ editions: { "published/default": [story(1, { full_slug: "home", slug: "home", name })] } }, store);
  await commit(name);
  return { dir, commit };
}

/** The home page that a new process reads through the server module. */
async function homeIn(module: string | undefined, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const index = new URL("../../../dist/src/index.js", import.meta.url).href;
  const code = `${module?.replace('"offprint"', JSON.stringify(index))}
    const home = await snapshot.story("home");
    console.log(\`\${snapshot.generation} \${home.name}\`);`;
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code], { env });
  return stdout.trim();
}

describe("the module offprint:content", () => {
  test("resolves only its own name", () => {
    const plugin = offprint();
    expect(plugin.resolveId("offprint:content")).toBe(id);
    for (const other of ["offprint", "offprint:contents", "./offprint:content", id]) {
      expect(plugin.resolveId(other)).toBeUndefined();
      if (other !== id) expect(plugin.load(other, { ssr: true })).toBeUndefined();
    }
  });

  test("build workers read the generation that the build began with; a development server reads the newest one", {
    tags: "long",
  }, async () => {
    const { dir, commit } = await site("First");
    const plugin = offprint({ dir });
    await plugin.config({}, build);
    await commit("Second");
    const module = plugin.load(id, { ssr: true });
    expect(await homeIn(module)).toBe("1 First");
    expect(await homeIn(module, { NODE_ENV: "development" })).toBe("2 Second");
    expect(await homeIn(module, { [variable]: "" })).toBe("2 Second");
  });

  test("contains folder and options as data, with any characters", async () => {
    const { dir } = await site("First");
    const odd = `${dir}/"; throw 1; //\u2028\``;
    expect(offprint({ dir: odd }).load(id, { ssr: true })).toContain(`openSnapshot(${JSON.stringify(odd)}, {})`);
    const plugin = offprint({ dir, snapshot: { links: { pattern: "/x/{slug}/" }, language: "default" } });
    const module = `${plugin.load(id, { ssr: true })}; snapshot.story("home").then(({ url }) => console.log(url));`;
    expect(await homeIn(module)).toMatch(/^\/x\/?$/m);
  });

  test("has no content for a browser, only an error message", () => {
    const { dir } = { dir: "/secret/place" };
    const module = offprint({ dir }).load(id) ?? "";
    expect(module).toMatch(/^throw new Error\(".*works on the server only.*\+page\.server\.ts/);
    expect(module).not.toContain("secret");
    expect(offprint({ dir }).load(id, { ssr: false })).toBe(module);
  });
});

describe("the configuration", () => {
  test("does not bundle the package, unless everything is bundled", async () => {
    const { dir } = await site("First");
    const plugin = offprint({ dir });
    expect(await plugin.config({}, serve)).toEqual({ ssr: { external: ["offprint"] } });
    expect(await plugin.config({ ssr: { external: ["sharp"] } }, build)).toEqual({ ssr: { external: ["offprint"] } });
    expect(await plugin.config({ ssr: { external: true } }, serve)).toEqual({});
    expect(plugin.configEnvironment("prerender", {})).toEqual({ resolve: { external: ["offprint"] } });
    expect(plugin.configEnvironment("prerender", { resolve: { external: true } })).toBeUndefined();
    expect(plugin.configEnvironment("client", {})).toBeUndefined();
  });

  test("without a snapshot, a build fails with the command to run, and a server starts", async () => {
    const plugin = offprint({ dir: join(await temporaryFolder(), "none") });
    await expect(plugin.config({}, build)).rejects.toMatchObject({
      code: "SNAPSHOT_MISSING",
      hint: expect.stringContaining("offprint sync"),
    });
    expect(await plugin.config({}, serve)).toEqual({ ssr: { external: ["offprint"] } });
  });
});

test("a build emits offprint.json with the generation that it pinned; a server emits nothing", async () => {
  const { dir, commit } = await site("First");
  const emitted: unknown[] = [];
  const bundle = { emitFile: (file: unknown) => emitted.push(file) };
  const server = offprint({ dir });
  await server.config({}, serve);
  server.generateBundle.call(bundle);
  expect(emitted).toEqual([]);
  const plugin = offprint({ dir });
  await plugin.config({}, build);
  await commit("Second");
  plugin.generateBundle.call(bundle);
  const source = expect.stringContaining('"generation":1,');
  expect(emitted).toEqual([{ type: "asset", fileName: "offprint.json", source }]);
});

describe("a development server", () => {
  /** A module graph in which the module is loaded, and a channel; `done` when the channel got a message. */
  function place(log: string[], name: string): { moduleGraph: ModuleGraph; hot: Channel; done: Promise<void> } {
    let sent = () => {};
    const done = new Promise<void>((resolve) => {
      sent = resolve;
    });
    return {
      done,
      moduleGraph: {
        getModuleById: (asked) => (asked === id ? { id } : undefined),
        invalidateModule: (module) => void log.push(`${name} invalidates ${module.id === id}`),
      },
      hot: {
        send: ({ type }) => {
          log.push(`${name} ${type}`);
          sent();
        },
      },
    };
  }

  function serverOf(log: string[], all: { moduleGraph: ModuleGraph; hot: Channel }) {
    let close = () => {};
    const server: DevelopmentServer = {
      moduleGraph: all.moduleGraph,
      ws: all.hot,
      httpServer: { once: (_, listener) => (close = listener) },
      config: { logger: { info: (message) => void log.push(message) } },
    };
    return { server, close: () => close() };
  }

  test("of Vite 5 reads a new generation and reloads the pages", async () => {
    const { dir, commit } = await site("First");
    const log: string[] = [];
    const all = place(log, "all");
    const { server, close } = serverOf(log, all);
    await offprint({ dir }).configureServer(server);
    await commit("Second");
    await all.done;
    close();
    expect(log).toEqual(["all invalidates true", "all full-reload", "offprint: generation 2"]);
  });

  test("of Vite 6 and later does so in each environment, after invalidating the module in all", async () => {
    const { dir, commit } = await site("First");
    const log: string[] = [];
    const [client, ssr] = [place(log, "client"), place(log, "ssr")];
    const { server, close } = serverOf(log, place(log, "all"));
    await offprint({ dir }).configureServer({ ...server, environments: { client, ssr } });
    await commit("Second");
    await Promise.all([client.done, ssr.done]);
    close();
    expect(log.slice(0, 4)).toEqual([
      "client invalidates true",
      "ssr invalidates true",
      "client full-reload",
      "ssr full-reload",
    ]);
  });
});
