import { expect, test } from "vitest";
import { runCheck } from "../../../src/content/check/run-check.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, story, uuid } from "../../support/sample-snapshot.js";

const shops = story(2, { name: "Shops", full_slug: "shops" });
const visit = story(1, {
  name: "Visit us",
  full_slug: "visit",
  content: {
    _uid: "a",
    component: "page",
    body: [{ _uid: "b", component: "teaser", related: [shops.uuid] }],
    text: {
      type: "doc",
      content: [
        {
          type: "paragraph",
          content: [
            {
              type: "text",
              text: "our shops",
              marks: [{ type: "link", attrs: { linktype: "story", uuid: shops.uuid, href: "/shops" } }],
            },
          ],
        },
      ],
    },
  },
});

test("findings name the target as a kept generation knew it, the field and the text of the link", async () => {
  const store = createMemoryStore();
  await commitSample({ editions: { "published/default": [visit, shops] } }, store);
  await commitSample({ editions: { "published/default": [visit] } }, store);
  const config = { ...sampleConfig, editor: { url: "https://cms.example.com/{space}/{id}" } };
  const { findings = [] } = (await runCheck(store, { config })) ?? {};
  const found = (code: string) => findings.find((finding) => finding.code === code);
  const names = {
    story: { name: "Visit us", slug: "visit" },
    target: { uuid: uuid(2), name: "Shops", slug: "shops", state: "gone", between: [1, 2] },
    editor: "https://cms.example.com/7/1",
  };
  expect(found("LINK_DEAD")).toMatchObject({
    field: "text.content[0].content[0].marks[0].attrs",
    message: `A link names story ${uuid(2)}, which this edition does not have.`,
    target: uuid(2),
    names: {
      ...names,
      message: 'The link "our shops" leads to "Shops" (shops), deleted or unpublished between generations 1 and 2.',
      field: "Text › Paragraph 1",
      link: "our shops",
    },
  });
  expect(found("RELATION_DANGLING")).toMatchObject({
    field: "body[0].related[0]",
    names: {
      ...names,
      message: 'The value names "Shops" (shops), deleted or unpublished between generations 1 and 2.',
      field: "Body › Teaser 1 › Related 1",
    },
  });
});

test("a dead link that nothing knows names the address that it has saved, and the start of the uuid", async () => {
  const link = (cached_url: string) => ({
    fieldtype: "multilink",
    linktype: "story",
    id: uuid(3),
    url: "",
    cached_url,
  });
  const content = { _uid: "a", component: "page", saved: link("/company/old-team/"), none: link("") };
  const store = createMemoryStore();
  await commitSample({ editions: { "published/default": [story(1, { content })] } }, store);
  const { findings = [] } = (await runCheck(store, { config: sampleConfig })) ?? {};
  const told = findings.flatMap(({ code, field, names }) => (code === "LINK_DEAD" ? [[field, names?.message]] : []));
  expect(told).toEqual([
    ["none", `A link names story ${uuid(3)}, which this edition does not have.`],
    ["saved", `A link leads to company/old-team (${uuid(3).slice(0, 8)}…), which this edition does not have.`],
  ]);
});
