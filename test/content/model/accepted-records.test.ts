// @module-tag long
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { startDemo } from "../../../demo/start-demo.js";
import { typesText } from "../../../src/content/model/types-text.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { compileErrors, runModule } from "../../support/compile-types.js";
import { generatedStories, optionParts } from "../../support/generated-content.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample } from "../../support/sample-snapshot.js";
import { sourceYaml, syncFolder } from "../../support/sync-folder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { type TypedSpace, typedSpace } from "../../support/typed-space.js";

/** A generated space; each has other settings. */
async function generatedSpace(seed: number, settings: { depth: number; richText: "document" | "html" }) {
  const [stories = [], drafts = []] = fc.sample(generatedStories, { seed, numRuns: 2 });
  const dir = await temporaryFolder();
  const editions = { "published/default": stories, "draft/de": drafts.slice(0, 8) };
  await commitSample({ editions, parts: optionParts() }, openFileStore(dir));
  return typedSpace(dir, {
    ...sampleConfig,
    resolve: { ...sampleConfig.resolve, depth: settings.depth },
    content: { ...sampleConfig.content, richText: settings.richText },
  });
}

async function demoSpace(): Promise<TypedSpace> {
  const demo = await startDemo();
  try {
    const folder = await syncFolder(`${sourceYaml('"demo:"')}content: { formats: [] }\n`);
    await folder.sync({ source: { url: demo.url, hostMap: demo.assetHosts } });
    return await typedSpace(folder.output, await folder.config());
  } finally {
    await demo.close();
  }
}

/** The records as literals: a compiler says of each whether it is of its type, and knows all of its keys. */
function literals(name: string, records: readonly StoryRecord[]): string {
  const lines = records.map((record, at) => {
    return `export const story${at}: Story<${JSON.stringify(record.content?.component)}> = ${JSON.stringify(record)};`;
  });
  return [`import type { Story } from "./${name}.js";`, ...lines].join("\n");
}

function schemaOfZod({ types }: TypedSpace): z.ZodType {
  const { StorySchema } = runModule(typesText(types, "zod"), { "zod/v4": { z } });
  return StorySchema as z.ZodType;
}

function validatorOf({ types }: TypedSpace) {
  return new Ajv2020({ ownProperties: true }).compile(JSON.parse(typesText(types, "json-schema")));
}

/** A record in which one field of the content has become an object that it never was. */
function planted(record: StoryRecord): StoryRecord {
  return { ...record, content: { ...record.content!, _uid: { planted: true } as never } };
}

let made: Promise<Record<string, TypedSpace>> | undefined;

/** The spaces, made by the first test that asks for them. */
function allSpaces(): Promise<Record<string, TypedSpace>> {
  made ??= makeSpaces();
  return made;
}

async function makeSpaces(): Promise<Record<string, TypedSpace>> {
  return {
    demo: await demoSpace(),
    references: await generatedSpace(1, { depth: 0, richText: "document" }),
    embedded: await generatedSpace(2, { depth: 2, richText: "document" }),
    html: await generatedSpace(3, { depth: 1, richText: "html" }),
  };
}

describe("every record of the demo space and of three generated spaces", () => {
  test("is of its type, as tsc --strict says", { timeout: 60_000 }, async () => {
    const files = Object.entries(await allSpaces()).flatMap(([name, { types, tree, read }]) => [
      [`${name}.ts`, typesText(types, "typescript")],
      [`${name}-stories.ts`, literals(name, name === "demo" ? tree : [...tree, ...read])],
    ]);
    expect(compileErrors(Object.fromEntries(files), "small").slice(0, 5)).toEqual([]);
  });

  test("is accepted by zod, and refused with another value planted in it", async () => {
    for (const space of Object.values(await allSpaces())) {
      const schema = schemaOfZod(space);
      for (const record of [...space.tree, ...space.read]) expect(schema.safeParse(record).error).toBeUndefined();
      expect(schema.safeParse(planted(space.tree[0]!)).success).toBe(false);
    }
  });

  test("is accepted by the JSON Schema, and refused with another value planted in it", async () => {
    for (const space of Object.values(await allSpaces())) {
      const validate = validatorOf(space);
      for (const record of [...space.tree, ...space.read]) expect(validate(record) ? [] : validate.errors).toEqual([]);
      expect(validate(planted(space.tree[0]!))).toBe(false);
    }
  });

  test("has zod schemas of the printed types for any names", { timeout: 60_000 }, async () => {
    const { references, html } = await allSpaces();
    const text = (space: TypedSpace | undefined) => typesText(space!.types, "zod");
    expect(compileErrors({ "references.ts": text(references), "html.ts": text(html) }).slice(0, 5)).toEqual([]);
  });
});
