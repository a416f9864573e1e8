import fc from "fast-check";
import matter from "gray-matter";
import { describe, expect, test } from "vitest";
import type { ContentTarget } from "../../../src/config/config.js";
import { storyMarkdown } from "../../../src/content/render/story-markdown.js";
import { targets } from "../../../src/content/render/targets.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { parsedMarkdown, visibleText } from "../../support/parsed-markdown.js";
import { story } from "../../support/sample-snapshot.js";
import { readCommonMark, readers, readHugo, readJekyll } from "../../support/target-readers.js";

const names = Object.keys(targets) as ContentTarget[];

/** What some generator takes for a program, for markup of its own, or for front matter. */
const hostile = [
  ..."*_`~|<>[]()#-+!&\\:;$%{}=.@'\"^/",
  ..."a1 \n",
  ...["{{ 1 + 1 }}", "{{{", "}}}", "{{ $doc.x }}", "{% raw %}", "{% badtag %}", "{%", "%}"],
  ...["{% endraw %}", "{%- endraw -%}", "{%\nendraw\n%}", "endraw %}", "{: .red}", "{::comment}", "$$x$$", "*[a]: b"],
  ...["{{< x >}}", "{{% x %}}", "{{</* x */>}}", "{{<", "{{%", ">}}", "%}}", "{{</*", "*/>}}"],
  ...["::alert", ":::tip", ":::", ":x[y]", ":x{a=b}", "#slot", "{.red}", "{#id onclick=x}", "[a]{.b}", ": term"],
  ...[":tada:", ":100:", ":)", "8-)", "<3", ";)", "10:30:45"],
  ...["<script>", "<b>", "</div>", "<Foo/>", "<!-- more -->", "<!--more-->", "<!--@include: /etc/hostname-->"],
  ...["<<< @/x", "[[toc]]", "> [!NOTE]", "[^1]", "---", "---js", "+++", "http://x.y", "www.x.y", "![a](b)"],
];
const text = fc.array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
const marks = fc.constantFrom<object[]>(
  [],
  [{ type: "bold" }],
  [{ type: "underline" }],
  [{ type: "link", attrs: { href: "/a{b}:c{{< d >}}", linktype: "url" } }],
  [{ type: "link", attrs: { href: "/a{{< b >}}", target: "_blank", linktype: "url" } }],
  [{ type: "link", attrs: { href: "/a", linktype: "url", custom: { title: 'a "{{ b }}" {{< c >}} :d[e]{.f}' } } }],
  [
    {
      type: "link",
      attrs: { href: "/a", linktype: "url", custom: { title: "{{< a", rel: "{{ b }}", "data-c": ":d[e]" } },
    },
  ],
);
const block = fc.tuple(text, marks, fc.nat(5)).map(([value, marked, place]) => {
  const node = { type: "text", text: value, marks: marked };
  const paragraph = { type: "paragraph", content: [node] };
  const blocks = [
    paragraph,
    { type: "heading", attrs: { level: 2 }, content: [node] },
    { type: "bullet_list", content: [{ type: "list_item", content: [paragraph] }] },
    { type: "blockquote", content: [paragraph] },
    { type: "table", content: [{ type: "tableRow", content: [{ type: "tableHeader", content: [paragraph] }] }] },
    { type: "code_block", attrs: { class: "language-js{{<x>}}" }, content: [{ type: "text", text: value }] },
  ];
  return { value, block: blocks[place] };
});

function written(name: ContentTarget, content: object, more: Partial<StoryRecord> = {}): string {
  const target = targets[name];
  const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map(), target };
  const record = story(1, { ...more, content: { _uid: "a", component: "article", ...content } });
  return storyMarkdown(record, { url: "/blog/first", setting: undefined, target, context: () => context });
}

function bodyOf(file: string): string {
  return matter(file, {}).content;
}

/** The text below the title, if the target's body begins with it. */
function belowTitle(name: ContentTarget, value: string): string {
  return targets[name].titleInBody ? value.trim().replace(/^Story 1/, "") : value;
}

/** White space is laid out differently by each reader. */
function words(value: string): string {
  return value.replace(/\s+/g, " ").trim();
}

