import { resolve, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldedName, safeSegment, storyPaths } from "../../../src/content/tree/content-paths.js";

function paths(...slugs: (string | [slug: string, isStartpage: boolean])[]) {
  const stories = slugs.map((slug, index) => ({
    uuid: `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`,
    slug: typeof slug === "string" ? slug : slug[0],
    isStartpage: typeof slug !== "string" && slug[1],
  }));
  return [...storyPaths(stories, ".md").values()];
}

describe("storyPaths", () => {
  test.each([
    ["blog/first", "blog/first.md"],
    ["Über uns/日本語 😀", "Über uns/日本語 😀.md"],
    ["../../etc/passwd", "%2E%2E/%2E%2E/etc/passwd.md"],
    ["/abs/olute", "abs/olute.md"],
    ["..\\..\\x", "%2E.%5C..%5Cx.md"],
    ["C:\\x", "C%3A%5Cx.md"],
    [".git/hooks/post-commit", "%2Egit/hooks/post-commit.md"],
    ["git~1/x", "git%7E1/x.md"],
    ["CON", "%43ON.md"],
    ["nul.txt/lpt1", "%6Eul.txt/%6Cpt1.md"],
    ["com¹", "%63om¹.md"],
    ["console", "console.md"],
    ["100%", "100%25.md"],
    ["%2e%2e/x", "%252e%252e/x.md"],
    ["end. /a", "end.%20/a.md"],
    ["a\u0000b\u202ec\n", "a%00b%E2%80%AEc%0A.md"],
    ["lone\ud800", "lone%ED%A0%80.md"],
    ["a.md/b", "a%2Emd/b.md"],
    ["", "index.md"],
    ["//", "index.md"],
    ["__proto__", "__proto__.md"],
  ])("%j becomes %s", (slug, path) => {
    expect(paths(slug)).toEqual([path]);
  });

  test("a start page is the index of its folder, next to the story that has the folder's name", () => {
    expect(paths(["blog/", true], "blog", "blog/first")).toEqual(["blog/index.md", "blog.md", "blog/first.md"]);
    expect(paths(["", true])).toEqual(["index.md"]);
  });

  test("paths that some disk takes for one all get the beginning of their uuid", () => {
    expect(paths("About", "about", "ABOUT", "other")).toEqual([
      "About~00000000.md",
      "about~00000001.md",
      "ABOUT~00000002.md",
      "other.md",
    ]);
    expect(paths("\u00e9", "e\u0301")).toEqual(["\u00e9~00000000.md", "e\u0301~00000001.md"]);
    expect(paths("stra\u00dfe", "strasse")).toEqual(["stra\u00dfe~00000000.md", "strasse~00000001.md"]);
    expect(paths(["blog", true], "blog/index")).toEqual(["blog/index~00000000.md", "blog/index~00000001.md"]);
  });

  test("shortens what is too long, so that different slugs stay different", () => {
    const [one = "", two = ""] = paths("ü".repeat(300), `${"ü".repeat(299)}x`);
    expect(Buffer.byteLength(one)).toBeLessThan(120);
    expect(one).toMatch(/^ü{40}~[0-9a-f]{10}\.md$/);
    expect(one).not.toBe(two);
    expect(paths("a/".repeat(200))[0]).toMatch(/^~long\/[0-9a-f]{32}\.md$/);
  });

  test("any slugs become distinct files below the folder", () => {
    const evil = fc.constantFrom(
      ...'aAbBéÉ./\\~%:*?"<>| \u0000\u0301\u200d\ud800ßẞſKıİ',
      "..",
      "con",
      "NUL",
      "%2e",
      "index",
      ".md",
      "a.md",
      "~long",
      "😀",
    );
    const slug = fc.oneof(
      fc.array(evil, { maxLength: 8 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
      fc.constantFrom("a", "A", "index", "x".repeat(150), `${"deep/".repeat(60)}`),
    );
    const root = resolve("/content");
    fc.assert(
      fc.property(fc.array(fc.tuple(slug, fc.boolean()), { maxLength: 20 }), (slugs) => {
        const made = paths(...slugs);
        expect(new Set(made.map(foldedName)).size).toBe(slugs.length);
        for (const path of made) {
          expect(resolve(root, path).startsWith(root + sep)).toBe(true);
          expect(path).toMatch(/^[^\u0000-\u001f<>:"\\|?*]+\.md$/);
          for (const segment of path.split("/")) {
            expect(segment).not.toMatch(/^[. ]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
            expect(Buffer.byteLength(segment)).toBeLessThan(150);
          }
        }
        // No file has the name of a folder.
        const folders = new Set(
          made.flatMap((path) =>
            path
              .split("/")
              .slice(0, -1)
              .map((_, i, all) => foldedName(all.slice(0, i + 1).join("/"))),
          ),
        );
        for (const path of made) expect(folders.has(foldedName(path))).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

  test("a path does not depend on the order of the stories", () => {
    const stories = ["A", "a", "b"].map((slug, index) => ({ uuid: `${index}aaaaaaa-x`, slug, isStartpage: false }));
    const sorted = [...storyPaths(stories, ".md")].sort();
    expect([...storyPaths([...stories].reverse(), ".md")].sort()).toEqual(sorted);
  });
});

test("safeSegment keeps different names different", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(safeSegment(a) === safeSegment(b)).toBe(a === b);
    }),
  );
});

test("where the place of a file is its address, a start page is next to its folder, and no name has a percent sign", () => {
  const slugs: [slug: string, isStartpage: boolean][] = [
    ["home", false],
    ["blog", true],
    ["blog/first", false],
    ["de/index", false],
    ["odd/con", false],
    ["odd/=63on", false],
    ["100%", false],
  ];
  const stories = slugs.map(([slug, isStartpage], index) => {
    return { uuid: `${index}0000000-x`, slug, isStartpage, isHome: slug === "home" };
  });
  const names = { startPage: "index", special: /^index$/, routesByFile: true };
  expect([...storyPaths(stories, ".md", names).values()]).toEqual([
    "index.md",
    "blog.md",
    "blog/first.md",
    "de/index~30000000.md",
    "odd/=63on~40000000.md",
    "odd/=63on~50000000.md",
    "100=25.md",
  ]);
});

test("makes the home page the start page of the root, and no other page", () => {
  const names = { startPage: "_index", special: /^_?index$/ };
  const stories = [
    { uuid: "00000000-x", slug: "home", isStartpage: false, isHome: true },
    { uuid: "10000000-x", slug: "", isStartpage: true },
    { uuid: "20000000-x", slug: "blog", isStartpage: true },
    { uuid: "30000000-x", slug: "blog/home", isStartpage: false },
  ];
  expect([...storyPaths(stories, ".md", names).values()]).toEqual([
    "_index.md",
    "_index~10000000.md",
    "blog/_index.md",
    "blog/home.md",
  ]);
  expect([...storyPaths(stories.slice(1), ".md", names).values()][0]).toBe("_index.md");
});
