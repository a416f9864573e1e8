import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editionName, parts } from "../../src/snapshot/layout.js";
import { kindOf, partKey, partKinds, requestsFor } from "../../src/snapshot/part-kinds.js";

const edition = editionName("published", null, "default");

/** A name as layout spells it; where it spells one by edition, version or id, of one of these. */
function nameOf(spelling: string | ((first: never, second: never) => string)): string {
  return typeof spelling === "string" ? spelling : spelling(edition as never, 8 as never);
}

const names = {
  stories: parts.stories(edition),
  variants: parts.variants(edition),
  links: parts.links("draft"),
  datasources: parts.datasources,
  space: parts.space,
  assets: parts.assets,
  "asset-metadata": parts.assetMetadata,
};

test("the kind of a part is its name up to the first slash, and every name that layout spells has one", () => {
  for (const [kind, name] of Object.entries(names)) expect(kindOf(name)).toBe(kind);
  const kinds = Object.values(parts).map((spelling) => kindOf(nameOf(spelling)) ?? "");
  expect(kinds.sort()).toEqual(Object.keys(partKinds).sort());
  expect(kindOf(parts.entries(7, null))).toBe("entries");
});

test("a part of a newer version, or with the name of an object property, has no kind and no key", () => {
  for (const name of ["workflows", "constructor/1", "__proto__", ""]) {
    expect(kindOf(name)).toBeUndefined();
    expect(partKey(name)).toBeNull();
    expect(requestsFor(name, { records: 5 })).toBe(0);
  }
});

test("stories, variants and links are keyed by uuid, assets by key; all others have their order", () => {
  expect([names.stories, names.variants, names.links].map(partKey)).toEqual(Array(3).fill("uuid"));
  expect(partKey(names.assets)).toBe("key");
  expect([names.datasources, parts.entries(1, null), names.space, names["asset-metadata"]].map(partKey)).toEqual(
    Array(4).fill(null),
  );
});

test("reading a part takes one request per page of its listing, and one for an empty part", () => {
  const requests = (name: string, records: number) => requestsFor(name, { records });
  expect([0, 1, 100, 101].map((records) => requests(names.stories, records))).toEqual([1, 1, 1, 2]);
  expect([0, 1_000, 1_001].map((records) => requests(names.links, records))).toEqual([1, 1, 2]);
  expect(requests(names.assets, 5)).toBe(0);
});

test("docs/snapshot-format.md lists a file, and keys or none, for every kind", async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/snapshot-format.md"), "utf8");
  for (const kind of Object.keys(partKinds)) expect(page).toMatch(new RegExp(`^snapshot/${kind}[/.]`, "m"));
  const [, unkeyed = ""] = /^A part \*\*without keys\*\* \(([^)]*)\)/m.exec(page) ?? [];
  const told = Object.keys(partKinds).filter((kind) => partKinds[kind as keyof typeof partKinds].key === null);
  expect(unkeyed.split(", ").sort()).toEqual(
    told.map((kind) => (kind === "asset-metadata" ? "metadata of assets" : kind)).sort(),
  );
});
