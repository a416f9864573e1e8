// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { type LoadConfigOptions, loadConfig } from "../../../src/config/load/load-spaces.js";
import { isOffprintError, OffprintError } from "../../../src/lib/errors.js";
import { redact } from "../../../src/lib/redact/redact.js";
import { sampleConfig } from "../../support/sample-config.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "offprint-config-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function load(text: string, options: Partial<LoadConfigOptions> = {}): Promise<Config> {
  await writeFile(join(folder, "sync.config.yaml"), text);
  return loadConfig({ cwd: folder, env: {}, ...options });
}

/** The problems of an invalid file, as `message` or `message | hint`. */
async function problemsOf(text: string, options: Partial<LoadConfigOptions> = {}): Promise<string[]> {
  const error: unknown = await load(text, options).catch((reason: unknown) => reason);
  if (!isOffprintError(error, "CONFIG_INVALID")) throw new Error("the file was not refused", { cause: error });
  return error.problems.map(({ message, hint }) => (hint === "" ? message : `${message} | ${hint}`));
}

const source = 'source: { url: "demo:", token: demo }\n';

describe("what the file says", () => {
  test("the smallest file gives every default", async () => {
    const config = await load("source:\n  url: ${OFFPRINT_URL:-demo:}\n  token: ${OFFPRINT_TOKEN:-demo}\n");
    expect(config).toEqual({
      ...sampleConfig,
      baseDir: folder,
      source: { ...sampleConfig.source, recheckMs: 3_600_000 },
      queue: { concurrency: 8, prefer: "requests", timeoutMs: 60_000, retries: 5 },
      safety: { maxRemoveShare: 0.2, consistency: "interval", maxStaleMs: 3_600_000 },
      assets: { download: false, hosts: ["source"], maxBytes: 52_428_800, onFailure: "keep", metadata: false },
      content: sampleConfig.content,
      output: { dir: join(folder, "output"), keepGenerations: 3, shardBytes: 524_288 },
      check: { ...sampleConfig.check, lock: join(folder, "content.lock.json") },
      serve: { port: 4400, host: "127.0.0.1", tokens: { public: [], preview: [] }, dialect: "compatible", tags: false },
    } satisfies Config);
  });

  test("output.keep thins older generations, output.grace keeps superseded ones", async () => {
    const written = "output: { keepGenerations: 5, keep: { days: 14, weeks: 8 }, grace: 20m }\n";
    expect((await load(source + written)).output).toMatchObject({
      keepGenerations: 5,
      keep: { hours: 0, days: 14, weeks: 8 },
      graceMs: 1_200_000,
    });
    expect((await load(`${source}output: { keepGenerations: 5, keep: { last: 2 } }\n`)).output.keepGenerations).toBe(2);
  });

  test("everything that it may say is understood", async () => {
    const config = await load(`
source:
  url: https://api.example.com/v2/cdn/
  token: t0ken-of-the-space
  versions: [published, draft]
  languages: [default, de, { code: de-at, fallback: de }]
  releases: [2001, "12345678901234567890", 98765432109876543210]
  include: { startsWith: /blog/, excludeSlugs: [a/*], contentTypes: [article], related: true, datasources: [labels], experiments: false, tags: false, taxonomies: false, space: false }
  recheck: 90m
  settle: 0
  management: { url: https://mapi.example.com/v1, token: "per5onal", oauthUrl: https://oauth.example.com, oauthToken: "oauth-t0ken", spaceId: 5000000000, webhookEndpoints: [7] }
queue: { concurrency: 2, prefer: speed, rateLimit: false, maxRequests: 500, timeout: 500ms, retries: 0 }
safety: { maxRemove: 0.5, maxStale: 1d }
resolve: { relations: [article.author], depth: 2, links: { pattern: "/{slug}.html", home: start } }
assets: { download: true, hosts: [source, IMG.example.com, "localhost:81"], dir: public/cms, baseUrl: /cms/, maxBytes: 1GB, onFailure: fail, metadata: true }
content: { dir: src/content/cms, target: plain, formats: [json], outline: none, types: { article: { body: text }, page: { body: [a, b], exclude: [seo] }, teaser: { heading: claim, frontMatter: note, markdown: [copy] } } }
output: { dir: ../copy, keepGenerations: 1, shardBytes: 1048576 }
serve: { port: 0, host: "::1", tokens: { public: [public-t0ken], preview: preview-t0ken }, dialect: seed, tags: true }
`);
    expect(config.source).toEqual({
      url: "https://api.example.com",
      token: "t0ken-of-the-space",
      versions: ["published", "draft"],
      languages: [{ code: "default" }, { code: "de" }, { code: "de-at", fallback: "de" }],
      releases: ["2001", "12345678901234567890", "98765432109876543210"],
      include: {
        startsWith: ["blog/"],
        excludeSlugs: ["a/*"],
        contentTypes: ["article"],
        related: true,
        datasources: ["labels"],
        experiments: false,
        tags: false,
        taxonomies: false,
        space: false,
      },
      recheckMs: 5_400_000,
      settleMs: 0,
      management: {
        url: "https://mapi.example.com",
        token: "per5onal",
        oauthUrl: "https://oauth.example.com",
        oauthToken: "oauth-t0ken",
        spaceId: 5_000_000_000,
        webhookEndpoints: [7],
      },
    });
    expect(config.queue).toEqual({
      concurrency: 2,
      prefer: "speed",
      rateLimit: false,
      maxRequests: 500,
      timeoutMs: 500,
      retries: 0,
    });
    expect(config.safety).toEqual({ maxRemoveShare: 0.5, consistency: "interval", maxStaleMs: 86_400_000 });
    expect(config.resolve).toEqual({
      relations: ["article.author"],
      depth: 2,
      links: { pattern: "/{slug}.html", home: "start", use: "path", outside: "url" },
    });
    expect(config.assets).toEqual({
      download: true,
      hosts: ["source", "img.example.com", "localhost:81"],
      dir: join(folder, "public/cms"),
      baseUrl: "/cms",
      maxBytes: 1_073_741_824,
      onFailure: "fail",
      metadata: true,
    });
    expect(config.content).toEqual({
      dir: join(folder, "src/content/cms"),
      target: "plain",
      richText: "document",
      formats: ["json"],
      outline: "none",
      types: {
        article: { body: ["text"] },
        page: { body: ["a", "b"], exclude: ["seo"] },
        teaser: { heading: "claim", frontMatter: ["note"], markdown: ["copy"] },
      },
    });
    expect(config.output).toEqual({ dir: join(folder, "../copy"), keepGenerations: 1, shardBytes: 1_048_576 });
    expect(config.serve).toEqual({
      port: 0,
      host: "::1",
      tokens: { public: ["public-t0ken"], preview: ["preview-t0ken"] },
      dialect: "seed",
      tags: true,
    });
  });

  test("a region stands for its addresses, a management token for that of its region", async () => {
    const config = await load("source: { region: us, token: abcd1234, management: { token: per5onal } }");
    expect(config.source.url).toMatch(/^https:\/\/[a-z.-]+$/);
    expect(config.source.management?.url).toMatch(/^https:\/\/[a-z.-]+$/);
    const byUrl = await load(
      `source: { url: "${config.source.url}", token: abcd1234, management: { token: per5onal } }`,
    );
    expect(byUrl.source).toEqual(config.source);
  });

  test("a region has an editor, and a space elsewhere has the one of the file", async () => {
    const url = async (text: string) => (await load(text)).editor.url;
    const platform = "https://app.storyblok.com/#/me/spaces/{space}/stories/0/0/{id}";
    expect(await url("source: { region: us, token: t0ken-of-the-space }\n")).toBe(platform);
    expect(await url("source: { url: https://api.storyblok.com, token: t0ken-of-the-space }\n")).toBe(platform);
    expect(await url("source: { region: cn, token: t0ken-of-the-space }\n")).toBe(
      "https://app.storyblokchina.cn/#/me/spaces/{space}/stories/0/0/{id}",
    );
    expect(await url(source)).toBeUndefined();
    expect(await url(`${source}editor: { url: "https://cms.example.com/{slug}" }\n`)).toBe(
      "https://cms.example.com/{slug}",
    );
    for (const wrong of ["javascript:{id}", "https://cms.example.com/", "https://cms.example.com/{id}/{name}"]) {
      expect(await problemsOf(`${source}editor: { url: "${wrong}" }\n`)).toEqual([
        expect.stringContaining("editor.url expects an http(s) address with {id}, {uuid} or {slug}"),
      ]);
    }
  });

  test("the address of the site is an http(s) address, kept without a slash at its end", async () => {
    expect((await load(source)).site.url).toBeUndefined();
    for (const [written, read] of [
      ["https://www.example.com", "https://www.example.com"],
      ["http://localhost:3000/shop/", "http://localhost:3000/shop"],
    ]) {
      expect((await load(`${source}site: { url: "${written}" }\n`)).site.url).toBe(read);
    }
    for (const [wrong, told] of [
      ["www.example.com", "Did you mean https://www.example.com?"],
      ["javascript:alert(1)", "site.url expects an http(s) address such as https://www.example.com"],
      ["https://me:word@example.com/a?b", "Write https://example.com/a only."],
    ] as const) {
      expect((await problemsOf(`${source}site: { url: "${wrong}" }\n`)).join()).toContain(told);
    }
  });

  test("a key without a value is the same as no key", async () => {
    const config = await load(`${source}queue:\nserve:\n  port:\ncontent: { types: }\n`);
    expect(config.queue.concurrency).toBe(8);
    expect(config.serve.port).toBe(4400);
  });

  test("a content type may have any name", async () => {
    const config = await load(`${source}content: { types: { constructor: { body: text }, toString: {} } }`);
    expect(Object.keys(config.content.types)).toEqual(["constructor", "toString"]);
    expect(config.content.types.valueOf).toBeUndefined();
  });

  test("words that older YAML took for booleans are words", async () => {
    const config = await load(`source: { url: "demo:", token: demo, languages: [no, on] }`);
    expect(config.source.languages).toEqual([{ code: "no" }, { code: "on" }]);
  });

  test("a byte order mark and Windows line ends do not matter", async () => {
    const config = await load(`\uFEFF${source}serve:\r\n  port: 1\r\n`);
    expect(config.serve.port).toBe(1);
  });
});

