import { expect, test } from "vitest";
import { openSnapshot } from "../../src/index.js";
import { contentHash } from "../../src/lib/content-hash.js";
import type { AssetRecord } from "../../src/snapshot/manifest.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { commitSample, story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const drawing = "https://a.storyblok.com/f/7/x/lamp.svg";
const bytes = Buffer.from("<svg/>");
const record: AssetRecord = {
  key: contentHash(drawing),
  url: drawing,
  hash: contentHash(bytes),
  name: "lamp.svg",
  type: "image/svg+xml",
  bytes: bytes.length,
  uses: 1,
  width: 120,
  height: 80,
};

test("images in texts and in address-only fields have their size in the body", async () => {
  const dir = await temporaryFolder();
  const content = {
    _uid: "u1",
    component: "page",
    text: `![In a text](${drawing})\n\n![Elsewhere](https://elsewhere.example/a.png)`,
    blocks: [{ _uid: "u2", component: "figure", image: drawing, image_alt: "In a block" }],
  };
  const stories = [story(1, { full_slug: "home", slug: "home", content })];
  await commitSample({ editions: { "published/default": stories }, assets: [{ record, bytes }] }, openFileStore(dir));
  await using snapshot = await openSnapshot(dir, { assetBaseUrl: "/cms" });
  const home = await snapshot.story("home", { body: true });
  const src = `/cms/${record.hash?.slice(0, 32)}/lamp.svg`;
  expect(home?.body?.match(/<img[^>]*>/g)).toEqual([
    `<img src="${src}" alt="In a text" width="120" height="80">`,
    '<img src="https://elsewhere.example/a.png" alt="Elsewhere">',
    `<img src="${src}" alt="In a block" width="120" height="80">`,
  ]);
});
