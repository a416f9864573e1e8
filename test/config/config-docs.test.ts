// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test.
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { configSchemaText } from "../../scripts/print-config-schema.js";
import { configTemplate, initFiles } from "../../src/cli/init/init-files.js";
import { loadConfig, loadSpaces } from "../../src/config/load/load-spaces.js";
import type { JsonSchema } from "../../src/lib/shape.js";

interface Key {
  description: string;
  default: unknown;
}

const schemaText = configSchemaText();

/** Every key of the schema with a value, by its dotted name. */
function schemaKeys(): Map<string, Key> {
  const keys = new Map<string, Key>();
  const waiting: [string, JsonSchema][] = [["", JSON.parse(schemaText)]];
  for (const [name, schema] of waiting) {
    const inside = Object.entries(schema.properties ?? {});
    if (typeof schema.additionalProperties === "object") inside.push(["*", schema.additionalProperties]);
    if (inside.length === 0 || name === "content.types") {
      keys.set(name, { description: schema.description ?? "", default: schema.default });
    }
    for (const [key, property] of inside) {
      if (typeof property === "object") waiting.push([name === "" ? key : `${name}.${key}`, property]);
    }
  }
  return keys;
}

async function documentedKeys(): Promise<Map<string, string>> {
  const page = await readFile("docs/configuration.md", "utf8");
  const rows = page.matchAll(/^\| `([a-zA-Z0-9.*]+)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm);
  return new Map([...rows].map(([, key = "", byDefault = ""]) => [key, byDefault]));
}

describe("docs/configuration.md", () => {
  test("documents every key of the schema, and no other", async () => {
    expect([...(await documentedKeys()).keys()].sort()).toEqual([...schemaKeys().keys()].sort());
  });

  test("says the defaults of the schema", async () => {
    const documented = await documentedKeys();
    for (const [name, key] of schemaKeys()) {
      const shown = Array.isArray(key.default) ? `[${key.default.join(", ")}]` : String(key.default);
      if (key.default === undefined) expect(documented.get(name)).not.toMatch(/^`[^`]+`$/);
      else expect(`${name} ${documented.get(name)}`).toBe(`${name} \`${shown}\``);
    }
  });

  test("shows only examples that work", async () => {
    const page = await readFile("docs/configuration.md", "utf8");
    const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) {
      await mkdir(join(folder, "sites"), { recursive: true });
      await writeFile(join(folder, "sites", "blog.yaml"), "source: { region: eu, token: token-of-blog }");
      await writeFile(join(folder, "sync.config.yaml"), example);
      await expect(loadSpaces({ cwd: folder, env: tokens })).resolves.toBeTruthy();
    }
  });
});

const tokens = {
  WEBHOOK_SECRET: "events-5ecret",
  OFFPRINT_TOKEN: "abcd-1234",
  OFFPRINT_URL: "https://api.example.com",
  PERSONAL_TOKEN: "abcd-2345",
  OAUTH_TOKEN: "abcd-3456",
  PUBLIC_TOKEN: "abcd-4567",
  NEWS_TOKEN: "abcd-5678",
  SHOP_TOKEN: "abcd-6789",
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "offprint-docs-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the JSON Schema", () => {
  test("in config/ is what scripts/print-config-schema.ts prints", async () => {
    expect(await readFile("config/sync.config.schema.json", "utf8")).toBe(schemaText);
  });

  test("lets a variable stand for any value", () => {
    const { retries } = JSON.parse(schemaText).properties.queue.properties;
    expect(retries).toMatchObject({ default: 5, anyOf: [{ type: "integer" }, { pattern: "\\$\\{" }] });
  });

  test("describes every key in a sentence", () => {
    for (const [name, key] of schemaKeys()) expect(`${name}: ${key.description}`).toMatch(/: \S.*\.$/);
  });
});

describe("the default of this repository", () => {
  test("reads the demo, and another space by the environment alone", async () => {
    await copyFile("sync.config.yaml", join(folder, "sync.config.yaml"));
    const options = { cwd: folder, env: {} };
    expect((await loadConfig(options)).source).toMatchObject({ url: "demo:", token: "demo" });
    const config = await loadConfig({ ...options, env: tokens });
    expect(config.source).toMatchObject({ url: "https://api.example.com", token: "abcd-1234" });
    expect(config.assets.download).toBe(true);
  });
});

describe("the token of the demo space", () => {
  const named = async (env: Record<string, string>, tokenOptional = false) => {
    await copyFile("sync.config.yaml", join(folder, "sync.config.yaml"));
    return loadConfig({ cwd: folder, env, tokenOptional });
  };

  test("is a missing token for any other space, and none where no upstream is asked", async () => {
    const env = { OFFPRINT_URL: "https://api.example.com" };
    await expect(named(env)).rejects.toMatchObject({
      problems: [{ message: expect.stringContaining("source.token is missing"), hint: expect.stringContaining("Set") }],
    });
    expect((await named(env, true)).source.token).toBe("");
  });

  test("does for a replica on this machine", async () => {
    expect((await named({ OFFPRINT_URL: "http://127.0.0.1:4400" })).source.token).toBe("demo");
  });
});

describe("what init writes", () => {
  test("is a configuration that works once its variables are set, and not before", async () => {
    for (const options of [{}, { region: "us" as const }, { url: "https://api.example.com/v2/cdn" }]) {
      await writeFile(join(folder, "sync.config.yaml"), configTemplate(options));
      await expect(loadConfig({ cwd: folder, env: tokens })).resolves.toMatchObject({ assets: { download: true } });
      await expect(loadConfig({ cwd: folder, env: {} })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    }
  });

  test("for the demo space needs no variable", async () => {
    await writeFile(join(folder, "sync.config.yaml"), configTemplate({ url: "demo:" }));
    const { source } = await loadConfig({ cwd: folder, env: {} });
    expect(source).toMatchObject({ url: "demo:", token: "demo" });
  });

  test("has no default in place of a secret, and names no demo", () => {
    for (const { text } of initFiles({ ci: "github" })) {
      expect(text).not.toContain("demo");
      expect(text).not.toMatch(/TOKEN:-/);
    }
  });

  test("refuses a region next to a url, and an invalid address", () => {
    expect(() => configTemplate({ region: "eu", url: "https://x.com" })).toThrow("A region and a url were given");
    expect(() => configTemplate({ url: "http://x.com" })).toThrow(/https/);
  });

  test("is an example of .env with every variable of the configuration, and a recipe for CI that hands them on", () => {
    const [config, env, workflow] = initFiles({ ci: "github" });
    const names = [...(config?.text ?? "").matchAll(/^\s*\w+: \$\{([A-Z_]+)\}/gm)].map((match) => match[1]);
    expect(names).toEqual(["OFFPRINT_URL", "OFFPRINT_TOKEN"]);
    for (const name of names) expect(env?.text).toContain(`\n${name}=\n`);
    const recipe: unknown = parse(workflow?.text ?? "");
    expect(recipe).toMatchObject({
      on: { schedule: [{ cron: "27,57 * * * *" }], workflow_dispatch: null },
      permissions: { contents: "read" },
    });
    for (const name of names) expect(workflow?.text).toMatch(new RegExp(`\\n +${name}: \\$\\{\\{ `));
  });
});