describe.each(names)("for %s", (name) => {
  const read = readers[name];

  test("text of rich text is read back as that text, and nothing of it is run", () => {
    fc.assert(
      fc.property(block, ({ value, block: node }) => {
        const body = bodyOf(written(name, { text: { type: "doc", content: [node] } }));
        const found = read(body);
        expect(found.programs).toEqual([]);
        expect(words(belowTitle(name, found.text))).toBe(words(value));
      }),
      { numRuns: 250 },
    );
  });

  test("the body is Markdown that says the same to a reader of CommonMark", () => {
    fc.assert(
      fc.property(block, ({ value, block: node }) => {
        const body = bodyOf(written(name, { text: { type: "doc", content: [node] } }));
        const first = { hugo: readHugo, jekyll: readJekyll } as Partial<typeof readers>;
        const shown = (first[name] ?? readCommonMark)(body).text;
        expect(words(belowTitle(name, shown))).toBe(words(value));
      }),
      { numRuns: 200 },
    );
  });

  test("front matter is read back, for any field name and value", () => {
    const field = fc.constantFrom(
      ..."title,url,slug,id,tags,date,layout,permalink,path,body,params,content,head,draft,pagination,eleventyComputed,override:tags,__proto__,yes".split(
        ",",
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(field, text), { maxLength: 4 }), (fields) => {
        const given = new Map(fields);
        const { data } = matter(written(name, Object.fromEntries(given)), {});
        const found = JSON.stringify(data);
        // A title of blanks is none: the name of the story is used.
        if (/^[\s\u200b-\u200d\u2060\ufeff]*$/.test(given.get("title") ?? "")) given.delete("title");
        for (const [key, value] of given)
          if (key !== "body" && key !== "content") expect(found).toContain(JSON.stringify(value));
        expect(data.title).toBe(given.get("title") ?? "Story 1");
      }),
      { numRuns: 200 },
    );
  });
});

function nested(fields: object, depth: number): object {
  const block = { _uid: "", component: "card", ...fields };
  return depth === 0 ? block : { _uid: "", component: "grid", items: [nested(fields, depth - 1)] };
}

