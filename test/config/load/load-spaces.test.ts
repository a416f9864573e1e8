// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test.
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type LoadSpacesOptions, loadConfig, loadSpaces } from "../../../src/config/load/load-spaces.js";
import { isOffprintError } from "../../../src/lib/errors.js";
import { redact } from "../../../src/lib/redact/redact.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const file = "sync.config.yaml";

/** Creates a folder with these files, by path. */
async function project(files: Record<string, string>): Promise<string> {
  const dir = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

type Options = Partial<LoadSpacesOptions> & { files?: Record<string, string> };

async function load(yaml: string, { files = {}, ...options }: Options = {}) {
  const cwd = await project({ ...files, [file]: yaml });
  const fleet = await loadSpaces({ cwd, env: {}, ...options });
  const folders = fleet.spaces.map(({ name, config }) => [name, relative(cwd, config.output.dir)]);
  return { ...fleet, cwd, folders: Object.fromEntries(folders) as Record<string, string> };
}

/** The problems of an invalid configuration, as `message` or `message | hint`. */
async function problemsOf(loading: Promise<unknown>): Promise<string[]> {
  const error: unknown = await loading.catch((reason: unknown) => reason);
  if (!isOffprintError(error, "CONFIG_INVALID")) throw new Error("it was not refused", { cause: error });
  return error.problems.map(({ message, hint }) => (hint === "" ? message : `${message} | ${hint}`));
}

const ordinary = 'source: { region: eu, token: "token-of-one" }\n';
const defaults = "defaults: { source: { region: eu, token: token-of-all } }\n";

describe("a file of one space", () => {
  test("is a fleet of one, called as its folder, or as the file", async () => {
    const cwd = await project({ "Über uns/sync.config.yaml": ordinary, "sites/shop.yaml": ordinary });
    const named = async (path: string) => {
      const { spaces, isFleet } = await loadSpaces({ cwd, env: {}, file: path });
      return [isFleet, ...spaces.map(({ name }) => name)];
    };
    expect(await named("Über uns/sync.config.yaml")).toEqual([false, "Uber-uns"]);
    expect(await named("sites/shop.yaml")).toEqual([false, "shop"]);
  });

  test("is what loadConfig reads", async () => {
    const { cwd, spaces } = await load(ordinary);
    expect(await loadConfig({ cwd, env: {} })).toEqual(spaces[0]?.config);
  });
});

describe("a file of several spaces", () => {
  test("gives every space its own keys over the defaults", async () => {
    const { spaces, concurrency, isFleet } = await load(`
defaults:
  source: { region: eu, token: token-of-all, languages: [default, de], include: { tags: false } }
  content: { types: { article: { body: text, exclude: seo } } }
  onCommit: { site: { run: make } }
fleet: { concurrency: 7 }
spaces:
  news:
  shop:
    source: { token: token-of-shop, languages: all, include: { space: false } }
    content: { types: { article: { exclude: [tracking, seo] }, page: { body: blocks } } }
    onCommit: { search: { run: [index, it] } }
`);
    expect({ concurrency, isFleet, names: spaces.map(({ name }) => name) }).toEqual({
      concurrency: 7,
      isFleet: true,
      names: ["news", "shop"],
    });
    const [news, shop] = spaces.map(({ config }) => config);
    expect(news?.source).toMatchObject({ token: "token-of-all", languages: [{ code: "default" }, { code: "de" }] });
    expect(shop?.source).toMatchObject({
      url: news?.source.url,
      token: "token-of-shop",
      languages: "all",
      include: { tags: false, space: false },
    });
    expect(shop?.content.types).toEqual(
      Object.assign(Object.create(null), {
        article: { body: ["text"], exclude: ["tracking", "seo"] },
        page: { body: ["blocks"] },
      }),
    );
    expect([Object.keys(news?.onCommit ?? {}), Object.keys(shop?.onCommit ?? {})]).toEqual([
      ["site"],
      ["site", "search"],
    ]);
  });

  test("four spaces at once are worked on by default", async () => {
    expect((await load(`${defaults}spaces: { a: , b: }\n`)).concurrency).toBe(4);
  });

  test("gives each space its own folders if the defaults name them", async () => {
    const { spaces, cwd } = await load(`
defaults:
  source: { region: eu, token: token-of-all }
  output: { dir: copies }
  content: { dir: src/content/ }
  assets: { dir: public/cms, baseUrl: /cms/ }
  types: { file: src/cms.ts }
spaces:
  news:
  shop: { output: { dir: elsewhere }, content: { dir: shop/content }, assets: { dir: shop/assets }, types: { file: shop/cms.ts }, check: { lock: locks/shop.json } }
  blog: { assets: { baseUrl: https://img.example.com } }
`);
    const placesOf = spaces.map(({ name, config: { output, content, assets, types, check } }) => [
      name,
      ...[output.dir, content.dir, assets.dir, types.file, check.lock].map((path) => relative(cwd, path ?? "")),
      assets.baseUrl,
    ]);
    expect(placesOf).toEqual([
      [
        "news",
        "copies/news",
        "src/content/news",
        "public/cms/news",
        "src/news/cms.ts",
        "news/content.lock.json",
        "/cms/news",
      ],
      ["shop", "elsewhere", "shop/content", "shop/assets", "shop/cms.ts", "locks/shop.json", "/cms"],
      [
        "blog",
        "copies/blog",
        "src/content/blog",
        "public/cms/blog",
        "src/blog/cms.ts",
        "blog/content.lock.json",
        "https://img.example.com",
      ],
    ]);
    expect((await load(`${defaults}spaces: { news: }\n`)).folders).toEqual({ news: "output/news" });
  });

  test("lets a space replace what excludes its own key", async () => {
    const { spaces } = await load(`
defaults: { source: { region: eu, token: token-of-all }, schedule: { cron: "13 * * * *", timeZone: Europe/Vienna } }
spaces:
  near: { source: { url: "http://127.0.0.1:4400" }, schedule: { every: 1m } }
  far: { source: { region: us } }
`);
    expect(spaces.map(({ config: { source, schedule } }) => [source.url, schedule.everyMs, schedule.cron])).toEqual([
      ["http://127.0.0.1:4400", 60_000, undefined],
      ["https://api-us.storyblok.com", undefined, "13 * * * *"],
    ]);
  });

  test("reads further files, each as if it were alone", async () => {
    const { spaces, cwd, folders } = await load(
      `${defaults}spaces: { news: }\nfiles: [sites/*.yaml, "clients/**/${file}", more.yml]\n`,
      {
        files: {
          "sites/b.yaml": `${ordinary}output: { dir: ../b }\n`,
          "sites/a.yaml": 'source: { region: us, token: "${A_TOKEN}" }\n',
          "sites/.env": "A_TOKEN=token-from-env\n",
          "sites/.hidden.yaml": "no: configuration\n",
          [`clients/acme/${file}`]: ordinary,
          [`clients/big/north/${file}`]: ordinary,
          "clients/node_modules/x/sync.config.yaml": "no: configuration\n",
          "more.yml": `${ordinary}output: { dir: more }\n`,
        },
      },
    );
    expect(folders).toEqual({
      news: "output/news",
      a: "sites/output",
      b: "b",
      acme: "clients/acme/output",
      north: "clients/big/north/output",
      more: "more",
    });
    expect(spaces.map(({ file: path }) => relative(cwd, path))).toEqual([
      file,
      "sites/a.yaml",
      "sites/b.yaml",
      `clients/acme/${file}`,
      `clients/big/north/${file}`,
      "more.yml",
    ]);
    const a = spaces.find(({ name }) => name === "a")?.config;
    expect(a?.source).toMatchObject({ url: "https://api-us.storyblok.com", token: "token-from-env" });
    expect(a).toEqual(await loadConfig({ cwd, env: {}, file: "sites/a.yaml" }));
  });

  test("masks the secrets of every space", async () => {
    await load(
      "defaults: { source: { region: eu }, webhooks: { secret: defaults-s3cret } }\nspaces: { a: { source: { token: first-t0ken } }, b: { source: { token: second-t0ken } } }\nfiles: c.yaml\n",
      {
        files: { "c.yaml": "source: { region: eu, token: third-t0ken }\noutput: { dir: c }\n" },
      },
    );
    expect(redact("defaults-s3cret first-t0ken second-t0ken third-t0ken")).toBe(
      "[redacted] [redacted] [redacted] [redacted]",
    );
  });
});

describe("selected spaces", () => {
  const yaml = `
defaults: { source: { region: eu } }
spaces:
  news: { source: { token: "\${NEWS_TOKEN}" } }
  shop: { source: { token: "\${SHOP_TOKEN}" }, webhooks: { secret: "\${SHOP_SECRET}" } }
files: [blog.yaml]
`;
  const files = { "blog.yaml": 'source: { region: eu, token: "${BLOG_TOKEN}" }\noutput: { dir: blog }\n' };

  test("alone need their secrets", async () => {
    const env = { NEWS_TOKEN: "token-of-news", BLOG_TOKEN: "token-of-blog" };
    const selected = await load(yaml, { files, env, select: ["blog", "news"] });
    expect(selected.spaces.map(({ name, config }) => [name, config.source.token])).toEqual([
      ["news", "token-of-news"],
      ["blog", "token-of-blog"],
    ]);
    expect(await problemsOf(load(yaml, { files, env }))).toEqual([
      `${file}:5:29: \${SHOP_TOKEN} is not set, or is empty | Set SHOP_TOKEN in the environment or in .env.`,
      `${file}:5:68: \${SHOP_SECRET} is not set, or is empty | Set SHOP_SECRET in the environment or in .env.`,
    ]);
  });

  test("need no token where no upstream is asked", async () => {
    const env = { SHOP_SECRET: "s3cret-of-shop" };
    const { spaces } = await load(yaml, { files, env, tokenOptional: "of-several" });
    expect(spaces.map(({ config }) => config.source.token)).toEqual(["", "", ""]);
    await expect(load(files["blog.yaml"], { tokenOptional: "of-several" })).rejects.toThrow("1 problem");
  });

  test("must exist", async () => {
    const env = { NEWS_TOKEN: "token-of-news" };
    await expect(load(yaml, { files, env, select: ["news", "nwes"] })).rejects.toMatchObject({
      code: "USAGE",
      message: 'There is no space "nwes".',
      hint: "Did you mean news? Spaces here: news, shop, blog.",
    });
    await expect(load(ordinary, { select: ["news"] })).rejects.toMatchObject({ code: "USAGE" });
  });

  test("are one where one configuration is asked for", async () => {
    const { cwd } = await load(`${defaults}spaces: { a: , b: }\n`);
    await expect(loadConfig({ cwd, env: {} })).rejects.toMatchObject({
      code: "USAGE",
      hint: "Name one of them: `space`. Spaces here: a, b.",
    });
    expect((await loadConfig({ cwd, env: {}, space: "b" })).output.dir).toBe(join(cwd, "output/b"));
  });

  test("share no folder of the command line", async () => {
    const yaml = `${defaults}spaces: { a: , b: }\n`;
    const overrides = { outputDir: "there" };
    await expect(load(yaml, { overrides })).rejects.toMatchObject({ code: "USAGE" });
    expect((await load(yaml, { overrides, select: ["a"] })).folders).toEqual({ a: "there" });
  });
});

test("a store of the defaults has a prefix for each space, and two spaces never share one", async () => {
  const { spaces } = await load(`
defaults: { source: { region: eu, token: token-of-all }, output: { store: s3://team-content/sites/ } }
spaces: { news: , shop: { output: { store: s3://team-shop } } }
`);
  expect(spaces.map(({ config }) => config.output.store)).toMatchObject([
    { bucket: "team-content", prefix: "sites/news" },
    { bucket: "team-shop", prefix: "" },
  ]);
  await expect(
    load(`
defaults: { source: { region: eu, token: token-of-all } }
spaces: { news: { output: { store: s3://team/a } }, shop: { output: { store: s3://team/a/b } } }
`),
  ).rejects.toMatchObject({
    problems: [{ message: expect.stringContaining("output.store is inside output.store of the space news") }],
  });
});

describe("what is wrong", () => {
  test("is reported at once for every file, with its place", async () => {
    const loading = load(
      `defaults:
  source: { region: eu, token: token-of-all }
  queue: { concurrency: many }
fleet: { concurrency: 0 }
spaces:
  news: { source: { token: "\${NEWS_TOKEN}" }, ouput: { dir: x } }
  shop: 5
  a/b:
files: [sites/*.yaml, none/*.yaml, absent.yaml, sites/fleet.yaml]
`,
      { files: { "sites/one.yaml": "source: { token: token-of-one }\n", "sites/fleet.yaml": "spaces: { x: }\n" } },
    );
    expect(await problemsOf(loading)).toEqual([
      `${file}:3:25: defaults.queue.concurrency expects a whole number from 1 to 100, not "many"`,
      `${file}:4:23: fleet.concurrency expects a whole number from 1 to 100, not 0`,
      `${file}:6:29: \${NEWS_TOKEN} is not set, or is empty | Set NEWS_TOKEN in the environment or in .env.`,
      `${file}:6:47: spaces.news.ouput is not a key of this file | Did you mean output?`,
      `${file}:7:9: spaces.shop expects keys and values, not 5`,
      `${file}:8:3: spaces.a/b is not a valid space name | Use at most 64 letters, digits, -, _ and ., beginning with a letter or digit.`,
      `${file}:9:23: files[1] matches no file | A pattern is relative to the folder of this file; * matches any part of one name.`,
      `${file}:9:36: files[2] names a file that cannot be read: absent.yaml is not there`,
      `sites/fleet.yaml:1:1: spaces makes this a file with several spaces, but ${file} lists it as one space | List the files of its spaces there, or remove this one.`,
      "sites/one.yaml:1:1: source needs url or region | Write url: with the address of the content delivery interface, or region: eu, us, ca, ap or cn.",
    ]);
  });

  test("with the files that it names", async () => {
    const loading = load("files: [sites/*.yaml, none/*.yaml, absent.yaml, '*.yaml']\n", {
      files: {
        "sites/one.yaml": "source: { token: token-of-one }\n",
        "sites/more.yaml": "spaces: { x: }\n",
        "sites/bad.yaml": "a: [\n",
      },
    });
    expect(await problemsOf(loading)).toEqual([
      `${file}:1:23: files[1] matches no file | A pattern is relative to the folder of this file; * matches any part of one name.`,
      `${file}:1:36: files[2] names a file that cannot be read: absent.yaml is not there`,
      `${file}:1:49: files[3] names this file itself | Keep the files of the spaces in a separate folder.`,
      expect.stringMatching(/^sites\/bad\.yaml:2:1: not valid YAML: /),
      `sites/more.yaml:1:1: spaces makes this a file with several spaces, but ${file} lists it as one space | List the files of its spaces there, or remove this one.`,
      "sites/one.yaml:1:1: source needs url or region | Write url: with the address of the content delivery interface, or region: eu, us, ca, ap or cn.",
    ]);
  });

  test("two spaces with one name", async () => {
    const loading = load(`${defaults}spaces:\n  news:\n  News:\n  shop:\nfiles: [shop.yaml, sites/*]\n`, {
      files: { "shop.yaml": `${ordinary}output: { dir: s }\n`, "sites/a b.yaml": ordinary },
    });
    const hint = "Give each space a unique name.";
    expect(await problemsOf(loading)).toEqual([
      `${file}:4:3: spaces.News differs from the space news only in upper and lower case | ${hint}`,
      `${file}:6:9: files[0] names shop.yaml, and shop is the name of another space | ${hint}`,
      `${file}:6:20: files[1] names sites/a b.yaml, and a b is not a valid space name | Use at most 64 letters, digits, -, _ and ., beginning with a letter or digit.`,
    ]);
    const twice = load(`${defaults}spaces:\n  news: {}\n  news: {}\n`);
    expect((await problemsOf(twice))[0]).toBe(`${file}:4:3: the key is repeated | Keep one of the two.`);
  });

  test.each([
    ["the same", "{ dir: one }", "{ dir: ./one/ }", "5:31: spaces.b.output.dir is also output.dir of the space a"],
    [
      "one in the other",
      "{ dir: one }",
      "{ dir: one/two }",
      "5:31: spaces.b.output.dir is inside output.dir of the space a",
    ],
    [
      "the other around it",
      "{ dir: one/two }",
      "{ dir: one }",
      "4:31: spaces.a.output.dir is inside output.dir of the space b",
    ],
    [
      "the same but for capitals",
      "{ dir: One }",
      "{ dir: one }",
      "5:31: spaces.b.output.dir is also output.dir of the space a",
    ],
    [
      "the same through a link",
      "{ dir: link/x/y }",
      "{ dir: real/x/y }",
      "5:31: spaces.b.output.dir is also output.dir of the space a",
    ],
    [
      "inside through a link",
      "{ dir: link }",
      "{ dir: real/x }",
      "5:31: spaces.b.output.dir is inside output.dir of the space a",
    ],
  ])("two outputs that are %s", async (_, a, b, problem) => {
    const cwd = await project({
      "real/file": "",
      [file]: `${defaults}
spaces:
  a: { output: ${" ".repeat(8)}${a} }
  b: { output: ${" ".repeat(8)}${b} }
`,
    });
    await symlink(join(cwd, "real"), join(cwd, "link"));
    expect(await problemsOf(loadSpaces({ cwd, env: {} }))).toEqual([
      `${file}:${problem} | Give each space its own folders.`,
    ]);
  });

  test("folders of other kinds that overlap, and those of another file", async () => {
    const loading = load(
      `${defaults}spaces:\n  a: { content: { dir: site/a }, types: { file: site/types.ts } }\n  b: { assets: { dir: site/a/img }, types: { file: site/types.ts } }\nfiles: c.yaml\n`,
      {
        files: { "c.yaml": `${ordinary}output: { dir: output/a/c }\n` },
      },
    );
    const hint = "Give each space its own folders.";
    expect(await problemsOf(loading)).toEqual([
      `${file}:4:23: spaces.b.assets.dir is inside content.dir of the space a | ${hint}`,
      `${file}:4:52: spaces.b.types.file is also types.file of the space a | ${hint}`,
      `c.yaml:2:16: output.dir is inside output.dir of the space a | ${hint}`,
    ]);
  });

  test.each([
    ["no space", "fleet: { concurrency: 2 }\n", "1:1: no space is configured here"],
    [
      "a key of one space next to them",
      `${defaults}spaces: { a: }\nqueue: { retries: 1 }\n`,
      "3:1: queue applies to one space, but this file has several",
    ],
    ["no mapping of spaces", "spaces: [a, b]\n", "1:9: spaces expects keys and values, not a list"],
    ["defaults that are none", "defaults: eu\nspaces: { a: }\n", '1:11: defaults expects keys and values, not "eu"'],
    ["an unknown key", `${defaults}spaces: { a: }\nspace: b\n`, "3:1: space is not a key of this file"],
  ])("%s", async (_, yaml, problem) => {
    const problems = await problemsOf(load(yaml));
    expect(problems.map((each) => each.split(" | ")[0])).toEqual([`${file}:${problem}`]);
  });
});

const jsonSchema = JSON.parse(await readFile("config/sync.config.schema.json", "utf8"));

describe("the JSON Schema", () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(jsonSchema);

  test.each([
    ["one space", ordinary, true],
    ["several spaces", `${defaults}spaces: { a: { output: { dir: x } } }\nfleet: { concurrency: 2 }\n`, true],
    ["files", "files: spaces/*.yaml\n", true],
    ["a space without its token", "source: { region: eu }\n", false],
    ["a key of one space next to several", `${defaults}spaces: { a: {} }\noutput: { dir: x }\n`, false],
    ["an unknown key of a space", "spaces: { a: { ouput: {} } }\n", false],
    ["an unknown key of the defaults", "defaults: { source: { tokn: x } }\nspaces: { a: {} }\n", false],
    ["no space", "fleet: { concurrency: 2 }\n", false],
  ])("for %s", (_, yaml, fits) => {
    expect(validate(parse(yaml))).toBe(fits);
  });
});
