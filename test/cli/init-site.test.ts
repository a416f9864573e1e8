// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax of the files that are written here.
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { frameworkNames } from "../../src/cli/init/frameworks.js";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = resolve(import.meta.dirname, "..", "..");

type Files = Readonly<Record<string, string>>;

/** Creates a folder with these files. */
async function projectOf(files: Files): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** Returns every file of a folder with its text. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(paths.sort().map((path) => readFile(path, "utf8")));
  return Object.fromEntries(paths.map((path, at) => [path.slice(folder.length + 1), texts[at]!]));
}

interface Answer {
  code: number | null;
  site: string;
  written: string[];
  unchanged: string[];
  kept: string[];
  byHand: string[];
  next: string[];
  changes: { kind: string; path: string; text?: string }[];
  problems: { code: string; message: string; hint: string }[];
}

async function init(cwd: string, ...args: string[]): Promise<Answer> {
  const { code, stdout } = await runCommand(["init", ...args, "--json"], { cwd });
  return { code, ...JSON.parse(stdout) };
}

const packageOf = (dependencies: Record<string, string>, more = {}): string =>
  `${JSON.stringify({ name: "site", scripts: { build: "build" }, dependencies, ...more }, undefined, 2)}\n`;

/** A minimal project of each framework, and a file that shows the stories. */
const projects: Record<string, { files: Files; shows: string }> = {
  astro: { files: { "package.json": packageOf({ astro: "5" }) }, shows: "src/pages/stories.astro" },
  next: { files: { "package.json": packageOf({ next: "16", react: "19" }) }, shows: "app/stories/page.jsx" },
  eleventy: { files: { "package.json": packageOf({ "@11ty/eleventy": "3" }) }, shows: "stories.njk" },
  sveltekit: {
    files: { "package.json": packageOf({ "@sveltejs/kit": "2", vite: "7" }), "vite.config.js": "" },
    shows: "src/routes/stories/+page.svelte",
  },
  nuxt: { files: { "package.json": packageOf({ nuxt: "4" }), "app/app.vue": "" }, shows: "app/pages/stories.vue" },
  vitepress: { files: { "package.json": packageOf({ vitepress: "1" }) }, shows: "stories.md" },
  vite: { files: { "package.json": packageOf({ vite: "7" }) }, shows: "stories.html" },
  hugo: { files: { "hugo.toml": "" }, shows: "layouts/_default/stories.html" },
  jekyll: { files: { "_config.yml": "" }, shows: "stories.html" },
};

