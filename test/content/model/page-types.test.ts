import { expect, test } from "vitest";
import { typesOfGeneration } from "../../../src/content/model/types-file.js";
import { typesText } from "../../../src/content/model/types-text.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { compileErrors } from "../../support/compile-types.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const stories = [
  story(1, { content: { _uid: "a", component: "author", name: "Ada" } }),
  story(2, { content: { _uid: "b", component: "article", headline: "One", author: uuid(1) } }),
];

/** What code of a site does with an entry of a collection, and with a page: it has the declarations of the package, and none of Node. */
const siteCode = `/// <reference lib="esnext.disposable" />
import type { SitePage } from "./dist/types/site/read-pages.js";
import type { Article } from "./cms.js";
declare const entry: { data: Record<string, unknown> };
declare const unknownEntry: { data: unknown };
declare const page: SitePage;
for (const article of [entry.data as SitePage<Article>, unknownEntry.data as SitePage<Article>, page as SitePage<Article>]) {
  const headline: string = article.content.headline;
  const addresses: string[] = article.translations.map(({ url }) => url);
  const { author } = article.content;
  const name: string = "content" in author ? author.content.name : author.name;
  [headline, addresses, name, article.url];
}
const any: SitePage = entry.data as SitePage<Article>;
export const wrong: number = (any as SitePage<Article>).content.headline;
`;

test("a page has content of a printed type: SitePage<Article>", { timeout: 60_000 }, async () => {
  const store = openFileStore(await temporaryFolder());
  const { manifest } = await commitSample({ editions: { "published/default": stories } }, store);
  const config = { ...sampleConfig, resolve: { ...sampleConfig.resolve, depth: 1 } };
  const types = await typesOfGeneration(store, manifest, config);
  const errors = compileErrors({ "cms.ts": typesText(types, "typescript"), "site.ts": siteCode });
  expect(errors).toEqual([expect.stringMatching(/^site\.ts:15 Type 'string' is not assignable to type 'number'/)]);
});