describe("the environment", () => {
  test("fills variables of every kind of value, and wins over .env", async () => {
    await writeFile(join(folder, ".env"), 'SPACE_TOKEN=from-file\nPORT=1\nSPACE_URL="https://b.example.com"\n');
    const text =
      "source: { url: '${SPACE_URL}', token: '${SPACE_TOKEN}', languages: '${CODES}' }\n" +
      "serve:\n  port: ${PORT}\nassets:\n  download: ${DOWNLOAD:-true}\nsafety:\n  maxRemove: ${SHARE}%\n";
    const env = { SPACE_TOKEN: "123456", CODES: "de, fr", SHARE: "5", SPACE_URL: "" };
    const config = await load(text, { env });
    expect(config.source).toMatchObject({
      url: "https://b.example.com",
      token: "123456",
      languages: [{ code: "de" }, { code: "fr" }],
    });
    expect(config.serve.port).toBe(1);
    expect(config.assets.download).toBe(true);
    expect(config.safety.maxRemoveShare).toBe(0.05);
  });

  test("cannot add YAML", async () => {
    const env = { T: "x\n  url: https://evil.example.com" };
    expect(await problemsOf('source:\n  url: "demo:"\n  token: ${T}\n', { env })).toEqual([
      "sync.config.yaml:3:10: source.token expects a token without spaces, not this text",
    ]);
  });

  test("a token that no request could carry is refused", async () => {
    expect(await problemsOf('source: { url: "demo:", token: "\\ud800abc" }')).toHaveLength(1);
  });

  test("a variable that is not set is named with line and column, once", async () => {
    expect(
      await problemsOf("source:\n  url: https://${HOST}/\n  token: ${MY_TOKEN}\n", { env: { MY_TOKEN: "" } }),
    ).toEqual([
      "sync.config.yaml:2:16: ${HOST} is not set, or is empty | Set HOST in the environment or in .env.",
      "sync.config.yaml:3:10: ${MY_TOKEN} is not set, or is empty | Set MY_TOKEN in the environment or in .env.",
    ]);
  });

  test("a variable in braces without quotes is answered with what to do", async () => {
    const [first] = await problemsOf('source: { url: "demo:", token: ${T} }', { env: { T: "x" } });
    expect(first).toContain("a variable needs quotes around it");
  });
});

