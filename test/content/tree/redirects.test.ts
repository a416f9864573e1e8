import { expect, test } from "vitest";
import { siteUrl } from "../../../src/content/resolve/link-pattern.js";
import type { ContentChanges } from "../../../src/content/tree/content-changes.js";
import type { EditionPlan } from "../../../src/content/tree/plan-edition.js";
import { collectRedirects, redirectRules } from "../../../src/content/tree/redirects.js";
import { compareStories } from "../../../src/snapshot/compare-stories.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { commitSample, story, uuid } from "../../support/sample-snapshot.js";

const links = { pattern: "/{slug}", home: "home" };

test("a story whose real path changes is moved, and its old path leads to the new one", async () => {
  const store = createMemoryStore();
  const edition = "published/default";
  const at = (path: string | null) => ({ editions: { [edition]: [story(1, { full_slug: "content/a", path })] } });
  const before = await commitSample(at("offers"), store);
  const after = await commitSample(at("services"), store);
  const compared = await compareStories(store, before.manifest, after.manifest);
  expect(compared.moved).toEqual([
    { edition, uuid: uuid(1), full_slug: "content/a", from: "content/a", fromPath: "offers" },
  ]);
  const changes: ContentChanges = { from: 1, to: 2, ...compared };
  const plan = {
    entry: { name: edition },
    stories: new Map([[uuid(1), { url: "/services" }]]),
    url: (address: Parameters<typeof siteUrl>[0]) => siteUrl(address, "default", links),
  } as unknown as EditionPlan;
  const found = collectRedirects(undefined, changes, [plan]);
  expect(redirectRules(found)).toBe("/offers /services 301\n");
  // The file of the last export keeps it.
  const kept = collectRedirects(Buffer.from(JSON.stringify(found)), undefined, [plan]);
  expect(kept).toEqual(found);
  // A path of null is no move from or to anything.
  expect((await compareStories(store, before.manifest, before.manifest)).moved).toEqual([]);
});
