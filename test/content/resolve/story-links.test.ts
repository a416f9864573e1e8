import { describe, expect, test } from "vitest";
import { resolveContent } from "../../../src/content/resolve/resolve-content.js";
import { storyLinkStep } from "../../../src/content/resolve/story-links.js";

const known = "11111111-1111-4111-8111-111111111111";
const gone = "22222222-2222-4222-8222-222222222222";

function resolve(content: unknown) {
  const dead: string[] = [];
  const links = storyLinkStep({
    target: (uuid) => (uuid === known ? { url: "/de/neu", full_slug: "de/neu" } : undefined),
    dead: (uuid, path, written) => {
      dead.push(`${path} ${uuid}`);
      return written === "outside" ? { url: "/site/outside", full_slug: "outside" } : undefined;
    },
  });
  return { value: resolveContent(content, { links }), dead };
}

function multilink(more: object) {
  return { fieldtype: "multilink", linktype: "story", id: known, url: "", cached_url: "alt", target: "_self", ...more };
}

describe("links to stories", () => {
  test("gives a link to a story that the edition lacks the address that the caller knows, by the written slug", () => {
    const mark = { linktype: "story", uuid: gone, href: "/outside/?a=1#b", anchor: null };
    expect(resolve([mark, { ...mark, href: "/elsewhere" }]).value).toEqual([
      { ...mark, href: "/site/outside?a=1#b" },
      { ...mark, href: "/elsewhere" },
    ]);
  });

  test("gives a link field the current address and keeps anchor, target and custom keys", () => {
    expect(resolve({ a: multilink({ anchor: "top", custom: "x" }) }).value).toEqual({
      a: multilink({ url: "/de/neu", cached_url: "de/neu", anchor: "top", custom: "x" }),
    });
  });

  test("keeps a query, and the fragment unless an anchor replaces it", () => {
    const { value } = resolve([
      multilink({ cached_url: "alt?page=2#end" }),
      multilink({ cached_url: "alt?page=2#end", anchor: "top" }),
      multilink({ url: "/alt#x", cached_url: "alt" }),
    ]);
    expect((value as { url: string }[]).map(({ url }) => url)).toEqual([
      "/de/neu?page=2#end",
      "/de/neu?page=2",
      "/de/neu#x",
    ]);
  });

  test("resolves links of rich text, also in old content without fieldtype", () => {
    const mark = { type: "link", attrs: { href: "/alt", uuid: known, anchor: "a", target: null, linktype: "story" } };
    const old = { linktype: "story", id: known, cached_url: "alt" };
    expect(resolve({ marks: [mark], old }).value).toEqual({
      marks: [{ type: "link", attrs: { ...mark.attrs, href: "/de/neu" } }],
      old: { ...old, url: "/de/neu", cached_url: "de/neu" },
    });
  });

  test("leaves other kinds of links, and links that are not set", () => {
    const content = {
      url: { ...multilink({}), linktype: "url", url: "https://example.com" },
      email: { ...multilink({}), linktype: "email", email: "a@example.com" },
      empty: multilink({ id: "", cached_url: "" }),
    };
    expect(resolve(content)).toEqual({ value: content, dead: [] });
  });

  test("keeps a dead link and reports its place", () => {
    const content = { body: [{ component: "teaser", link: multilink({ id: gone }) }] };
    expect(resolve(content)).toEqual({ value: content, dead: [`body[0].link ${gone}`] });
  });
});