describe("flags", () => {
  test("win over the file, relative to the working folder", async () => {
    await mkdir(join(folder, "site"));
    await writeFile(join(folder, "site/offprint.yaml"), `${source}output: { dir: copy }\nserve: { port: 1 }`);
    const options = { cwd: folder, env: {}, file: "site/offprint.yaml" };
    expect((await loadConfig(options)).output.dir).toBe(join(folder, "site/copy"));
    const config = await loadConfig({ ...options, overrides: { outputDir: "there", port: "5", host: "0.0.0.0" } });
    expect(config.output.dir).toBe(join(folder, "there"));
    expect(config.serve).toMatchObject({ port: 5, host: "0.0.0.0" });
  });

  test("report problems under their own name", async () => {
    expect(await problemsOf(source, { overrides: { port: "99999", outputDir: ".git/x" } })).toEqual([
      '--port expects a whole number from 0 to 65535, not "99999"',
      "--output is inside a .git folder | Choose a folder outside .git.",
    ]);
  });
});

describe("a file that is not there", () => {
  test("is CONFIG_MISSING, with the way to get one", async () => {
    const error: unknown = await loadConfig({ cwd: folder, env: {} }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OffprintError);
    expect(error).toMatchObject({ code: "CONFIG_MISSING", message: "sync.config.yaml is not there", exitCode: 2 });
    expect((error as OffprintError).hint).toContain("offprint init");
  });

  test("or no file, or no text, is CONFIG_INVALID", async () => {
    await mkdir(join(folder, "sync.config.yaml"));
    await expect(loadConfig({ cwd: folder, env: {} })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await writeFile(join(folder, "b.yaml"), Buffer.from([0x61, 0x3a, 0xff, 0xfe]));
    await expect(loadConfig({ cwd: folder, env: {}, file: "b.yaml" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: "b.yaml is not UTF-8 text",
    });
  });
});

describe("problems", () => {
  test("are all reported at once, in the order of the file, with the nearest valid key", async () => {
    const found = await problemsOf(`sorce: {}
source:
  region: europe
  token: abcd1234
  version: draft
  include: { start_with: [blog] }
queue:
  concurrency: "eight"
  concurency: 9
  rateLimit: fast
concurrency: 3
safety: { maxRemove: 20, shardBytes: 1 }
resolve: { links: { pattern: "/{slg}" } }
content: { types: { article: { boddy: text } }, formats: [json, html] }
serve: 4400
`);
    expect(found).toEqual([
      "sync.config.yaml:1:1: sorce is not a key of this file | Did you mean source?",
      'sync.config.yaml:3:11: source.region expects eu, us, ca, ap or cn, not "europe" | Did you mean eu?',
      "sync.config.yaml:5:3: source.version is not a key of this file | Did you mean versions?",
      "sync.config.yaml:6:14: source.include.start_with is not a key of this file | Did you mean startsWith?",
      'sync.config.yaml:8:16: queue.concurrency expects a whole number from 1 to 100, not "eight"',
      "sync.config.yaml:9:3: queue.concurency is not a key of this file | Did you mean concurrency?",
      'sync.config.yaml:10:14: queue.rateLimit expects published, false or requests a second, not "fast"',
      "sync.config.yaml:11:1: concurrency is not a key of this file | Did you mean queue.concurrency?",
      "sync.config.yaml:12:22: safety.maxRemove expects a share such as 20% or 0.2, not 20",
      "sync.config.yaml:12:26: safety.shardBytes is not a key of this file | Did you mean output.shardBytes?",
      'sync.config.yaml:13:30: resolve.links.pattern expects a path with {slug}, such as /{language?}/{slug}, not "/{slg}"',
      "sync.config.yaml:14:32: content.types.article.boddy is not a key of this file | Did you mean body?",
      'sync.config.yaml:14:65: content.formats[1] expects json or markdown, not "html"',
      "sync.config.yaml:15:8: serve expects keys and values, not 4400",
    ]);
  });

  test("name the place of a path pattern that is ambiguous or does not fit the target", async () => {
    const start = "source: { url: 'demo:', token: demo }\n";
    expect(await problemsOf(`${start}content: { paths: "{type}" }\n`)).toEqual([
      'sync.config.yaml:2:19: content.paths expects a path such as {language}/{type}/{slug} that ends with {slug} or {uuid}, not "{type}"',
    ]);
    expect(await problemsOf(`${start}content: { target: vitepress, paths: "{type}/{uuid}" }\n`)).toEqual([
      "sync.config.yaml:2:38: content.paths has to end with {slug} for content.target: vitepress | End it with {slug}: VitePress finds a page by the place of its file.",
    ]);
  });

  test("are in the order of the file: from YAML, variables, keys, values and combinations", async () => {
    const found = await problemsOf(`output: { dir: .git/x }
queue:
  retries: 3
  retries: 4
  timeout: \${TIMEOUT}
source:
  url: https://api.example.com
  region: eu
  token: a b
serve: { port: -1, prt: 2 }
assets: { dir: . }
`);
    const places = found.map((line) => line.split(":").slice(1, 3).join(":"));
    expect(places).toEqual(["1:16", "4:3", "5:12", "8:3", "9:10", "10:16", "10:20", "11:16"]);
  });

  test("of an empty file are what is missing", async () => {
    for (const text of ["", "# nothing\n", "---\n"]) {
      const found = await problemsOf(text);
      expect(found.join("\n")).toContain("source");
      expect(found.length).toBeLessThanOrEqual(2);
    }
  });

  test.each([
    ["a: 1\na: 2\n", "2:1", "the key is repeated"],
    ["source:\n\turl: x\n", "2:1", "Indent with spaces"],
    ["source: [a\n", "2:1", "not valid YAML"],
    ["source:\n  url: demo:\n", "2:8", 'Write "demo:" in quotes'],
    ["source: !!js/function x\n", "1:9", "without a tag"],
    [`${source}---\nb: 1\n`, "2:1", "second document"],
    ["- source\n", "1:1", "expects keys such as source:"],
    ["just text\n", "1:1", "expects keys such as source:"],
    ["a: &x 1\nb: *x\n", "2:4", "not an alias"],
    ["source: &x\n  url: *x\n", "2:8", "not an alias"],
    ["source: *nowhere\n", "1:9", "alias"],
  ])("of YAML %j are found at %s", async (text, place, expected) => {
    const found = await problemsOf(text);
    expect(found.filter((line) => line.startsWith(`sync.config.yaml:${place}:`)).join("\n")).toContain(expected);
  });

  test.each([
    ["source: { token: abcd1234 }", "source needs url or region"],
    ["source: { url: 'demo:', region: eu, token: abcd1234 }", "source.region cannot be set together with url"],
    ["source: { url: 'demo:' }", "source.token is missing"],
    ["source: { url: 'demo:', token: 'a b' }", "source.token expects a token without spaces, not this text"],
    ["source: { url: 'demo:', token: [a] }", "source.token expects a token without spaces, not a list"],
    [
      "source: { url: 'demo:', token: demo, versions: [] }",
      "source.versions expects a list of published and draft with",
    ],
    ["source: { url: 'demo:', token: demo, languages: [de, de] }", "source.languages[1] expects each value once"],
    ["source: { url: 'demo:', token: demo, languages: [de, { code: de, fallback: fr }] }", "each language once"],
    ["source: { url: 'demo:', token: demo, languages: [{ code: de, fallback: de }] }", "[0] falls back to itself"],
    [
      "source: { url: 'demo:', token: demo, languages: [{ code: de, falback: fr }] }",
      "languages[0].falback expects only",
    ],
    ["source: { url: 'demo:', token: demo, languages: [de/at] }", "languages[0] expects a language code"],
    ["source: { url: 'demo:', token: demo, releases: [x1] }", "source.releases[0] expects an id, in digits only"],
    ["source: { url: 'demo:', token: demo, management: { token: abcd1234 } }", "source.management needs url"],
    ["source: { region: eu, token: abcd1234, management: { url: 'https://x.com' } }", "source.management needs token"],
    [
      "source: { region: eu, token: abcd1234, management: { token: abcd1234, webhookEndpoints: [1] } }",
      "needs spaceId",
    ],
    [
      "source: { region: eu, token: abcd1234, management: { spaceId: 1, webhookEndpoints: [1] } }",
      "needs token to read",
    ],
    ["source: { region: eu, token: abcd1234, management: { oauthToken: abcd1234 } }", "needs oauthUrl"],
    [`${source}assets: { hosts: ["https://x.com"] }`, "assets.hosts[0] expects a host name"],
    [`${source}assets: { baseUrl: "javascript:x" }`, "assets.baseUrl expects a path"],
    [`${source}output: { dir: . }`, "output.dir is the folder of this file, or contains it"],
    [`${source}output: { dir: ../.. }`, "output.dir is the folder of this file, or contains it"],
    [`${source}output: { dir: / }`, "output.dir is the folder of this file, or contains it"],
    [`${source}output: { dir: .git/modules }`, "output.dir is inside a .git folder"],
    [`${source}output: { dir: a/.GIT/b }`, "output.dir is inside a .git folder"],
    [`${source}content: { dir: output/content }`, "content.dir is output.dir, or inside it"],
    [`${source}content: { dir: a }\nassets: { dir: ./a/ }`, "assets.dir is also content.dir"],
    [`${source}resolve: { relations: [author] }`, "resolve.relations[0] expects component.field"],
    [
      `${source}resolve: { links: { home: / } }`,
      "resolve.links.home expects a slug such as home, a pattern such as */home, or a list of them",
    ],
    [`${source}queue: { timeout: 0 }`, "queue.timeout expects a duration such as 60s, from 100ms to 1h, not 0"],
  ])("%s: %s", async (text, expected) => {
    const found = await problemsOf(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });
});

describe("secrets", () => {
  test("of the file are masked from then on", async () => {
    await load(`
source:
  region: eu
  token: canary-space-token
  management: { token: canary-personal, oauthUrl: https://x.com, oauthToken: canary-oauth }
serve: { tokens: { public: [canary-public], preview: "canary-one, canary-two" } }
`);
    for (const name of ["space-token", "personal", "oauth", "public", "one", "two"]) {
      expect(redact(`x canary-${name} y`)).toBe("x [redacted] y");
    }
  });

  test("of the environment are in no problem", async () => {
    const env = { SITE_TOKEN: "canary-misplaced/secret" };
    const text = "source:\n  url: ${SITE_TOKEN}\n  token: x ${SITE_TOKEN}\nqueue:\n  prefer: ${SITE_TOKEN}\n";
    const found = await problemsOf(text, { env });
    expect(found).toHaveLength(3);
    expect(found.join("\n")).not.toContain("canary");
  });

  test("in an address do not stand in the problems", async () => {
    const found = await problemsOf(
      'source: { url: "https://me:canary1@x.com/?token=canary2", token: abcd1234, management: { oauthUrl: "https://x.com/?token=canary3", oauthToken: abcd1234 } }',
    );
    expect(found).toHaveLength(2);
    expect(found.join("\n")).not.toContain("canary");
  });

  test("the token of the demo counts as missing", async () => {
    await load(source);
    expect(redact("demo: is the demo space")).toBe("demo: is the demo space");
  });
});

describe("what keeps a space fresh", () => {
  test("schedule, webhooks, hooks and consumers are understood", async () => {
    const { schedule, webhooks, onCommit, consumers } = await load(`
${source}
schedule: { cron: "13 * * * *", timeZone: Europe/Vienna, jitter: 10s, maxAge: 2h }
webhooks: { secret: whsec_YS01ZWNyZXQtb2YtMTYtYnl0ZXM=, signature: standard, key: abcdefghijklmnopqrstuv }
onCommit: { site: { run: npm run build }, search: { run: [node, index.js, "", a, a], timeout: 5m } }
consumers: { keep: 7d }
`);
    expect({ schedule, webhooks, onCommit, consumers }).toEqual({
      schedule: { cron: "13 * * * *", timeZone: "Europe/Vienna", jitterMs: 10_000, maxAgeMs: 7_200_000 },
      webhooks: { secret: "whsec_YS01ZWNyZXQtb2YtMTYtYnl0ZXM=", signature: "standard", key: "abcdefghijklmnopqrstuv" },
      onCommit: {
        site: { run: "npm run build", timeoutMs: 1_800_000 },
        search: { run: ["node", "index.js", "", "a", "a"], timeoutMs: 300_000 },
      },
      consumers: { keepMs: 604_800_000 },
    });
  });

  test("reports invalid values with their place, and never shows a secret", async () => {
    const problems = await problemsOf(`
${source}
schedule: { every: 5m, cron: "* * * * *", timeZone: Europe/Viena, maxAge: 1s }
webhooks: { secret: "a secret", key: too-short-a-key }
onCommit: { ../site: { run: x }, empty: { run: [] } }
`);
    expect(problems).toEqual([
      expect.stringMatching(/:4:24: schedule.cron cannot be set together with every/),
      expect.stringMatching(/schedule.timeZone expects a time zone such as Europe\/Vienna, not "Europe\/Viena"/),
      expect.stringMatching(/schedule.maxAge expects a duration such as 1h, from 1m to 365d/),
      expect.stringMatching(/webhooks.secret expects a token without spaces, not this text/),
      expect.stringMatching(/webhooks.key expects at least 22 of the characters .*, not this text/),
      expect.stringMatching(/onCommit.*site.* expects the name of a consumer/),
      expect.stringMatching(/onCommit.empty.run expects a shell line, or a list of a program and its arguments/),
    ]);
  });
});

describe("a snapshot in a bucket", () => {
  test("is understood, with its defaults, and copies the assets that content names to the output folder", async () => {
    const { output, assets } = await load(`
${source}
assets: { download: true }
output:
  dir: out
  store: s3://team-content/site/main/
  s3: { endpoint: "http://127.0.0.1:9000/", region: eu-1, pathStyle: false, lease: 30s, cache: { dir: kept, maxBytes: 1GB } }
`);
    const { baseDir } = await load(source);
    expect(output.store).toEqual({
      bucket: "team-content",
      prefix: "site/main",
      endpoint: "http://127.0.0.1:9000",
      region: "eu-1",
      pathStyle: false,
      singleWriter: false,
      leaseMs: 30_000,
      cacheDir: join(baseDir, "kept"),
      cacheBytes: 1024 ** 3,
    });
    expect(assets.dir).toBe(join(baseDir, "out", "assets"));
    const plain = await load(`${source}\noutput: { store: s3://team-content }`);
    expect(plain.output.store).toEqual({
      bucket: "team-content",
      prefix: "",
      singleWriter: false,
      leaseMs: 60_000,
      cacheBytes: 5 * 1024 ** 3,
    });
    expect(plain.assets.dir).toBeUndefined();
    // No content names them.
    const store = "assets: { download: true }\noutput: { store: s3://team-content }";
    expect((await load(`${source}\n${store}\ncontent: { formats: [] }`)).assets.dir).toBeUndefined();
  });

  test("has an address without keys, and a prefix that stays in the bucket", async () => {
    const problem = async (store: string) => (await problemsOf(`${source}\noutput: { store: "${store}" }`))[0];
    expect(await problem("s3://Team_Content/x")).toMatch(/output.store expects a bucket of 3 to 63 characters/);
    expect(await problem("s3://team-content/a/../b")).toMatch(/output.store expects a prefix of letters/);
    expect(await problem("s3://key:secret@team-content/a")).toMatch(/output.store expects an address/);
    expect(await problem("https://team-content/a")).toMatch(/output.store expects an address such as s3:/);
  });
});
