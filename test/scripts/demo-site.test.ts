import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectedDemoSite } from "../../scripts/demo-site.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("expects every story in each of its languages, under their names in HTML", async () => {
  const content = await temporaryFolder();
  const page = { component: "page", full_slug: "about/" };
  const editions = {
    "published/default": { ...page, url: "/about/" },
    "published/pt-br": { ...page, url: "/pt-br/sobre/" },
    "draft/default": { ...page, url: "/about/" },
  };
  await writeFile(join(content, "index.json"), JSON.stringify({ generation: 7 }));
  await writeFile(
    join(content, "links.json"),
    JSON.stringify([
      { slug: "about/", editions },
      { slug: "a", editions: {} },
    ]),
  );
  const expected = await expectedDemoSite(content, "https://press.example");
  expect(expected).toMatchObject({ origin: "https://press.example", generation: 7 });
  const translations = { en: "/about/", "pt-BR": "/pt-br/sobre/" };
  expect(expected.pages).toEqual([
    { url: "/about/", language: "en", translations, texts: [] },
    { url: "/pt-br/sobre/", language: "pt-BR", translations, texts: [] },
  ]);
  const isOwn = (path: string) => expected.own?.some((pattern) => pattern.test(path));
  expect(["/pt-br", "/journal/page/2", "/blog", "/pt-br/nada", "/journal/page/x"].map(isOwn)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
