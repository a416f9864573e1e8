import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type ContentName, compileContent, compileFile, contentNames } from "../../demo/compile/compile-content.js";
import { compileFolder } from "../../demo/compile/compile-folder.js";
import { demoSpace } from "../../demo/demo-space.js";
import type { StoryRecord } from "../../src/contract/records.js";

const folder = resolve(import.meta.dirname, "..", "..", "demo", "content");

const textOf = (name: ContentName) => readFileSync(join(folder, `${name}.yaml`), "utf8");
const assets = compileFile("assets", textOf("assets"), {}).value;

/** Returns the mistakes of a content file after one text is replaced. */
function problemsOf(name: ContentName, written: string, instead: string): string {
  const text = textOf(name);
  expect(text).toContain(written);
  return compileFile(name, text.replace(written, instead), assets).problems.join("\n");
}

describe("the content files", () => {
  test("are all read, and fit their shapes", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
    expect(files.sort()).toEqual(contentNames.map((name) => `${name}.yaml`).sort());
    expect(() => compileFolder(folder)).not.toThrow();
  });

  test("are JSON values: the build output equals the values in the sources", () => {
    const content = compileFolder(folder);
    expect(JSON.parse(JSON.stringify(content))).toEqual(content);
  });

  test.each<[string, ContentName, string, string, RegExp]>([
    [
      "a value of another type",
      "books",
      "pages: 96",
      "pages: ninety",
      /^books\.yaml:\d+:16: series\.0\.books\.0\.pages: .*expected number/,
    ],
    ["an unknown key", "glossary", "meaning: The part", "means: The part", /^glossary\.yaml:\d+:\d+: terms\.0.*means/m],
    [
      "a missing key",
      "glossary",
      "meaning: The part",
      "means: The part",
      /^glossary\.yaml:\d+:\d+: terms\.0\.meaning/m,
    ],
    [
      "an invalid date",
      "about",
      "date: 2020-11-05",
      "date: 5 November",
      /^about\.yaml:\d+:11: .*expected a day as YYYY-MM-DD/,
    ],
    ["an unknown language", "about", "de: Besuch", "fr: Visite", /^about\.yaml:\d+:12: .*expected en, de, pt-br$/m],
    [
      "an unknown notation",
      "about",
      "!story authors",
      "!stroy authors",
      /^about\.yaml:\d+:\d+: !stroy .*expected .*!story/,
    ],
    [
      "a notation in a wrong form",
      "about",
      "!asset staff-ravi",
      "!asset [ ravi ]",
      /!asset: .*expected the name of a file/,
    ],
    ["an unknown file", "about", "!asset staff-ravi", "!asset ravi", /^about\.yaml:\d+:\d+: !asset: .*no file "ravi"/],
    ["HTML in a rich text", "about", "**knock**", "<b>knock</b>", /^about\.yaml:\d+:\d+: !rich: .*html/],
    ["text where a rich text belongs", "journal-letters", "body: !rich |", "body: |", /expected a rich text/],
    [
      "a block without component",
      "about",
      "component: timeline\n",
      "component-: timeline\n",
      /^about\.yaml:\d+:9: .*with a component$/,
    ],
    ["an alias of nothing", "help", "*delivery\n", "*shipping\n", /^help\.yaml:\d+:25: \*shipping .*&shipping/],
    ["broken YAML", "press", "text: After", "text: [ After", /^press\.yaml:\d+:\d+: /],
  ])("report %s with its file, line and expected value", (_, name, written, instead, message) => {
    expect(problemsOf(name, written, instead)).toMatch(message);
  });

  test("report the line of the mistake", () => {
    const line =
      textOf("glossary")
        .split("\n")
        .findIndex((text) => text.includes("state: never")) + 1;
    expect(problemsOf("glossary", "state: never", "state: sometimes")).toMatch(new RegExp(`^glossary\\.yaml:${line}:`));
  });

  test("report the mistakes of all files at once", () => {
    const texts = Object.fromEntries(contentNames.map((name) => [name, textOf(name)])) as Record<ContentName, string>;
    const about = texts.about.replace("!story", "!stroy").replace("**knock**", "<b>knock</b>");
    const compile = () => compileContent({ ...texts, about, press: "releases: 8" });
    expect(compile).toThrow(
      /^about\.yaml.*!stroy.*\nabout\.yaml.*html.*\npress\.yaml.*folders.*\npress\.yaml.*releases/,
    );
  });
});

describe("the addresses in texts", () => {
  const { parts } = demoSpace();
  const stories = parts["stories/published/default"]?.map((line) => JSON.parse(line) as StoryRecord) ?? [];
  const slugs = new Set(stories.map(({ full_slug }) => full_slug.replace(/\/$/, "")));

  test("lead to a page, except one in a book that was never written", () => {
    const links = stories.flatMap(({ content }) => [...JSON.stringify(content).matchAll(/\]\(\/(?!\/)([^)\s#"]*)/g)]);
    const targets = links.map(([, path]) => String(path).replace(/\/$/, ""));
    expect(targets.length).toBeGreaterThan(5);
    expect([...new Set(targets.filter((path) => !slugs.has(path)))]).toEqual(["books/never-written"]);
  });

  test("lead to a story in relations, except the withdrawn book", () => {
    const known = new Set((parts["stories/draft/default"] ?? []).map((line) => (JSON.parse(line) as StoryRecord).uuid));
    const gone = stories.flatMap(({ full_slug, content }) =>
      relationsIn(content)
        .filter((uuid) => !known.has(uuid))
        .map(() => full_slug),
    );
    expect(gone.sort()).toEqual(["journal/2025/a-colour-called-number-nine", "style-guide/fields"]);
  });
});

/** Returns the uuids of all uuid lists in a value. */
function relationsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(relationsIn);
  if (!Array.isArray(value)) return inside;
  return [...inside, ...value.filter((item) => /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(String(item)))];
}
