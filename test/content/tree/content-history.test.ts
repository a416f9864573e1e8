import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSnapshot } from "../../../src/index.js";
import { type EditableStory, startEditableSpace, uuidOf } from "../../support/editable-space.js";
import { readOutputFile, sourceYaml, syncFolder } from "../../support/sync-folder.js";

const stories: EditableStory[] = [
  { name: "Home", slug: "home" },
  { name: "About", slug: "about" },
  { name: "Author", slug: "authors/ada" },
];

describe("after a sync", () => {
  test("a story whose file is renamed is listed when another one comes or goes whose path differs in case only", async () => {
    const space = await startEditableSpace({ stories: stories.map((story) => ({ ...story })) });
    const folder = await syncFolder(`${sourceYaml(space.url)}content: { formats: [markdown] }\n`);
    const changes = async () => JSON.parse(await readOutputFile(folder, "content/changes.json"));
    const about = { edition: "published/default", uuid: uuidOf("About"), full_slug: "about" };
    const renamed = `content/markdown/default/about~${uuidOf("About").slice(0, 8)}.md`;
    try {
      await folder.sync();
      await space.publish(({ stories: all }) => all.push({ name: "Twin", slug: "About" }));
      await folder.sync();
      expect(await readOutputFile(folder, renamed)).toContain("About");
      expect(await changes()).toMatchObject({ added: [{ uuid: uuidOf("Twin") }], changed: [], affected: [about] });
      await space.publish(({ stories: all }) => all.pop());
      await folder.sync();
      await expect(readOutputFile(folder, renamed)).rejects.toThrow();
      expect(await changes()).toMatchObject({ removed: [{ uuid: uuidOf("Twin") }], changed: [], affected: [about] });
      // Any other story that comes renames nothing.
      await space.publish(({ stories: all }) => all.push({ name: "Other", slug: "other" }));
      await folder.sync();
      expect(await changes()).toMatchObject({ added: [{ uuid: uuidOf("Other") }], affected: [] });
    } finally {
      await space.close();
    }
  });

  test("stories that carry a renamed term are listed: as changed if they show its name, else as affected", async () => {
    const leaf = { id: "1003", name: "harbour" };
    const middle = { id: "1002", name: "coast", children: [leaf] };
    const above = { id: "1001", name: "water", children: [middle] };
    const space = await startEditableSpace({
      taxonomies: [{ id: "1000", name: "topics", children: [above] }],
      stories: [
        { name: "Home", slug: "home", terms: ["1003"] },
        { name: "About", slug: "about", terms: ["1001"] },
        { name: "Plain", slug: "plain" },
      ],
    });
    const folder = await syncFolder(`${sourceYaml(space.url)}content: { formats: [json, markdown] }\n`);
    const [home, about] = ["Home", "About"].map((name) => {
      return { edition: "published/default", uuid: uuidOf(name), full_slug: name.toLowerCase() };
    });
    try {
      await folder.sync();
      await space.change(() => Object.assign(above, { name: "sea" }));
      await folder.sync();
      const page = await readOutputFile(folder, "content/markdown/default/home.md");
      expect(page).toContain('"path": "topics/sea/coast/harbour"');
      expect(JSON.parse(await readOutputFile(folder, "content/changes.json"))).toMatchObject({
        changed: [about],
        affected: [home],
      });
      const fresh = await syncFolder(`${sourceYaml(space.url)}content: { formats: [json, markdown] }\n`);
      await fresh.sync();
      expect(await readOutputFile(fresh, "content/markdown/default/home.md")).toBe(page);
    } finally {
      await space.close();
    }
  });

  test("redirects lead from every address that a story had to where it is now", async () => {
    const space = await startEditableSpace({ stories: stories.map((story) => ({ ...story })) });
    const folder = await syncFolder(sourceYaml(space.url));
    try {
      await folder.sync();
      await expect(readOutputFile(folder, "content/redirects.json")).rejects.toThrow();
      const move = async (slug: string) => {
        await space.publish(({ stories: [, about] }) => {
          if (about !== undefined)
            Object.assign(about, { slug, publishedAt: `2024-03-01T00:00:0${slug.length % 10}.000Z` });
        });
        await folder.sync();
      };
      await move("about-us");
      await move("company");
      const rules = await readOutputFile(folder, "content/_redirects");
      expect(rules).toBe("/about /company 301\n/about-us /company 301\n");
      expect(JSON.parse(await readOutputFile(folder, "content/redirects.json"))).toMatchObject([
        { edition: "published/default", uuid: uuidOf("About"), full_slug: "about", from: "/about", to: "/company" },
        { full_slug: "about-us", from: "/about-us", to: "/company" },
      ]);
      // An address that is in use again needs no redirect.
      await move("about");
      expect(await readOutputFile(folder, "content/_redirects")).toBe("/about-us /about 301\n/company /about 301\n");
    } finally {
      await space.close();
    }
  });

  test.each([
    ["content.dir", "cms", "content: { formats: [], dir: cms }\n"],
    ["assets.dir", "output/content", "content: { formats: [] }\nassets: { dir: public/cms }\n"],
  ])("without formats, %s makes the tree one of redirects", async (_, tree, settings) => {
    const space = await startEditableSpace({ stories: stories.map((story) => ({ ...story })) });
    const [folder, usual] = [
      await syncFolder(sourceYaml(space.url, settings)),
      await syncFolder(sourceYaml(space.url)),
    ];
    const filesOf = async () => (await readdir(join(folder.dir, tree))).filter((name) => !name.startsWith("."));
    try {
      for (const one of [folder, usual]) await one.sync();
      expect(await filesOf()).toEqual(["index.json"]);
      await space.publish(({ stories: all }) => Object.assign(all[1]!, { slug: "company" }));
      for (const one of [folder, usual]) await one.sync();
      expect((await filesOf()).sort()).toEqual(["_redirects", "index.json", "redirects.json"]);
      for (const name of ["_redirects", "redirects.json"]) {
        const text = await readFile(join(folder.dir, tree, name), "utf8");
        expect(text).toBe(await readOutputFile(usual, `content/${name}`));
      }
      const snapshot = await openSnapshot(folder.output, { config: join(folder.dir, "sync.config.yaml") });
      expect(await snapshot.redirects()).toEqual([{ from: "/about", to: "/company" }]);
      await snapshot.close();
      // With formats the same folder gets a whole tree.
      await folder.configure(sourceYaml(space.url, settings.replace("formats: []", "formats: [json]")));
      await folder.sync();
      expect(await filesOf()).toEqual(expect.arrayContaining(["redirects.json", "stories"]));
    } finally {
      await space.close();
    }
  });

  test("changes start from the generation that the content tree was of", async () => {
    const space = await startEditableSpace({ stories: stories.map((story) => ({ ...story })) });
    const folder = await syncFolder(sourceYaml(space.url));
    try {
      await folder.sync();
      const first = JSON.parse(await readOutputFile(folder, "content/changes.json"));
      const lists = { added: [], changed: [], removed: [], moved: [], affected: [] };
      expect(first).toEqual({ from: null, to: 1, full: true, ...lists });
      // A generation without content between.
      await folder.configure(`${sourceYaml(space.url)}content: { formats: [] }\n`);
      const edit = (name: string) =>
        space.publish(({ stories: all }) => {
          const story = all.find((one) => one.name === name);
          if (story !== undefined)
            Object.assign(story, { headline: `New ${name}`, publishedAt: "2024-03-01T00:00:00.000Z" });
        });
      await edit("Home");
      await folder.sync();
      await folder.configure(sourceYaml(space.url));
      await edit("About");
      const report = await folder.sync();
      const changes = JSON.parse(await readFile(join(folder.output, "content/changes.json"), "utf8"));
      expect({ from: changes.from, to: changes.to }).toEqual({ from: first.to, to: report.generation });
      expect(changes).not.toHaveProperty("full");
      expect(changes.changed.map(({ full_slug }: { full_slug: string }) => full_slug).sort()).toEqual([
        "about",
        "home",
      ]);
    } finally {
      await space.close();
    }
  });
});
