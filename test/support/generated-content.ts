// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a field may be called so.
import fc from "fast-check";
import type { Blok, StoryRecord } from "../../src/contract/records.js";
import { story, uuid } from "./sample-snapshot.js";

/** Names that are no identifiers, collide as identifiers, or mean something to JavaScript. */
const components = ["page", "3-col", "class", "Página", "hero-a", "hero_a", "Story", "Record", "__proto__", "*/x", ""];
const fieldNames = [
  "title",
  "body",
  "constructor",
  "__proto__",
  "toString",
  "with space",
  "*/ alert(1)",
  "`${x}`",
  "10",
  "häkchen",
  "list",
];

/** How many stories a generated space has. */
const storyCount = 24;
/** Slugs with the values that some fields choose from. */
export const generatedOptions: Readonly<Record<string, readonly string[]>> = {
  colours: ["red", "blue", 'say "hi"', "*/ //"],
  "colours!": ["red", "blue", "green", "yellow", "\u2028\u202e"],
};

const words = fc.oneof(
  fc.constantFrom("", "red", "a text", "*/", "</script>", "\u2028", "\ud800"),
  fc.string({ maxLength: 8 }),
);
const link = fc.record(
  {
    id: fc.constantFrom("", ...[1, 2, 99].map(uuid)),
    url: fc.constantFrom("", "https://example.com"),
    cached_url: fc.constantFrom("", "a/b"),
    linktype: fc.constantFrom("story", "url", "email"),
    fieldtype: fc.constant("multilink"),
    target: fc.constantFrom(null, "_blank"),
    more: fc.boolean(),
  },
  { requiredKeys: ["linktype", "fieldtype"] },
);
const asset = fc.record(
  {
    id: fc.constantFrom(null, 5),
    filename: fc.constantFrom(null, "", "https://a.storyblok.com/f/1/20x30/a/b.png", "//a.storyblok.com/f/1/c.pdf"),
    alt: fc.constantFrom(null, "", "alt"),
    src: fc.constantFrom(null, 7),
    width: fc.constantFrom("", 5),
    meta_data: fc.record({ alt: words }, { requiredKeys: [] }),
    fieldtype: fc.constant("asset"),
  },
  { requiredKeys: ["fieldtype"] },
);
const plugin = fc.oneof(
  fc.record(
    { plugin: fc.constantFrom("seo", "Seo", "*/"), title: words, filename: words },
    { requiredKeys: ["plugin"] },
  ),
  fc.record({
    plugin: fc.constant("many"),
    data: fc.dictionary(fc.string({ maxLength: 3 }), fc.integer(), { minKeys: 0, maxKeys: 70 }),
  }),
);
const cell = fc.record({
  _uid: fc.constant("c"),
  component: fc.constant("_table_col"),
  value: fc.constantFrom("", "a", uuid(1)),
});
const table = fc.record(
  {
    fieldtype: fc.constant("table"),
    thead: fc.array(cell, { maxLength: 2 }),
    tbody: fc.array(fc.record({ component: fc.constant("_table_row"), body: fc.array(cell, { maxLength: 2 }) }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: ["thead", "tbody"] },
);
const reference = fc.integer({ min: 1, max: storyCount + 2 }).map(uuid);
const option = fc.constantFrom("", ...generatedOptions.colours!);

const { block } = fc.letrec<{ block: Blok; value: unknown; richText: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    words,
    fc.constantFrom(null, true, 7, 1.5, [], {}),
    fc.oneof(option, fc.array(option, { maxLength: 3 })),
    fc.oneof(reference, fc.array(reference, { maxLength: 3 })),
    fc.oneof(asset, fc.array(asset, { maxLength: 2 }), link, table, plugin),
    fc.array(tie("block"), { maxLength: 2 }),
    tie("richText"),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "linktype", "deep"), tie("value"), { maxKeys: 2 }),
  ),
  richText: fc.record({
    type: fc.constant("doc"),
    content: fc.array(
      fc.oneof(
        fc.record({
          type: fc.constant("paragraph"),
          content: fc.constant([{ type: "text", text: "t", marks: [{ type: "bold" }] }]),
        }),
        fc.record({ type: fc.constant("blok"), attrs: fc.record({ body: fc.array(tie("block"), { maxLength: 1 }) }) }),
        fc.constantFrom(
          { type: "paragraph", odd: 1 },
          { type: "image", attrs: { src: "https://a.storyblok.com/f/1/2x3/a/b.png" } },
        ),
      ),
      { maxLength: 2 },
    ),
  }),
  block: fc
    .record({
      component: fc.constantFrom(...components),
      fields: fc.uniqueArray(fc.tuple(fc.constantFrom(...fieldNames), tie("value")), {
        maxLength: 5,
        selector: ([name]) => name,
      }),
      uid: fc.constantFrom("uid", uuid(7)),
    })
    .map(
      ({ component, fields, uid }): Blok =>
        Object.fromEntries([["_uid", uid], ["component", component], ...fields]) as Blok,
    ),
}));

/** The stories of one space, whose fields hold values of every kind under every name. */
export const generatedStories: fc.Arbitrary<StoryRecord[]> = fc
  .array(block, { minLength: storyCount, maxLength: storyCount })
  .map((contents) => contents.map((content, at) => story(at + 1, { content, slug: `story-${at + 1}` })));

/** Records of the datasources of {@link generatedOptions}, by part name. */
export function optionParts(): Record<string, readonly unknown[]> {
  const slugs = Object.keys(generatedOptions);
  return {
    datasources: slugs.map((slug, at) => ({ id: at + 1, name: slug, slug })),
    ...Object.fromEntries(
      slugs.map((slug, at) => [
        `entries/${at + 1}`,
        generatedOptions[slug]!.map((value, index) => ({ id: 10 * at + index, name: value, value })),
      ]),
    ),
  };
}
