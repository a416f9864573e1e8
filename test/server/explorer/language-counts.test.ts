import { expect, test } from "vitest";
import { openFactCache } from "../../../src/content/check/fact-cache.js";
import { readSpace } from "../../../src/content/check/read-checked-space.js";
import { languageUsage } from "../../../src/content/check/usage/usage.js";
import { prefix } from "../../../src/server/explorer/parts/page.js";
import { exploreSample } from "../../support/explore-sample.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, type SampleContent, story } from "../../support/sample-snapshot.js";

const content = (text: string, more: object = {}) => ({ _uid: "a", component: "page", text, ...more });
const editable = { _editable: "<!--a-->" };
const of = (id: number, text: string, more: object = {}) => story(id, { content: content(text), ...more });

/** 1 is translated, 2 has the same text, German lacks 3; 4 is a draft; 5 and 6 have changed; 7 only has marks. */
const sample: SampleContent = {
  editions: {
    "published/default": [of(1, "one"), of(2, "two"), of(3, "three"), of(5, "five"), of(6, "six"), of(7, "seven")],
    "published/de": [of(1, "eins"), of(2, "two"), of(5, "fünf"), of(6, "sechs"), of(7, "sieben")],
    "draft/default": [
      ...[of(1, "one"), of(2, "two"), of(3, "three"), of(4, "four"), of(5, "5"), of(6, "six", { name: "New name" })],
      story(7, { content: content("seven", editable) }),
    ],
    "draft/de": [of(1, "eins"), of(2, "two"), of(4, "vier"), of(5, "fünf"), of(6, "sechs"), of(7, "sieben")],
  },
};

test("counts the stories of each language by state, and each number leads to the list of them", async () => {
  const { get, json } = await exploreSample([sample]);
  const { languages, isComplete } = await json("languages.json");
  expect(isComplete).toBe(true);
  expect(languages).toEqual([
    { language: "default", published: 6, draft: 1, changed: 2, missing: null, same: null },
    { language: "de", published: 5, draft: 1, changed: 0, missing: 1, same: 1 },
  ]);
  const { text } = await get("languages");
  const cells = Array.from(
    text.matchAll(/<a href="\/_explorer\/(stories\?[^"]+)">([\d,]+)<\/a>/g),
    ([, href, count]) => ({
      href: href!.replaceAll("&amp;", "&"),
      count: Number(count),
    }),
  );
  expect(cells.map(({ count }) => count)).toEqual([6, 1, 2, 5, 1, 0, 1, 1]);
  for (const { href, count } of cells) {
    expect([href, (await json(href.replace("?", ".json?"))).total]).toEqual([href, count]);
  }
  const named = async (query: string) =>
    (await json(`stories.json?${query}`)).stories.map(({ name }: { name: string }) => name);
  expect(await named("version=draft&state=changed")).toEqual(["Story 5", "New name"]);
  expect(await named("version=draft&lacks=de&state=missing")).toEqual(["Story 3"]);
  expect(await named("version=draft&lacks=de")).toEqual(["Story 2", "Story 3"]);
});

test.each(["published", "draft"] as const)(
  "`offprint usage language` names the %s stories that it counts",
  async (version) => {
    const editions = Object.fromEntries(Object.entries(sample.editions).filter(([name]) => name.startsWith(version)));
    const { store, manifest } = await commitSample({ editions });
    const cache = await openFactCache(store, sampleConfig.resolve);
    const space = await readSpace(store, manifest, cache, { config: sampleConfig, version });
    const usage = await languageUsage(store, space, "de");
    const { json } = await exploreSample([{ editions }]);
    const named = async (state: string) =>
      (await json(`stories.json?version=${version}&lacks=de&state=${state}`)).stories.map(
        ({ full_slug }: { full_slug: string }) => full_slug,
      );
    const slugs = (stories: readonly { slug: string }[] = []) => stories.map(({ slug }) => slug).sort();
    expect(slugs(usage?.untranslated?.missing)).toEqual(await named("missing"));
    expect(slugs(usage?.untranslated?.same)).toEqual(await named("same"));
    expect(slugs(usage?.users)).toEqual(
      [1, 4, 5, 6, 7].filter((id) => id !== 4 || version === "draft").map((id) => `story-${id}`),
    );
    expect(usage).toMatchObject({
      times: version === "draft" ? 5 : 4,
      untranslated: { of: version === "draft" ? 7 : 6 },
    });
    expect(await languageUsage(store, space, "default")).toMatchObject({ times: version === "draft" ? 7 : 6 });
    expect(await languageUsage(store, space, "fr")).toBeUndefined();
  },
);

test("without drafts in the snapshot, compares what is published and counts no drafts", async () => {
  const { "published/default": own, "published/de": german } = sample.editions;
  const { get, json } = await exploreSample([{ editions: { "published/default": own!, "published/de": german! } }]);
  expect((await json("languages.json")).languages).toEqual([
    { language: "default", published: 6, draft: null, changed: null, missing: null, same: null },
    { language: "de", published: 5, draft: null, changed: null, missing: 1, same: 1 },
  ]);
  expect((await get("stories")).text).toContain(`href="${prefix}/languages"`);
});

test("compares again only what another generation changed, in either edition", async () => {
  const { editions } = sample;
  const german = [...editions["published/de"]!.slice(1), of(1, "one")];
  const counted = async (changed: SampleContent["editions"]) => {
    const { json } = await exploreSample([sample, { editions: { ...editions, ...changed } }]);
    return (await json("languages.json")).languages;
  };
  const [, before] = await counted({});
  expect(before).toMatchObject({ same: 1, changed: 0, draft: 1 });
  const [, ofOther] = await counted({ "published/de": german });
  expect(ofOther).toMatchObject({ same: 1, changed: 1, draft: 1 });
  const [own] = await counted({ "draft/default": editions["draft/default"]!.slice(1) });
  expect(own).toMatchObject({ changed: 2, draft: 1 });
  const [, missing] = await counted({ "draft/de": editions["draft/de"]!.slice(1) });
  expect(missing).toMatchObject({ missing: 2, same: 1 });
});

test("shows 20 languages on a page", async () => {
  const codes = Array.from({ length: 25 }, (_, number) => `l${number}`);
  const editions = Object.fromEntries(["default", ...codes].map((code) => [`published/${code}`, [of(1, code)]]));
  const { json } = await exploreSample([{ editions }]);
  expect((await json("languages.json")).languages).toHaveLength(20);
  expect(await json("languages.json?page=2")).toMatchObject({ total: 26, isComplete: true });
});
