import { expect, test } from "vitest";
import { exploreSample } from "../../support/explore-sample.js";
import { story, uuid } from "../../support/sample-snapshot.js";

test("a story names the stories that its relations and links have lost, and tells what became of them", async () => {
  const link = { fieldtype: "multilink", linktype: "story", id: uuid(8), cached_url: "shops" };
  const unknown = { ...link, id: uuid(9), cached_url: "" };
  const naming = story(1, { content: { _uid: "a", component: "page", author: uuid(7), link, unknown } });
  const lost = [
    story(7, { name: "Clara", full_slug: "authors/clara" }),
    story(8, { name: "Shops", full_slug: "shops" }),
  ];
  const { get } = await exploreSample([
    { editions: { "published/default": [naming, ...lost] } },
    { editions: { "published/default": [naming] } },
  ]);
  const { text } = await get(`stories/${uuid(1)}`);
  const [shown = ""] = text.split("The raw record");
  expect(shown).toContain("&quot;Clara&quot; (authors/clara), deleted or unpublished between generations 1 and 2");
  expect(shown).toContain("&quot;Shops&quot; (shops), deleted or unpublished between generations 1 and 2");
  expect(shown).toContain(`${uuid(9)} (no such story)`);
  expect(shown).not.toContain(uuid(7));
});