describe.each(names)("in blocks, at any depth, for %s", (name) => {
  const read = readers[name];
  // What looks like Markdown is taken as Markdown: its text is another one.
  const plain = text.filter((value) => !/\n|\]\(|\*\*|:\/\/|www\./.test(value));
  const place = fc.constantFrom(
    (value: string) => ({ headline: value }),
    (value: string) => ({ intro: `Aa ${value}` }),
    (value: string) => ({ quote: `Aa ${value}`, author: value }),
    (value: string) => ({ facts: [`Aa ${value}`, `Bb ${value}`] }),
    (value: string) => ({ table: { thead: [{ value }], tbody: [{ body: [{ value }] }] } }),
    (value: string) => ({ code: `${value}\nend` }),
    (value: string) => ({ label: `Aa ${value}`, link: { linktype: "url", url: "/a", cached_url: "/a" } }),
    (value: string) => ({ image: { fieldtype: "asset", filename: "/a.png", alt: value }, caption: `Aa ${value}` }),
  );

  test("plain texts run nothing", () => {
    fc.assert(
      fc.property(plain, place, fc.nat(3), (value, fields, depth) => {
        const { programs } = read(bodyOf(written(name, { body: [nested(fields(value), depth)] })));
        expect(programs).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test("a plain text is read back as that text", () => {
    fc.assert(
      fc.property(plain, fc.nat(3), (value, depth) => {
        const shown = `Aa ${value.trim()} zz`;
        const found = read(bodyOf(written(name, { body: [nested({ intro: shown }, depth)] })));
        expect(words(belowTitle(name, found.text))).toBe(words(shown));
      }),
      { numRuns: 150 },
    );
  });
});

test.each(names.filter((name) => targets[name].runsInMarkdown !== undefined))(
  "Markdown in blocks runs nothing, at any depth, for %s",
  (name) => {
    const field = fc.constantFrom("text", "body", "content");
    fc.assert(
      fc.property(text, field, fc.nat(3), (value, key, depth) => {
        const body = [nested({ [key]: value, caption: "Aa" }, depth)];
        const { programs } = readers[name](bodyOf(written(name, { body })));
        // A comment that ends the summary is an editor's own word in a Markdown field.
        expect(programs.filter((program) => !/^<!--\s*more/.test(program))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  },
);

describe("front matter", () => {
  const more = { slug: "first", tag_list: ["a"], position: 3, first_published_at: "2024-01-02T03:04:05.678Z" };
  const data = (name: ContentTarget) => matter(written(name, { layout: "x", teaser: "yes" }, more), {}).data;

  test("of Astro has dates, and no key that would change the id or the layout of the entry", () => {
    expect(data("astro")).toMatchObject({
      pubDate: new Date("2024-01-02T03:04:05.678Z"),
      draft: false,
      tags: ["a"],
      story_slug: "first",
      content_layout: "x",
    });
    expect(Object.keys(data("astro"))).not.toContain("slug");
    expect(Object.keys(data("astro"))).not.toContain("layout");
  });

  test("of Eleventy keeps Liquid away and says where the page is", () => {
    expect(data("eleventy")).toMatchObject({
      templateEngineOverride: "md",
      permalink: "/blog/first/",
      date: "2024-01-02T03:04:05.678Z",
      content_layout: "x",
    });
  });

  test("of Hugo has every key where each version reads it, and no reserved key from a field", () => {
    expect(data("hugo")).toMatchObject({
      title: "Story 1",
      url: "/blog/first/",
      type: "article",
      weight: 4,
      draft: false,
      ...{ component: "article", content_layout: "x", teaser: "yes", full_slug: "first", story_slug: "first" },
    });
    for (const key of ["params", "slug", "lang", "layout"]) expect(Object.keys(data("hugo"))).not.toContain(key);
  });

  test("of Hugo has weights that keep the order of negative, zero and positive positions, and none of 0", () => {
    const weightAt = (position: number) => matter(written("hugo", {}, { ...more, position }), {}).data.weight;
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        const [weightA, weightB] = [weightAt(a), weightAt(b)];
        expect(Math.sign(weightA - weightB)).toBe(Math.sign(a - b));
        expect(weightA).not.toBe(0);
      }),
      {
        examples: [
          ...[-10, -1, 0, 1, 10].flatMap((a): [number, number][] => [
            [a, 0],
            [0, a],
          ]),
        ],
        numRuns: 30,
      },
    );
    expect([-10, -1, 0, 1].map(weightAt)).toEqual([-10, -1, 1, 2]);
  });

  test("of Hugo ignores case in names, and writes lists of texts where Hugo reads them", () => {
    const fields = {
      Draft: true,
      NAME: "n",
      aliases: ["/x"],
      Categories: ["a"],
      images: [{ id: 1 }],
      description: "d",
    };
    const { data } = matter(written("hugo", fields), {});
    expect(data).toMatchObject({
      ...{ draft: false, content_Draft: true, name: "Story 1", content_NAME: "n", content_aliases: ["/x"] },
      ...{ Categories: ["a"], content_images: [{ id: 1 }], description: "d" },
    });
  });

  test.each(["astro", "hugo", "nuxt"] as const)("of %s hides what is not published, and nothing else", (name) => {
    const drafts = (["unpublished", "changed", "published"] as const).map((publication) => {
      const options = { url: "/a", setting: undefined, target: targets[name], publication };
      const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map() };
      return matter(storyMarkdown(story(1), { ...options, context: () => context }), {}).data.draft;
    });
    expect(drafts).toEqual([true, true, false]);
  });

  test.each([
    [true, [false, false, false]],
    [false, [true, true, false]],
  ])(
    "of Hugo hides the page of a folder only where nothing below it is published: %j",
    (hasPublishedBelow, expected) => {
      const drafts = (["unpublished", "changed", "published"] as const).map((publication) => {
        const options = { url: "/a", setting: undefined, target: targets.hugo, publication, hasPublishedBelow };
        const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map() };
        return matter(storyMarkdown(story(1), { ...options, context: () => context }), {}).data.draft;
      });
      expect(drafts).toEqual(expected);
    },
  );

  test("of Jekyll says where the page is and hides what is not published, and takes no reserved key from a field", () => {
    expect(data("jekyll")).toMatchObject({
      ...{ permalink: "/blog/first/", published: true, date: "2024-01-02T03:04:05.678Z", tags: ["a"] },
      ...{ story_name: "Story 1", story_id: 1, story_slug: "first", content_layout: "x" },
    });
    for (const key of ["name", "slug", "id", "layout"]) expect(Object.keys(data("jekyll"))).not.toContain(key);
    const options = { url: "/a:b/c", setting: undefined, target: targets.jekyll, publication: "changed" as const };
    const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map() };
    const file = storyMarkdown(story(1), { ...options, context: () => context });
    expect(matter(file, {}).data).toMatchObject({ published: false, permalink: "/a%3Ab/c/" });
  });

  test("of VitePress and Nuxt leaves their own keys alone", () => {
    expect(data("vitepress")).toMatchObject({ content_layout: "x", url: "/blog/first" });
    expect(data("nuxt")).toMatchObject({ content_layout: "x", path: "/blog/first", story_id: 1 });
    expect(Object.keys(data("nuxt"))).not.toContain("id");
  });

  test("of a page whose slug climbs or has braces leads to no other place and runs nothing", () => {
    const target = targets.eleventy;
    const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map(), target };
    const file = storyMarkdown(story(1), {
      url: "https://example.com/../%2E%2E/a%20b/%7B%7B%20x%20%7D%7D",
      setting: undefined,
      target,
      context: () => context,
    });
    expect(matter(file, {}).data.permalink).toBe("/%2E%2E/%2E%2E/a b/%7B%7B%20x%20%7D%7D/");
  });
});

test("an emoticon in a table is text for VitePress: the table takes the backslash before its bar", () => {
  const paragraph = { type: "paragraph", content: [{ type: "text", text: "a :| b" }] };
  const table = {
    type: "table",
    content: [{ type: "tableRow", content: [{ type: "tableHeader", content: [paragraph] }] }],
  };
  const { text } = readers.vitepress(bodyOf(written("vitepress", { text: { type: "doc", content: [table] } })));
  expect(words(text)).toBe("Story 1 a :| b");
});

test.each(["[^1]:x[y]*", "[a][^1] ![b][^1]\n\n[^1]: x[y]"])(
  "a link whose name begins like a footnote runs nothing for Nuxt: %j",
  (value) => {
    expect(readers.nuxt(bodyOf(written("nuxt", { text: value }))).programs).toEqual([]);
  },
);

test("code of shortcodes stays code for Hugo where it is whole, and becomes HTML where it is not", () => {
  const code = (value: string) => ({
    text: { type: "doc", content: [{ type: "code_block", content: [{ type: "text", text: value }] }] },
  });
  expect(bodyOf(written("hugo", code("{{< figure >}}")))).toBe("```\n{{</* figure */>}}\n```\n");
  expect(bodyOf(written("hugo", code("{{< figure")))).toBe("<pre><code>&#123;&#123;&#60; figure</code></pre>\n");
});

// The others read a Markdown field as plain Markdown: there is nothing in it that they could run.
test.each(["hugo", "vitepress", "nuxt", "jekyll"] as const)("for %s nothing of a Markdown field is run", (name) => {
  fc.assert(
    fc.property(text, (value) => {
      const { programs } = readers[name](bodyOf(written(name, { text: value })));
      // Dividing the summary off is what an editor of Markdown means by it.
      expect(programs.filter((program) => !program.startsWith("<!--"))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

/**
 * The tags and outputs that Liquid runs in a text, by its own rules: it cuts the text at `{%…%}` and `{{…}}`, and a raw
 * block ends at the first piece that ends with an `endraw` tag, whatever stands before it in the piece.
 */
function liveLiquid(body: string): string[] {
  const live: string[] = [];
  let isRaw = false;
  for (const [piece] of body.matchAll(/\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}?|\{\{|\{%/g)) {
    const name = /\{%-?\s*(\w+)\s*[^{]*-?%\}$/.exec(piece)?.[1];
    if (isRaw) isRaw = name !== "endraw";
    else if (name === "raw") isRaw = true;
    else live.push(piece);
  }
  return isRaw ? [...live, "never ended"] : live;
}

describe("definitions of a Markdown field, for Jekyll", () => {
  const endings = [
    "{% endraw %}",
    "{%- endraw -%}",
    "{%endraw%}",
    "{{ site.x }}",
    "{% include_relative a %}",
    "\\",
    "b",
  ];
  const piece = fc.array(fc.constantFrom(...endings, " ", "{", "%}", "&#123;"), { minLength: 1, maxLength: 4 });
  const part = piece.map((parts) => parts.join(""));
  const shape = fc.constantFrom<(one: string, two: string, three: string) => string>(
    (a, b, c) => `[${a}]: <https://x/${b}> '${c}'\n\n[${a}]`,
    (a, b, c) => `[c]: <${a}> "${b}"\n\n![${c}][c]`,
    (a, b, c) => `> [c]: /x (${a})\n\n[${b}][c] ${c}\n\n[c]: <${b}>`,
    (a, b, c) => `- [${a}][]\n\n[${a}]: x${b.replaceAll(" ", "")} '${c}'`,
    (a, b, c) => `[^${a}]: <${b}>\n\n[^${a}] ![${c}][^${a}]`,
    (a, b, c) => `<a href="${a}" title='${b}'>${c}</a> <!-- ${a} -->`,
    (a, b, c) => `\`${a}\`\n\n~~~${b}\n${c}\n~~~\n\n<https://x/${a.replaceAll(" ", "")}> [a](<${b}> '${c}')`,
  );

  test("nothing in them is run by Liquid", () => {
    fc.assert(
      fc.property(part, part, part, shape, fc.boolean(), (a, b, c, markdown, isInBlock) => {
        const value = markdown(a, b, c);
        const content = isInBlock ? { body: [{ _uid: "", component: "card", text: value }] } : { text: value };
        expect(liveLiquid(bodyOf(written("jekyll", content)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("are written where they are referred to, the first of each name", () => {
    const value = "[A][a] ![c][a] {{%}\n\n> [a]: /one 'T{'\n\n[a]: /two";
    expect(bodyOf(written("jekyll", { text: value }))).toContain('<a href="/one" title="T&#123;">A</a>');
    expect(bodyOf(written("jekyll", { text: value }))).toContain('<img src="/one" alt="c" title="T&#123;">');
    expect(bodyOf(written("jekyll", { text: value }))).not.toContain("/two");
  });

  test("do not make a page long by being referred to often", () => {
    const value = `{%}\n\n[a]: /${"x".repeat(50_000)}\n\n${"[a]\n".repeat(400)}`;
    expect(written("jekyll", { text: value }).length).toBeLessThan(1_000_000);
  });
});

test("no text ends the raw block of Jekyll, in any construct", () => {
  const target = { ...targets.jekyll, runsInMarkdown: /(?!)/ };
  const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map(), target };
  const body = "[a]: </{% endraw %}> '{%-endraw-%}'\n\n`{%\n\tendraw%}` {{ x }}";
  const record = story(1, { content: { _uid: "a", component: "article", body } });
  const file = storyMarkdown(record, { url: "/a", setting: undefined, target, context: () => context });
  expect(bodyOf(file)).toContain("&#123;% endraw %}");
  expect(liveLiquid(bodyOf(file))).toEqual([]);
});

describe("the title of a page", () => {
  const rich = (level: number) => ({
    type: "doc",
    content: [{ type: "heading", attrs: { level }, content: [{ type: "text", text: "Own" }] }],
  });
  const firstRanks = (body: string): string[] =>
    parsedMarkdown(body).children.flatMap((node) => {
      return node.type === "heading" && node.depth === 1 ? [visibleText(node, { html: true })] : [];
    });

  test.each<[string, object, string[]]>([
    ["no body", {}, ["Story 1"]],
    ["a body without headings", { text: "text" }, ["Story 1"]],
    ["a body with lower headings", { text: rich(2) }, ["Story 1"]],
    ["a heading of its own in rich text", { text: rich(1) }, ["Own"]],
    ["a heading of its own in Markdown", { text: "# Own\n\ntext" }, ["Own"]],
    ["an underlined heading", { text: "Own\n===\n\ntext" }, ["Own"]],
    ["what looks like a heading in code", { text: "```\n# Own\n```" }, ["Story 1"]],
    ["a heading in a quotation", { text: "> # Own" }, ["Story 1"]],
    ["its own title", { title: "# {{ x }} <b> :tada:\nb", text: "text" }, ["# {{ x }} <b> :tada:\nb"]],
  ])("is above the body for VitePress, whose layout shows only the body: %s", (_, content, expected) => {
    const body = bodyOf(written("vitepress", content));
    expect(firstRanks(body)).toEqual(expected);
    expect(readers.vitepress(body).programs).toEqual([]);
  });

  test.each(names.filter((name) => name !== "vitepress"))(
    "stands in the front matter for %s, for its layout",
    (name) => {
      const file = written(name, { text: "text" });
      expect(matter(file, {}).data.title).toBe("Story 1");
      expect(bodyOf(file)).toBe("text\n");
    },
  );
});
