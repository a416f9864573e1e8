import { describe, expect, test } from "vitest";
import { demoSpace } from "../../demo/demo-space.js";
import { space } from "../../demo/space.js";
import type {
  DatasourceRecord,
  ExperimentRecord,
  LinkRecord,
  StoryRecord,
  TagRecord,
  TaxonomyTermRecord,
} from "../../src/contract/records.js";
import { storiesOf, termsOf } from "../../src/contract/term-tree.js";

const demo = demoSpace();

function records<T>(part: string): T[] {
  const lines = demo.parts[part];
  if (lines === undefined) throw new Error(`no part ${part}`);
  return lines.map((line) => JSON.parse(line) as T);
}

const published = records<StoryRecord>("stories/published/default");
const draft = records<StoryRecord>("stories/draft/default");
const bySlug = new Map(draft.map((story) => [story.full_slug, story]));
const byUuid = new Map(published.map((story) => [story.uuid, story]));

function contentOf(slug: string): Record<string, unknown> {
  const content = bySlug.get(slug)?.content;
  if (content === undefined) throw new Error(`no story ${slug}`);
  return content;
}

/** Returns all objects of a value, including itself. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside];
}

describe("the demo space as a whole", () => {
  test("is the same in every build", () => {
    expect(demoSpace().parts).toEqual(demo.parts);
    expect(demoSpace().editions).toEqual(demo.editions);
  });

  test("is canonical JSON", () => {
    for (const line of Object.values(demo.parts).flat()) expect(JSON.stringify(JSON.parse(line))).toBe(line);
  });

  test("has a flat taxonomy and a deep one, whose terms a third of the stories carry", () => {
    const trees = records<TaxonomyTermRecord>("terms");
    const paths = trees.map((tree) =>
      [...termsOf(tree)].map(({ record, above }) => [...above, record].map((one) => one.name).join("/")),
    );
    expect(paths[0]).toContain("topics/land/alps/österreich");
    expect(paths[1]).toEqual(["audiences", "audiences/readers", "audiences/the trade"]);
    const carried = published.filter(({ taxonomy_terms: terms = [] }) => terms.length > 0).length;
    expect(carried / published.length).toBeGreaterThan(0.33);
    expect(carried / published.length).toBeLessThan(0.37);
  });

  test("names in each tree the stories that show the term, and never an archived term", () => {
    const shown = new Map<string, number[]>();
    const known = new Set(draft.map(({ id }) => id));
    for (const { id, taxonomy_terms: terms = [] } of draft) {
      for (const term of terms) shown.set(term.id, [...(shown.get(term.id) ?? []), id]);
    }
    for (const tree of records<TaxonomyTermRecord>("terms")) {
      for (const { record } of termsOf(tree)) {
        const told = (storiesOf(record) ?? []).filter((id) => known.has(id));
        expect([record.name, told]).toEqual([record.name, (shown.get(record.id) ?? []).sort((a, b) => a - b)]);
      }
    }
    expect(JSON.stringify(Object.values(demo.parts))).not.toContain('subscribers"');
  });

  test("has more than 300 published stories, and unique ids, uuids and slugs", () => {
    expect(published.length).toBeGreaterThan(300);
    const links = records<LinkRecord>("links/draft");
    for (const list of [draft, links]) {
      expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
      expect(new Set(list.map(({ uuid }) => uuid)).size).toBe(list.length);
    }
    for (const edition of ["published/default", "published/de", "published/pt-br", "draft/de", "draft/pt-br"]) {
      const slugs = records<StoryRecord>(`stories/${edition}`).map((story) => story.full_slug);
      expect(new Set(slugs).size).toBe(slugs.length);
    }
  });

  test("spreads its uuids evenly", () => {
    const first = new Map<string, number>();
    for (const { uuid } of published) first.set(uuid.charAt(0), (first.get(uuid.charAt(0)) ?? 0) + 1);
    expect(first.size).toBe(16);
    expect(Math.max(...first.values())).toBeLessThan(published.length / 6);
  });

  test("has no time after its cv", () => {
    const latest = new Date(demo.cv * 1000).toISOString();
    for (const lines of Object.values(demo.parts)) {
      for (const time of lines.join("").match(/"[a-z_]+_at":"\d{4}-[^"]+Z"/g) ?? []) {
        expect(time.slice(time.indexOf(":") + 2, -1) < latest).toBe(true);
      }
    }
  });

  test("names no port, and only its own invented hosts", () => {
    for (const lines of Object.values(demo.parts)) {
      const text = lines.join("\n");
      expect(text).not.toMatch(/127\.0\.0\.1|localhost/);
      for (const [host] of text.matchAll(/(?<=https?:\/\/)[^/"?#) ]+/g)) expect(host).toMatch(/\.example$/);
    }
  });

  test("has ids above 2^32, and a release id above 2^31", () => {
    expect(published.some(({ id }) => id > 2 ** 32)).toBe(true);
    expect(published.some(({ id }) => id < 2 ** 31)).toBe(true);
    expect(space.release).toBeGreaterThan(2 ** 31);
  });

  test("has negative positions, tags, metadata, sort dates, and 0 as the parent at the root", () => {
    expect(published.some(({ position }) => position !== undefined && position < 0)).toBe(true);
    expect(published.filter(({ tag_list }) => (tag_list?.length ?? 0) > 0).length).toBeGreaterThan(100);
    expect(published.some(({ meta_data }) => meta_data !== null)).toBe(true);
    expect(published.some(({ sort_by_date }) => typeof sort_by_date === "string")).toBe(true);
    expect(
      new Set(
        published
          .filter(({ full_slug }) => !full_slug.replace(/\/$/, "").includes("/") && full_slug.at(-1) !== "/")
          .map(({ parent_id }) => parent_id),
      ),
    ).toEqual(new Set([0]));
    for (const part of ["links/published", "links/draft"]) {
      expect(records<LinkRecord>(part).filter(({ parent_id }) => typeof parent_id !== "number")).toEqual([]);
    }
  });
});

describe("folders and start pages", () => {
  const links = records<LinkRecord>("links/published");
  const folders = links.filter(({ is_folder }) => is_folder);

  test("folders nest at least two levels deep and are never published", () => {
    expect(folders.length).toBeGreaterThan(20);
    expect(folders.some(({ slug }) => slug.split("/").length >= 2)).toBe(true);
    for (const folder of folders) expect(folder).toMatchObject({ published: false, is_startpage: false });
  });

  test("a start page has a trailing slash and is in its folder", () => {
    const startpages = published.filter(({ is_startpage }) => is_startpage);
    expect(startpages.length).toBeGreaterThan(10);
    for (const story of startpages) {
      const folder = folders.find(({ slug }) => `${slug}/` === story.full_slug);
      expect(folder?.id).toBe(story.parent_id);
    }
    expect(folders.some(({ slug }) => !bySlug.has(`${slug}/`))).toBe(true);
  });

  test("each story is in the folder that its slug names", () => {
    const byId = new Map(folders.map((folder) => [folder.id, folder]));
    for (const story of published.filter(({ parent_id }) => parent_id)) {
      const folder = byId.get(story.parent_id ?? 0);
      expect(story.full_slug).toBe(story.is_startpage ? `${folder?.slug}/` : `${folder?.slug}/${story.slug}`);
    }
  });

  test("links and stories agree on slug, parent and times", () => {
    for (const version of ["published", "draft"]) {
      const rows = new Map(records<LinkRecord>(`links/${version}`).map((link) => [link.uuid, link]));
      const stories = records<StoryRecord>(`stories/${version}/default`);
      expect(rows.size).toBe(stories.length + folders.length);
      for (const story of stories) {
        expect(rows.get(story.uuid)).toMatchObject({
          id: story.id,
          slug: story.full_slug,
          parent_id: story.parent_id,
          published_at: story.published_at,
          updated_at: story.updated_at,
          is_startpage: story.is_startpage,
        });
      }
    }
  });
});

describe("languages", () => {
  const german = records<StoryRecord>("stories/published/de");
  const portuguese = records<StoryRecord>("stories/published/pt-br");

  test("some stories lack a language, and drafts exist in all", () => {
    expect(german.length).toBeLessThan(published.length);
    expect(portuguese.length).toBeLessThan(german.length);
    expect(portuguese.length).toBeGreaterThan(50);
    for (const language of ["de", "pt-br"]) expect(records(`stories/draft/${language}`)).toHaveLength(draft.length);
  });

  test("slugs are translated along the whole path after the language", () => {
    const book = german.find(({ default_full_slug }) => default_full_slug === "books/shore/the-harbour-lights");
    expect(book).toMatchObject({
      lang: "de",
      full_slug: "de/buecher/kueste/die-hafenlichter",
      slug: "die-hafenlichter",
      name: "Die Hafenlichter",
    });
    for (const story of german) expect(byUuid.get(story.uuid)?.full_slug).toBe(story.default_full_slug);
  });

  test("an untranslated field has the value of the default language", () => {
    const book = german.find(({ default_full_slug }) => default_full_slug === "books/shore/the-harbour-lights");
    expect(book?.content?.title).toBe("Die Hafenlichter");
    expect(book?.content?.teaser).toBe(contentOf("books/shore/the-harbour-lights").teaser);
  });

  test("links have a name, a flag and a slug for each language, and never null", () => {
    const rows = records<LinkRecord>("links/draft").flatMap(({ alternates }) => alternates ?? []);
    expect(new Set(rows.map(({ published: flag }) => flag))).toEqual(new Set([true, false]));
    for (const { name, translated_slug: slug, path } of rows) {
      expect([typeof name, typeof slug]).toEqual(["string", "string"]);
      expect(path.replace(/\/$/, "").split("/").at(-1)).toBe(slug);
    }
  });

  test("translated slugs show all three states of a translation, and null if it is missing", () => {
    const states = draft.flatMap(({ translated_slugs }) => translated_slugs ?? []).map(({ published }) => published);
    expect(new Set(states)).toEqual(new Set([true, false, null]));
    expect(published.some(({ translated_slugs }) => translated_slugs === null)).toBe(true);
    for (const story of published) {
      const told = story.translated_slugs?.some(({ lang, published }) => lang === "de" && published === true);
      if (told) expect(german.some(({ uuid }) => uuid === story.uuid)).toBe(true);
    }
  });

  test("alternates reference each other", () => {
    const visit = bySlug.get("about/visit");
    expect(visit?.alternates).toEqual([
      expect.objectContaining({ full_slug: "austria/besuch", published: true, is_folder: false }),
    ]);
    expect(bySlug.get("austria/besuch")?.alternates?.[0]?.id).toBe(visit?.id);
    expect(bySlug.get("austria/besuch")?.group_id).toBe(visit?.group_id);
    expect(bySlug.get("about/jobs")?.alternates?.[0]?.published).toBe(false);
  });
});

describe("drafts and the release", () => {
  test("drafts differ from the published stories, also in updated_at", () => {
    const changed = draft.filter((story) => {
      const other = byUuid.get(story.uuid);
      return other !== undefined && other.updated_at !== story.updated_at;
    });
    expect(changed.length).toBeGreaterThan(8);
    for (const story of changed) {
      const text = JSON.stringify(story).replace(/,"_editable":"(?:[^"\\]|\\.)*"/g, "");
      expect(text).not.toBe(JSON.stringify({ ...byUuid.get(story.uuid), updated_at: story.updated_at }));
      expect((story.updated_at ?? "") > (byUuid.get(story.uuid)?.updated_at ?? "")).toBe(true);
    }
  });

  test("some stories were never published, and one is unpublished", () => {
    const hidden = draft.filter(({ uuid }) => !byUuid.has(uuid));
    expect(hidden.filter((story) => story.first_published_at === null).length).toBeGreaterThan(2);
    expect(hidden.some((story) => story.published_at === null && story.first_published_at !== null)).toBe(true);
  });

  test("every block of a draft is editable, even in rich text and tables; no published block is", () => {
    const blocks = draft
      .flatMap(({ content }) => objectsIn(content))
      .filter(({ component }) => typeof component === "string");
    expect(blocks.some(({ component }) => component === "_table_col")).toBe(true);
    for (const block of blocks) expect(block._editable).toMatch(/^<!--.*-->$/);
    expect(demo.parts["stories/published/default"]?.join("")).not.toContain("_editable");
  });

  test("the release changes some stories and adds two", () => {
    const inRelease = records<StoryRecord>(`stories/draft@${space.release}/default`);
    const known = new Set(draft.map(({ uuid }) => uuid));
    expect(inRelease.filter(({ release_id }) => release_id === space.release).length).toBeGreaterThan(4);
    expect(inRelease.filter(({ uuid }) => !known.has(uuid))).toHaveLength(2);
    expect(inRelease).toHaveLength(known.size + 2);
    const german = records<StoryRecord>(`stories/draft@${space.release}/de`);
    const home = german.find(({ default_full_slug }) => default_full_slug === "home");
    expect(home?.content?.intro).toBe("Das Herbstprogramm ist da");
  });
});

describe("relations", () => {
  const relations = (story: StoryRecord | undefined, field: string) =>
    (story?.content?.[field] as string[] | undefined)?.map((uuid) => byUuid.get(uuid));

  test("go two levels deep, and form a circle", () => {
    const article = byUuid.get(bySlug.get("journal/2024/the-last-night-of-a-lamp")?.uuid ?? "");
    const author = relations(article, "authors")?.[0];
    const book = relations(author, "books")?.[0];
    expect(book?.content?.component).toBe("book");
    expect(relations(book, "authors")).toContain(author);
  });

  test("one story has more than 50, and one points to a missing story", () => {
    expect(
      relations(
        published.find(({ slug }) => slug === "the-whole-backlist"),
        "books",
      )?.length,
    ).toBeGreaterThan(50);
    expect(
      relations(
        published.find(({ slug }) => slug === "a-colour-called-number-nine"),
        "books",
      ),
    ).toContain(undefined);
  });
});

describe("content", () => {
  test("one story shows every node and every mark of rich text", () => {
    const nodes = objectsIn(contentOf("style-guide/rich-text").text).filter(({ type }) => typeof type === "string");
    const types = new Set(nodes.map(({ type }) => type));
    for (const type of [
      "doc",
      "paragraph",
      "heading",
      "text",
      "blockquote",
      "list_item",
      "bullet_list",
      "ordered_list",
      "code_block",
      "hard_break",
      "horizontal_rule",
      "image",
      "emoji",
      "blok",
      "table",
      "tableRow",
      "tableCell",
      "tableHeader",
      "bold",
      "italic",
      "strike",
      "underline",
      "code",
      "superscript",
      "subscript",
      "link",
      "highlight",
      "textStyle",
      "styled",
      "anchor",
    ])
      expect(types).toContain(type);
    const attrs = nodes.map((node) => node.attrs as Record<string, unknown> | undefined);
    const values = (name: string) => new Set(attrs.map((attr) => attr?.[name]));
    for (const level of [1, 2, 3, 4, 5, 6, null]) expect(values("level")).toContain(level);
    for (const linktype of ["story", "url", "email", "asset", null]) expect(values("linktype")).toContain(linktype);
    for (const align of ["center", "right", "justify"]) expect(values("textAlign")).toContain(align);
    expect(values("dir")).toContain("rtl");
    expect(values("colspan")).toContain(3);
    expect(values("rowspan")).toContain(2);
    expect(values("body")).toContain(null);
    expect(values("order")).toContain(3);
  });

  test("one story shows every documented shape of a field", () => {
    const fields = contentOf("style-guide/fields");
    expect(fields).toMatchObject({
      number_text: "24",
      number_empty: "",
      number_real: 42.5,
      boolean_false: false,
      datetime: "2024-02-29 17:00",
      datetime_empty: "",
      options: ["sewn", "cloth"],
      options_unset: "",
      image_null: null,
      asset: { fieldtype: "asset", is_private: false, is_external_url: false },
      asset_empty: { id: null, filename: "" },
      asset_null: { filename: null, is_private: "" },
      asset_external: { id: null, is_external_url: true },
      link_story: { linktype: "story", anchor: "reviews" },
      link_url: { linktype: "url", custom: "on" },
      link_email: { linktype: "email", email: "hello@lumenpress.example" },
      link_asset: { linktype: "asset" },
      link_empty: { id: "", url: "" },
      table: {
        thead: [{ component: "_table_head" }, {}],
        tbody: [{ component: "_table_row", body: [{ component: "_table_col" }, {}] }, {}],
      },
      plugin: { plugin: "palette" },
      plugin_without_uid: { plugin: "rating" },
      seo: { plugin: "seo_metatags", og_title: "" },
    });
    expect(fields.image_old).toMatch(
      /^\/\/assets\.lumenpress\.example\/f\/290817\/320x180\/[0-9a-f]{10}\/press-room\.png$/,
    );
    expect(fields.multi_asset).toHaveLength(3);
    expect((fields.multi_asset as object[])[2]).not.toHaveProperty("fieldtype");
    expect(fields.link_old).not.toHaveProperty("fieldtype");
    expect(fields.markdown).toContain("*lists*");
    expect(fields.table).not.toHaveProperty("fieldtype");
  });

  test("every block has a unique _uid within its story", () => {
    for (const story of draft) {
      const uids = objectsIn(story.content)
        .filter((object) => "_uid" in object)
        .map(({ _uid }) => _uid);
      for (const uid of uids) expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(new Set(uids).size).toBe(uids.length);
    }
  });

  test("every asset is in the library once, at a path of the documented form", () => {
    const urls = new Set(demo.assets.map(({ url }) => url));
    expect(new Set(demo.assets.map(({ id }) => id)).size).toBe(demo.assets.length);
    const named = Object.values(demo.parts)
      .flat()
      .join("")
      .matchAll(/\/\/assets\.lumenpress\.example(\/f\/290817\/(?:\d+x\d+|x)\/[0-9a-f]{10}\/[\w.-]+)/g);
    const paths = new Set([...named].map(([, path]) => `https://assets.lumenpress.example${path}`));
    expect([...paths].filter((url) => !urls.has(url))).toEqual([]);
    expect(paths.size).toBeGreaterThan(150);
  });
});

describe("the other parts", () => {
  test("datasources have dimensions, more than 25 entries, untranslated entries, and one is empty", () => {
    const datasources = records<DatasourceRecord>("datasources");
    const countries = datasources.find(({ slug }) => slug === "countries");
    expect(countries?.dimensions).toHaveLength(2);
    expect(records(`entries/${countries?.id}`).length).toBeGreaterThan(25);
    const translated = records<{ dimension_value: string | null }>(
      `entries/${countries?.id}/${countries?.dimensions?.[1]?.id}`,
    );
    expect(translated.some(({ dimension_value }) => dimension_value === null)).toBe(true);
    expect(translated.some(({ dimension_value }) => dimension_value === "Áustria")).toBe(true);
    expect(datasources.some(({ id }) => records(`entries/${id}`).length === 0)).toBe(true);
    for (const { id, dimensions = [] } of datasources) {
      for (const dimension of dimensions)
        expect(records(`entries/${id}/${dimension.id}`)).toHaveLength(records(`entries/${id}`).length);
    }
  });

  test("the running experiment maps stories to their variants, which are not stories", () => {
    const [experiment] = records<ExperimentRecord>("experiments");
    const variants = records<StoryRecord>("variants/published/default");
    const mappings = experiment?.variants?.find(({ is_control }) => !is_control)?.story_mappings ?? [];
    expect(mappings).toHaveLength(2);
    for (const { original_story_id, variant_story_id, variant_slug } of mappings) {
      expect(published.some(({ id }) => id === original_story_id)).toBe(true);
      expect(variants.some(({ id, full_slug }) => id === variant_story_id && full_slug === variant_slug)).toBe(true);
      expect(draft.some(({ id }) => id === variant_story_id)).toBe(false);
    }
    const control = experiment?.variants?.find(({ is_control }) => is_control)?.story_mappings ?? [];
    expect(control.map(({ variant_story_id }) => variant_story_id)).toEqual([null, mappings[1]?.original_story_id]);
  });

  test("tags are counted over the stories of the version", () => {
    for (const { name, taggings_count } of records<TagRecord>("tags/published")) {
      expect(published.filter(({ tag_list }) => tag_list?.includes(name))).toHaveLength(taggings_count);
    }
  });
});

describe("references", () => {
  test("every link of a draft has a target, except the deleted book", () => {
    const known = new Set(draft.map(({ uuid }) => uuid));
    const targets = draft
      .flatMap(({ content }) => objectsIn(content))
      .flatMap((object) => {
        if (object.linktype !== "story") return [];
        return [object.fieldtype === "multilink" ? object.id : object.uuid].filter((uuid) => uuid !== "");
      });
    expect(targets.length).toBeGreaterThan(300);
    expect(new Set(targets.filter((uuid) => !known.has(String(uuid)))).size).toBe(1);
  });
});
