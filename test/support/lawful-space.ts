import fc from "fast-check";
import type { StoryRecord } from "../../src/contract/records.js";
import type { SampleContent } from "./sample-snapshot.js";
import { linkOf, story, uuid } from "./sample-snapshot.js";

/** Words that values are made of: few, so that stories share them. */
export const words = ["red", "Red", "deep blue", "a-b", "true", "10", "9", "1.5", "2024-05-01 10:00", "ä", "*"];
const storyCount = 28;
const ids = Array.from({ length: storyCount }, (_, index) => index + 1);
export const storyIds: readonly number[] = ids;
export const languages = ["default", "de", "es-co"];
export const folders = ["", "blog/", "blog/old/", "de/"];
export const fieldNames = ["title", "price", "flag", "tags", "at", "nested.title", "body.0.title", "absent"];

const word = fc.constantFrom(...words);
const blank = fc.constantFrom(null, "", undefined);
const number = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.5, -0.5, 1e21), word);
const storyId = fc.constantFrom(...ids, 99);
const link = storyId.map((id) => ({ fieldtype: "multilink", linktype: "story", id: uuid(id), url: "" }));
const moment = fc.constantFrom(...[1, 2, 3].map((day) => `2024-0${day}-01T00:00:00.000Z`));

const content = fc.record(
  {
    component: fc.constantFrom("page", "post"),
    title: fc.oneof(word, word, blank),
    price: fc.oneof(number, number, blank),
    flag: fc.oneof(fc.boolean(), fc.constantFrom("true", "false"), blank),
    tags: fc.oneof(fc.array(word, { maxLength: 3 }), blank),
    at: fc.oneof(word, blank),
    nested: fc.oneof(fc.record({ title: fc.oneof(word, blank) }), blank),
    body: fc.array(fc.record({ component: fc.constant("post"), title: word, link }), { maxLength: 2 }),
    author: fc.oneof(storyId.map(uuid), fc.array(storyId.map(uuid), { maxLength: 12 })),
    image: fc.constantFrom({ fieldtype: "asset", id: 5, filename: "https://a.example/f/5.png" }, ""),
  },
  { requiredKeys: ["component"] },
);

/** All editions of a story share this. */
const root = fc.record({
  folder: fc.constantFrom(...folders),
  isStart: fc.boolean(),
  position: fc.integer({ min: -2, max: 2 }),
  created: moment,
  published: fc.option(moment),
  tags: fc.subarray(["red", "Deep Blue"]),
});

const body = fc.record({ content, name: word, isThere: fc.integer({ min: 0, max: 3 }), slug: fc.option(word) });

type Root = typeof root extends fc.Arbitrary<infer T> ? T : never;
type Body = typeof body extends fc.Arbitrary<infer T> ? T : never;

function recordOf(id: number, own: Root, { content: fields, name, slug: translated }: Body, lang: string): StoryRecord {
  const slug = `s${id}`;
  const plain = own.isStart && own.folder !== "" ? `${own.folder}${slug}/` : `${own.folder}${slug}`;
  const inLanguage = translated === null ? plain : `${own.folder}${translated.trim()}${id}`;
  return story(id, {
    ...{ slug, name, position: own.position, created_at: own.created, tag_list: own.tags },
    ...{ published_at: own.published, first_published_at: own.published, updated_at: own.created },
    is_startpage: own.isStart,
    full_slug: lang === "default" ? plain : `${lang}/${inLanguage}`,
    default_full_slug: lang === "default" ? null : plain,
    lang,
    content: { _uid: `u${id}`, ...fields },
  });
}

/** A space of 28 stories in three languages, with variants, links, datasources and tags. */
export const lawfulSpaces: fc.Arbitrary<SampleContent> = fc
  .array(fc.tuple(root, fc.array(body, { minLength: 4, maxLength: 4 })), {
    minLength: storyCount,
    maxLength: storyCount,
  })
  .map((made) => {
    const edition = (lang: string, at: number, isEverywhere = false) =>
      made.flatMap(([own, bodies], index) => {
        const { [at]: chosen } = bodies;
        const isThere = isEverywhere || chosen!.isThere > 0;
        return isThere ? [recordOf(index + 1, own, chosen!, lang)] : [];
      });
    const published = edition("default", 0);
    const entries = (value: string) => words.map((name, id) => ({ id, name, value, dimension_value: null }));
    const dimension = { id: 31, name: "German", entry_value: "de", datasource_id: 3 };
    return {
      space: { languages: languages.slice(1) },
      editions: {
        "published/default": published,
        "published/de": edition("de", 1),
        "published/es-co": edition("es-co", 2),
        "draft/default": edition("default", 3, true),
      },
      parts: {
        "variants/published/default": [story(200), story(201, { position: -1 })],
        "links/published": published.map((each, at) =>
          linkOf(each, { position: each.position ?? 0, parent_id: at % 3 }),
        ),
        datasources: [
          { id: 3, name: "Colours", slug: "colours", dimensions: [dimension] },
          { id: 4, name: "Red", slug: "reds", dimensions: [] },
        ],
        "entries/3": entries("plain"),
        "entries/3/31": entries("german"),
        "entries/4": entries("other"),
        "tags/published": ["red", "Deep Blue", "a-b"].map((name) => ({ name, taggings_count: 1 })),
      },
    };
  });