describe("a project of each framework", () => {
  test("the tests cover every framework", () => {
    expect(Object.keys(projects).sort()).toEqual([...frameworkNames].sort());
  });

  test.each(Object.entries(projects))("detects %s and sets it up once", async (name, { files, shows }) => {
    const cwd = await projectOf(files);
    const planned = await init(cwd, "--site", "--url", "demo:", "--dry-run");
    expect(await filesOf(cwd)).toEqual(files);
    const first = await init(cwd, "--site", "--url", "demo:");
    const [guide = ""] = /docs\/\S+\.md$/.exec(first.next.at(-1) ?? "") ?? [];
    expect((await stat(join(root, guide))).isFile()).toBe(true);
    expect(first).toMatchObject({ code: 0, site: name, kept: [], unchanged: [] });
    expect(first.written).toEqual(expect.arrayContaining(["sync.config.yaml", ".env.example", ".gitignore", shows]));
    const after = await filesOf(cwd);
    const texts = planned.changes.map(({ path, text }) => [path, text]);
    expect(after).toMatchObject(Object.fromEntries(texts));
    for (const [path, text] of Object.entries(files)) if (path !== "package.json") expect(after[path]).toBe(text);
    expect(JSON.parse(after["package.json"]!).scripts).toMatchObject({
      sync: "offprint sync",
      prebuild: "offprint sync",
    });
    for (const again of [["--site"], ["--site", name], ["--site", "--url", "demo:", "--force"]]) {
      expect(await init(cwd, ...again)).toMatchObject({ code: 0, written: [], kept: [] });
      expect(await filesOf(cwd)).toEqual(after);
    }
  });

  test.each(Object.entries(projects))(
    "%s gets a valid configuration, and its generated folders are ignored by git",
    async (name, { files }) => {
      const cwd = await projectOf(files);
      await init(cwd, "--site", name, "--url", "demo:");
      const { content, assets } = await loadConfig({ cwd, env: {} });
      expect(assets).toMatchObject({ download: true, baseUrl: expect.stringMatching(/^\//) });
      expect(content.target).toBe(["next", "sveltekit", "vite"].includes(name) ? "plain" : name);
      const ignored = (await readFile(join(cwd, ".gitignore"), "utf8")).split("\n");
      const written = [assets.dir, content.dir].filter((folder) => folder !== undefined);
      expect(ignored).toEqual(
        expect.arrayContaining([
          ".env",
          `/${name === "jekyll" ? ".offprint" : "output"}/`,
          ...written.map((folder) => `${folder.slice(cwd.length)}/`),
        ]),
      );
    },
  );
});

test("TypeScript, a src folder and another package manager change the files and messages", async () => {
  const files = {
    "package.json": packageOf({ next: "16" }, { packageManager: "pnpm@10.1.0", scripts: { dev: "next dev" } }),
    "tsconfig.json": "{}",
    "src/app/page.tsx": "",
  };
  const cwd = await projectOf(files);
  const { written, next } = await init(cwd, "--site", "--region", "eu");
  expect(written).toContain("src/app/stories/page.tsx");
  expect(next).toEqual([
    "pnpm add --save-dev offprint",
    "copy .env.example to .env, and fill in the token",
    "pnpm run sync",
    "pnpm run dev, and open http://localhost:3000/stories",
    expect.stringContaining("docs/sites/next.md"),
  ]);
});

describe("a file of the owner", () => {
  const mine = {
    "package.json": packageOf({ astro: "5" }, { scripts: { prebuild: "lint", build: "astro build", sync: "rsync" } }),
    "sync.config.yaml": "source: { region: us }\n",
    "src/content.config.ts": "export const collections = {};\n",
    ".gitignore": "dist/\r\noutput\r\n",
  };

  test("stays, and init lists what to add", async () => {
    const cwd = await projectOf(mine);
    const { kept, byHand } = await init(cwd, "--site", "--url", "demo:");
    expect(kept).toEqual(["sync.config.yaml", "src/content.config.ts"]);
    expect(byHand).toEqual([
      expect.stringContaining("content.target: astro, "),
      expect.stringContaining("offprintLoader("),
      "package.json: your script `sync` stays. Call `npx offprint sync` in its place.",
      'package.json: your script `prebuild` stays. Sync in it: "prebuild": "offprint sync && lint".',
    ]);
    const after = await filesOf(cwd);
    expect(after).toMatchObject({
      ...mine,
      ".gitignore": "dist/\r\noutput\r\nnode_modules/\r\n/.astro/\r\n.env\r\n/public/cms/\r\n",
    });
  });

  test("is replaced by --force, except for scripts and the ignore list", async () => {
    const cwd = await projectOf(mine);
    const { written, kept } = await init(cwd, "--site", "--url", "demo:", "--force");
    expect(kept).toEqual([]);
    expect(written).toEqual(expect.arrayContaining(["sync.config.yaml", "src/content.config.ts"]));
    const after = await filesOf(cwd);
    expect(after["package.json"]).toBe(mine["package.json"]);
    expect(after[".gitignore"]).toMatch(/^dist\/\r\noutput\r\n/);
  });

  test("is left alone if it has everything needed", async () => {
    const config = 'import { offprintLoader } from "offprint/astro";\n';
    const scripts = { build: "offprint sync && astro build", sync: "offprint sync --full" };
    const cwd = await projectOf({
      "package.json": packageOf({ astro: "5" }, { scripts }),
      "src/content/config.ts": config,
    });
    const { unchanged, byHand } = await init(cwd, "--site", "--url", "demo:");
    expect(unchanged).toEqual(["src/content/config.ts", "package.json"]);
    expect(byHand).toEqual([]);
  });

  test("is reported if it has a script that is not a string", async () => {
    const before = packageOf({ astro: "5" }, { scripts: { build: "astro build", sync: null, prebuild: ["a"] } });
    const cwd = await projectOf({ "package.json": before });
    const { byHand } = await init(cwd, "--site", "--url", "demo:");
    expect(await readFile(join(cwd, "package.json"), "utf8")).toBe(before);
    expect(byHand).toEqual(
      ["sync", "prebuild"].map(
        (name) => `package.json: your script \`${name}\` is no text, and stays. Make it "${name}": "offprint sync".`,
      ),
    );
  });

  test("keeps a link to package.json, and its mode", async () => {
    const cwd = await projectOf({ "real/package.json": packageOf({ astro: "5" }) });
    await chmod(join(cwd, "real/package.json"), 0o640);
    await symlink("real/package.json", join(cwd, "package.json"));
    await init(cwd, "--site", "--url", "demo:");
    expect((await lstat(join(cwd, "package.json"))).isSymbolicLink()).toBe(true);
    expect((await stat(join(cwd, "real/package.json"))).mode & 0o777).toBe(0o640);
    expect(await readFile(join(cwd, "real/package.json"), "utf8")).toContain("offprint sync");
    expect(await readdir(join(cwd, "real"))).toEqual(["package.json"]);
  });

  const ways: Record<string, (cwd: string, outside: string) => Promise<void>> = {
    "a folder": (cwd, outside) => symlink(outside, join(cwd, "src")),
    "a folder below it": async (cwd, outside) => {
      await mkdir(join(cwd, "src"));
      await symlink(outside, join(cwd, "src", "pages"));
    },
    "a file that is added to": async (cwd, outside) => {
      await writeFile(join(outside, "ignored"), "node_modules\n");
      await symlink(join(outside, "ignored"), join(cwd, ".gitignore"));
    },
    "package.json": async (cwd, outside) => {
      await rename(join(cwd, "package.json"), join(outside, "package.json"));
      await symlink(join(outside, "package.json"), join(cwd, "package.json"));
    },
    "a dangling link": (cwd, outside) => symlink(join(outside, "new.yaml"), join(cwd, "sync.config.yaml")),
  };

  test.each(Object.keys(ways))("writes no file through a link out of the project: %s", async (way) => {
    const cwd = await projectOf({ "package.json": packageOf({ astro: "5" }) });
    const outside = await temporaryFolder();
    await ways[way]!(cwd, outside);
    const before = [await filesOf(outside), await filesOf(cwd)];
    for (const more of [[], ["--dry-run"]]) {
      const refused = await init(cwd, "--site", "--url", "demo:", ...more);
      expect(refused).toMatchObject({ code: 2, problems: [{ code: "FOLDER_UNUSABLE" }] });
      expect(refused.problems[0]!.message).toMatch(/is a link that leads out of the project, or nowhere/);
    }
    expect([await filesOf(outside), await filesOf(cwd)]).toEqual(before);
  });

  test("init without a site follows no link out of the folder, and keeps a linked configuration", async () => {
    const [cwd, outside] = [await temporaryFolder(), await temporaryFolder()];
    await writeFile(join(outside, "shared.yaml"), "source: { url: demo:, token: demo }\n");
    await symlink(join(outside, "shared.yaml"), join(cwd, "sync.config.yaml"));
    await symlink(outside, join(cwd, ".github"));
    expect(await init(cwd, "--url", "demo:")).toMatchObject({ code: 2, problems: [{ code: "FOLDER_UNUSABLE" }] });
    expect(await readdir(outside)).toEqual(["shared.yaml"]);
    await rm(join(cwd, ".github"));
    expect(await init(cwd, "--url", "demo:")).toMatchObject({ code: 0, kept: ["sync.config.yaml"] });
  });
});

test("the build script syncs for Yarn 2 and later, which run no prebuild", async () => {
  const more = { packageManager: "yarn@4.5.0", scripts: { build: "astro build" } };
  const cwd = await projectOf({ "package.json": packageOf({ astro: "5" }, more) });
  const { byHand } = await init(cwd, "--site", "--url", "demo:");
  expect(byHand).toEqual([
    'package.json: Yarn runs no `prebuild`. Sync in the build: "build": "offprint sync && astro build".',
  ]);
  expect(JSON.parse(await readFile(join(cwd, "package.json"), "utf8")).scripts).not.toHaveProperty("prebuild");
});

test("sets up VitePress in docs/, where docs:build builds it", async () => {
  const scripts = { "docs:dev": "vitepress dev docs", "docs:build": "vitepress build docs" };
  const cwd = await projectOf({
    "package.json": packageOf({ vitepress: "1" }, { scripts }),
    "docs/.vitepress/config.mts": "",
  });
  const { written } = await init(cwd, "--site", "--url", "demo:");
  expect(written).toEqual(expect.arrayContaining(["docs/stories.data.js", "docs/stories.md"]));
  expect(JSON.parse(await readFile(join(cwd, "package.json"), "utf8")).scripts).toHaveProperty("predocs:build");
});

describe("a second run for another space", () => {
  test.each<[string, string[], string[], string]>([
    [
      "a region after the demo space",
      ["--url", "demo:"],
      ["--region", "eu"],
      'source.region: eu in place of source.url: "demo:", source.token: ${OFFPRINT_TOKEN}.',
    ],
    ["another region", ["--region", "eu"], ["--region", "us"], "source.region: us in place of eu."],
    [
      "the demo space after a region",
      ["--region", "eu"],
      ["--url", "demo:"],
      'source.url: "demo:" in place of source.region: eu, source.token: ${OFFPRINT_TOKEN:-demo}.',
    ],
    [
      "another address",
      ["--url", "https://a.example.org"],
      ["--url", "https://b.example.org"],
      'source.url: "https://b.example.org" in place of "https://a.example.org".',
    ],
    ["a region after a variable", [], ["--region", "eu"], "source.region: eu in place of source.url: ${OFFPRINT_URL}."],
  ])("%s keeps the configuration and names the key and value to write", async (_, first, second, change) => {
    const cwd = await projectOf(projects.astro!.files);
    await init(cwd, "--site", ...first);
    const before = await filesOf(cwd);
    const answer = await init(cwd, "--site", ...second);
    expect(answer).toMatchObject({
      kept: expect.arrayContaining(["sync.config.yaml"]),
      byHand: [`sync.config.yaml is yours and stays, but has other values. Write in it ${change}`],
    });
    const { stderr } = await runCommand(["init", "--site", ...second], { cwd });
    expect(stderr).toContain("= kept sync.config.yaml, which is there already");
    expect(stderr).toContain(`Write in it ${change}`);
    expect(await filesOf(cwd)).toEqual(before);
    for (const again of [[], first]) {
      const same = await init(cwd, "--site", ...again);
      expect(same).toMatchObject({ byHand: [], unchanged: expect.arrayContaining(["sync.config.yaml"]) });
    }
  });

  test("accepts a custom configuration with the wanted values, and names no other key", async () => {
    const yaml = [
      "source: { url: '${OFFPRINT_URL:-demo:}', token: '${OFFPRINT_TOKEN:-demo}' }",
      "assets: { download: true, dir: ./public/cms/, baseUrl: /cms/ }",
      "content: { target: hugo, formats: [markdown] }\n",
    ].join("\n");
    const cwd = await projectOf({ ...projects.astro!.files, "sync.config.yaml": yaml });
    expect((await init(cwd, "--site", "--url", "demo:")).byHand).toEqual([
      "sync.config.yaml is yours and stays, but has other values. Write in it content.target: astro in place of hugo.",
    ]);
    await writeFile(join(cwd, "sync.config.yaml"), yaml.replace("hugo, formats: [markdown]", "astro"));
    for (const args of [[], ["--url", "demo:"]]) {
      const answer = await init(cwd, "--site", ...args);
      expect(answer).toMatchObject({ byHand: [], kept: [], unchanged: expect.arrayContaining(["sync.config.yaml"]) });
    }
  });

  test("shows neither a token nor secret parts of an address", async () => {
    const yaml = "source: { url: 'https://me:secret-word@a.example.org', token: secret-token }\n";
    const cwd = await projectOf({ ...projects.astro!.files, "sync.config.yaml": yaml });
    const { byHand } = await init(cwd, "--site", "--url", "demo:");
    expect(byHand[0]).toContain('source.url: "demo:" in place of what stands there, source.token:');
    expect(JSON.stringify(byHand)).not.toContain("secret");
  });
});

test("a project without a build script gets one that syncs, and no prebuild", async () => {
  const cwd = await projectOf({ "package.json": packageOf({ astro: "5" }, { scripts: { dev: "astro dev" } }) });
  await init(cwd, "--site", "--url", "demo:");
  const { scripts } = JSON.parse(await readFile(join(cwd, "package.json"), "utf8"));
  expect(scripts).toMatchObject({ build: "offprint sync && astro build", predev: "offprint sync" });
  expect(scripts).not.toHaveProperty("prebuild");
});

test("a project without scripts gets one for the development server, too", async () => {
  const cwd = await projectOf({ "package.json": packageOf({ astro: "5" }, { scripts: {} }) });
  await init(cwd, "--site", "--url", "demo:");
  const { scripts } = JSON.parse(await readFile(join(cwd, "package.json"), "utf8"));
  expect(scripts).toEqual({
    sync: "offprint sync",
    build: "offprint sync && astro build",
    dev: "offprint sync && npx astro dev",
  });
});

test("a whole site has a script for the development server, which the next steps name", async () => {
  for (const scripts of [{}, { build: "astro build" }]) {
    const cwd = await projectOf({ "package.json": packageOf({ astro: "5" }, { scripts }) });
    const { next } = await init(cwd, "--site", "--full", "--url", "demo:");
    const after = JSON.parse(await readFile(join(cwd, "package.json"), "utf8")).scripts;
    expect(after).toMatchObject({ dev: "offprint sync && npx astro dev" });
    expect(next).toContain("npm run dev, and open http://localhost:4321/");
    expect(await init(cwd, "--site", "--full", "--url", "demo:")).toMatchObject({ written: [], kept: [] });
  }
  const files = {
    "package.json": packageOf({ "@11ty/eleventy": "3" }, { scripts: { build: "eleventy", dev: "vite" } }),
  };
  const mine = await projectOf(files);
  await init(mine, "--site", "--full", "--url", "demo:");
  const { scripts } = JSON.parse(await readFile(join(mine, "package.json"), "utf8"));
  expect(scripts).toMatchObject({ dev: "vite", predev: "offprint sync" });
  expect(scripts).not.toHaveProperty("start");
});

test("config.toml is a configuration of Hugo", async () => {
  const cwd = await projectOf({ "config.toml": 'title = "My New Hugo Site"\n' });
  expect(await init(cwd, "--site", "--url", "demo:")).toMatchObject({ code: 0, site: "hugo" });
});

describe("a page for each story", () => {
  test.each(Object.entries(projects))(
    "%s: --full sets it up once, and names the files of git",
    async (_, { files }) => {
      const cwd = await projectOf(files);
      const { code, kept, written } = await init(cwd, "--site", "--full", "--url", "demo:");
      expect([code, kept]).toEqual([0, Object.keys(files).filter((path) => files[path] === "")]);
      const after = await filesOf(cwd);
      expect(Object.entries(after).filter(([, text]) => /__[A-Z_]+__|\/\*:/.test(text))).toEqual([]);
      expect(after[".gitignore"]).toContain("node_modules/\n");
      expect(written.length).toBeGreaterThan(7);
      expect(await init(cwd, "--site", "--full")).toMatchObject({ code: 0, written: [] });
      expect(await filesOf(cwd)).toEqual(after);
      const { resolve, content } = await loadConfig({ cwd, env: {} });
      const isHtml = !content.formats.includes("markdown");
      // A site that reads the snapshot needs no files of stories.
      expect(content.formats).toEqual(isHtml ? [] : ["markdown"]);
      expect([resolve.depth, content.richText]).toEqual(isHtml ? [1, "html"] : [0, "document"]);
    },
  );

  const starter = "<html><h1>Astro</h1></html>\n";

  test("takes the place of what the creator and --site wrote, and of nothing else", async () => {
    const cwd = await projectOf({ ...projects.astro!.files, "src/pages/index.astro": starter });
    await init(cwd, "--site", "--url", "demo:");
    const { stdout } = await runCommand(["init", "--site", "--full", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      removed: ["src/pages/stories.astro", "src/pages/index.astro"],
      kept: ["sync.config.yaml"],
      byHand: [expect.stringContaining("resolve.depth: 1, content.richText: html")],
    });
    const mine = await projectOf({ ...projects.astro!.files, "src/pages/index.astro": "<h1>Mine</h1>\n" });
    expect(await init(mine, "--site", "--full", "--url", "demo:")).toMatchObject({
      byHand: [expect.stringMatching(/^src\/pages\/index\.astro is yours and stays/)],
    });
    expect(await readFile(join(mine, "src/pages/index.astro"), "utf8")).toBe("<h1>Mine</h1>\n");
  });

  test("has types in a TypeScript project, and is plain JavaScript elsewhere", async () => {
    const next = { "package.json": packageOf({ next: "16" }) };
    const [plain, typed] = [await projectOf(next), await projectOf({ ...next, "tsconfig.json": "{}" })];
    for (const cwd of [plain, typed]) await init(cwd, "--site", "--full", "--url", "demo:");
    expect(await readFile(join(plain, "content.js"), "utf8")).toContain("function codeOf(language) {");
    const text = await readFile(join(typed, "content.ts"), "utf8");
    expect(text).toContain("function codeOf(language: string) {");
    expect(text).toContain('import type { Story } from "offprint";');
  });

  test("needs --site, and does not go with --minimal", async () => {
    const cwd = await projectOf(projects.astro!.files);
    for (const args of [["--full"], ["--site", "--full", "--minimal"]]) {
      expect(await init(cwd, ...args)).toMatchObject({ code: 2, problems: [{ code: "USAGE" }] });
    }
    expect(await filesOf(cwd)).toEqual(projects.astro!.files);
  });
});

describe("the development server", () => {
  const scripts = { dev: "astro dev", build: "astro build" };
  const scriptsAfter = async (cwd: string) => JSON.parse(await readFile(join(cwd, "package.json"), "utf8")).scripts;

  test.each<[string, Files, string]>([
    ["dev", { "package.json": packageOf({ astro: "5" }, { scripts }) }, "predev"],
    [
      "start of Eleventy",
      { "package.json": packageOf({ "@11ty/eleventy": "3" }, { scripts: { start: "eleventy --serve" } }) },
      "prestart",
    ],
    [
      "dev of Eleventy",
      { "package.json": packageOf({ "@11ty/eleventy": "3" }, { scripts: { dev: "eleventy --serve" } }) },
      "predev",
    ],
    [
      "docs:dev of VitePress",
      {
        "package.json": packageOf({ vitepress: "1" }, { scripts: { "docs:dev": "vitepress dev docs" } }),
        "docs/.vitepress/config.mts": "",
      },
      "predocs:dev",
    ],
    ["dev of Hugo, which is new", { "hugo.toml": "" }, "predev"],
  ])("%s syncs before it starts", async (_, files, hook) => {
    const cwd = await projectOf(files);
    expect((await init(cwd, "--site", "--url", "demo:")).byHand.join()).not.toContain("package.json");
    expect(await scriptsAfter(cwd)).toMatchObject({ [hook]: "offprint sync", [hook.slice(3)]: expect.any(String) });
    expect(await init(cwd, "--site", "--url", "demo:")).toMatchObject({ written: [], kept: [] });
  });

  test("keeps and reports an existing predev; one that syncs is enough", async () => {
    const mine = { ...scripts, predev: "lint" };
    const cwd = await projectOf({ "package.json": packageOf({ astro: "5" }, { scripts: mine }) });
    expect((await init(cwd, "--site", "--url", "demo:")).byHand).toEqual([
      'package.json: your script `predev` stays. Sync in it: "predev": "offprint sync && lint".',
    ]);
    expect(await scriptsAfter(cwd)).toMatchObject(mine);
    const syncing = { ...scripts, dev: "npm run sync && astro dev", sync: "offprint sync" };
    const other = await projectOf({ "package.json": packageOf({ astro: "5" }, { scripts: syncing }) });
    expect((await init(other, "--site", "--url", "demo:")).byHand).toEqual([]);
    expect(await scriptsAfter(other)).not.toHaveProperty("predev");
  });

  test("the dev script syncs for Yarn 2 and later, which run no predev", async () => {
    const more = { packageManager: "yarn@4.5.0", scripts };
    const cwd = await projectOf({ "package.json": packageOf({ astro: "5" }, more) });
    expect((await init(cwd, "--site", "--url", "demo:")).byHand).toContain(
      'package.json: Yarn runs no `predev`. Sync in the development server: "dev": "offprint sync && astro dev".',
    );
  });
});

describe("writes nothing if it cannot decide what to do", () => {
  test.each<[string, Files, string[], string, string]>([
    ["an empty folder", {}, ["--site"], "PROJECT_UNUSABLE", "no package.json"],
    [
      "an unknown framework",
      { "package.json": packageOf({ "@angular/core": "20" }) },
      ["--site"],
      "PROJECT_UNUSABLE",
      "names no framework known here",
    ],
    [
      "the root of a monorepo",
      { "package.json": packageOf({ typescript: "5" }, { workspaces: ["apps/*"] }) },
      ["--site"],
      "PROJECT_UNUSABLE",
      "root of a monorepo",
    ],
    [
      "the root of a pnpm workspace",
      { "package.json": packageOf({}), "pnpm-workspace.yaml": "packages: [apps/*]\n" },
      ["--site"],
      "PROJECT_UNUSABLE",
      "root of a monorepo",
    ],
    [
      "two frameworks",
      { "package.json": packageOf({ astro: "5", vitepress: "1" }) },
      ["--site"],
      "PROJECT_UNUSABLE",
      "Astro (the package astro), VitePress (the package vitepress)",
    ],
    ["a framework that does not exist", {}, ["--site", "gatsby"], "USAGE", 'no site "gatsby"'],
    ["a name of an object's own", {}, ["--site", "constructor"], "USAGE", 'no site "constructor"'],
    ["a framework that needs a package.json", {}, ["--site", "astro"], "PROJECT_UNUSABLE", "no package.json"],
    [
      "a package.json with comments",
      { "package.json": '{\n  // mine\n  "dependencies": { "astro": "5" }\n}' },
      ["--site"],
      "PROJECT_UNUSABLE",
      "it has comments",
    ],
    ["a region that does not exist", projects.astro!.files, ["--site", "--region", "mars"], "USAGE", 'region "mars"'],
    [
      "a region and an address",
      projects.astro!.files,
      ["--site", "--region", "eu", "--url", "demo:"],
      "USAGE",
      "region and a url",
    ],
  ])("%s", async (_, files, args, code, message) => {
    const cwd = await projectOf(files);
    const answer = await init(cwd, ...args);
    expect(answer.code).toBe(2);
    expect(answer.problems).toEqual([
      { code, message: expect.stringContaining(message), hint: expect.stringMatching(/./) },
    ]);
    expect(await filesOf(cwd)).toEqual(files);
  });

  test("a package.json that is read-only", async () => {
    const cwd = await projectOf(projects.astro!.files);
    await chmod(join(cwd, "package.json"), 0o444);
    const { code, problems } = await init(cwd, "--site", "--url", "demo:");
    expect([code, problems[0]]).toMatchObject([
      2,
      { code: "FOLDER_UNUSABLE", message: expect.stringContaining("read-only") },
    ]);
    expect(await filesOf(cwd)).toEqual(projects.astro!.files);
  });

  test.each([
    ["package.json", "latin1", ["--site", "--url", "demo:"]],
    ["package.json", "utf16le", ["--site", "--url", "demo:"]],
    [".gitignore", "latin1", ["--site", "--url", "demo:"]],
    [".gitignore", "latin1", ["--url", "demo:"]],
    [".gitignore", "utf16le", ["--url", "demo:"]],
  ] as const)("%s in %s (init %j)", async (name, encoding, args) => {
    const cwd = await projectOf(projects.astro!.files);
    const text = name === "package.json" ? packageOf({ astro: "5" }, { author: "Zoë" }) : "Zoë/\n";
    const bytes = Buffer.from(`${encoding === "latin1" ? "" : "\ufeff"}${text}`, encoding);
    await writeFile(join(cwd, name), bytes);
    const before = await filesOf(cwd);
    const { code, problems } = await init(cwd, ...args);
    expect(code).toBe(2);
    expect(problems).toMatchObject([
      { code: "FOLDER_UNUSABLE", message: `${join(cwd, name)} is not UTF-8; nothing was written.` },
    ]);
    expect(await filesOf(cwd)).toEqual(before);
    expect(await readFile(join(cwd, name))).toEqual(bytes);
  });

  test("a folder with the name of a file", async () => {
    const cwd = await projectOf({ ...projects.astro!.files, "src/pages/stories.astro/mine": "" });
    const { code, problems } = await init(cwd, "--site", "--url", "demo:");
    expect([code, problems[0]]).toMatchObject([2, { code: "FOLDER_UNUSABLE" }]);
    expect(await readdir(cwd)).toEqual(["package.json", "src"]);
  });
});

test("the configuration file decides between two frameworks", async () => {
  const cwd = await projectOf({
    "package.json": packageOf({ astro: "5", vitepress: "1" }),
    "astro.config.mjs": "",
  });
  expect(await init(cwd, "--site", "--url", "demo:", "--dry-run")).toMatchObject({ code: 0, site: "astro" });
});

test("a Next project without a layout gets one, and keeps its own", async () => {
  const [bare, own] = [
    await projectOf(projects.next!.files),
    await projectOf({ ...projects.next!.files, "app/layout.js": "" }),
  ];
  expect((await init(bare, "--site", "--url", "demo:")).written).toContain("app/layout.jsx");
  expect(await init(own, "--site", "--url", "demo:")).toMatchObject({ kept: [], unchanged: ["app/layout.js"] });
  expect(await readFile(join(own, "app/layout.js"), "utf8")).toBe("");
  expect(await init(bare, "--site", "--full")).toMatchObject({ removed: ["app/layout.jsx", "app/stories/page.jsx"] });
});

test("Eleventy's folders are read from its configuration", async () => {
  const cwd = await projectOf({
    "package.json": packageOf({ "@11ty/eleventy": "3" }, { type: "module" }),
    "eleventy.config.js": 'export default () => ({ dir: { input: "./content/", data: "_global" } });\n',
  });
  const { written } = await init(cwd, "--site", "--url", "demo:");
  expect(written).toEqual(expect.arrayContaining(["content/_global/stories.js", "content/stories.njk"]));
});

test("prints what it found, what it wrote and the next steps; asks nothing without a terminal", async () => {
  const cwd = await projectOf(projects.astro!.files);
  const { code, stdout, stderr } = await runCli(["init", "--site"], { cwd });
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr.split("\n")).toEqual([
    "Astro, shown by the package astro",
    "✔ wrote sync.config.yaml",
    "✔ wrote .env.example",
    "✔ wrote src/content.config.mjs",
    "✔ wrote src/pages/stories.astro",
    "✔ added to package.json: script sync: offprint sync, script prebuild: offprint sync",
    "✔ wrote .gitignore",
    "Next:",
    "  1. npm install --save-dev offprint",
    "  2. copy .env.example to .env, and fill in the token",
    "  3. npm run sync",
    "  4. npx astro dev, and open http://localhost:4321/stories",
    "  5. a page for each story, languages, images: node_modules/offprint/docs/sites/astro.md",
    "",
  ]);
  expect(await readFile(join(cwd, "sync.config.yaml"), "utf8")).toMatch(/\$\{OFFPRINT_URL\}/);
});
