import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import * as library from "../../src/index.js";
import * as astro from "../../src/site/adapters/astro.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { commitSample, story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const page = await readFile(resolve(import.meta.dirname, "../../docs/migrating.md"), "utf8");

test("docs/migrating.md imports names that the package exports", () => {
  const exported: Record<string, object> = { offprint: library, "offprint/astro": astro };
  const imports = [...page.matchAll(/^import \{ ([^}]+) \} from "(offprint[^"]*)";$/gm)];
  expect(imports.length).toBeGreaterThan(1);
  const unknown = imports.flatMap(([, names = "", from = ""]) =>
    names.split(", ").filter((name) => !Object.hasOwn(exported[from] ?? {}, name)),
  );
  expect(unknown).toEqual([]);
});

test("docs/migrating.md calls what a snapshot has", async () => {
  const output = await temporaryFolder();
  const { manifest } = await commitSample({ editions: { "published/default": [story(1)] } }, openFileStore(output));
  await using snapshot = await library.openSnapshot(output, { generation: manifest.generation });
  const named = new Set([...page.matchAll(/\bsnapshot\.(\w+)/g)].map(([, name = ""]) => name));
  expect(named.size).toBeGreaterThan(4);
  expect([...named].filter((name) => !(name in snapshot))).toEqual([]);
});
