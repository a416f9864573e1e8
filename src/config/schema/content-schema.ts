import { parsePathPattern } from "./path-pattern.js";
import { byDefault, mapping, optional, section } from "./section.js";
import { name } from "./source-schema.js";
import { choice, either, flag, list, mapped, parsed, size, text, type ValueKind, wholeNumber } from "./value-kinds.js";

/** Site generators that can read the Markdown files; `plain` is for any other reader. */
export const contentTargets = ["plain", "astro", "eleventy", "hugo", "vitepress", "nuxt", "jekyll"] as const;

/** Largest `resolve.depth`. */
export const largestDepth = 10;

export const folder = text("a folder");

const homeSlug = mapped(
  text("a slug such as home, in which * is one segment", (written) => /[^*/]\/*$/.test(written)),
  (written) => written.replace(/^\/+|\/+$/g, ""),
);

const links = section("Where links between stories lead.", {
  /** Path of a story: {slug}, {language}, and {language?} which is empty for the default language. */
  pattern: byDefault(
    "/{language?}/{slug}",
    text("a path with {slug}, such as /{language?}/{slug}", (pattern) => isLinkPattern(pattern)),
  ),
  /**
   * Full slug of the story at the root. In a list, or with * for one segment (*\/home), each is the home of its folder:
   * en/home is at /en.
   */
  home: byDefault(
    "home",
    either("a slug such as home, a pattern such as */home, or a list of them", homeSlug, list(homeSlug, "slugs")),
  ),
  /**
   * path: a story with a real path (`path`) is at that path, all others at their slug; slug: real paths are ignored.
   */
  use: byDefault("path", choice("path", "slug")),
  /**
   * A link to a published story that source.include leaves out. url: its current address on the site, as far as the
   * index has it; keep: the written address; warn: the same, with a warning.
   */
  outside: byDefault("url", choice("url", "keep", "warn")),
});

export const resolve = section("How relations between stories are resolved.", {
  /** Fields that hold relations: all whose values are uuids of stories, some, or none. */
  relations: byDefault(
    "all",
    either(
      "all, none or a list such as [article.author]",
      choice("all", "none"),
      list(
        text("component.field", (path) => /^[^.\s]+\.[^.\s]+$/.test(path), { pattern: "^[^.\\s]+\\.[^.\\s]+$" }),
        "component.field",
      ),
    ),
  ),
  /** 0: a relation stays a reference; n: targets are embedded n levels deep. */
  depth: byDefault(0, wholeNumber(0, largestDepth)),
  links: byDefault({}, links),
});

export const assets = section("Images and files.", {
  /** Download the assets. */
  download: byDefault(false, flag),
  /** Hosts they may come from; source: the upstream and the asset hosts of its region. */
  hosts: byDefault(["source"], list(host(), "host names")),
  /** Folder to copy the used assets to; by default content names the files in output.dir. */
  dir: optional(folder),
  /** Prefix of their path in content; by default the path relative to the content file. */
  baseUrl: optional(
    mapped(
      text("a path such as /cms or an http(s) address", (written) =>
        /^(?:\/(?!\/)|\.{1,2}\/|https?:\/\/)/.test(written),
      ),
      (written) => written.replace(/\/+$/, ""),
    ),
  ),
  /** Larger assets are not downloaded. */
  maxBytes: byDefault("50MB", size("50MB", "1B", "100GB")),
  /**
   * If an asset is too large or cannot be fetched: keep warns; fail ends sync with exit code 3. Content names its
   * address either way.
   */
  onFailure: byDefault("keep", choice("keep", "fail")),
  /** Add the upstream's data about the assets to content (resolve_assets). Takes a few more requests per sync. */
  metadata: byDefault(false, flag),
});

const contentType = section("How the stories of one content type, or the blocks of one component, are written.", {
  /** Fields that become the body of the Markdown file, or the output of the block. */
  body: optional(list(name, "fields")),
  /** Fields to leave out of the Markdown file. */
  exclude: optional(list(name, "fields")),
  /** Fields only for the front matter. */
  frontMatter: optional(list(name, "fields")),
  /** Field with the heading of a block. */
  heading: optional(name),
  /** How single fields of a block are shown: as its heading, as prose, or in the front matter only (setting). */
  fields: optional(mapping("How single fields of a block are shown.", choice("heading", "prose", "setting"))),
  /**
   * Field with the date of a story. By default a field such as date or published_on, else sort_by_date, else
   * first_published_at.
   */
  date: optional(name),
  /**
   * Text fields that contain Markdown, in addition to body, content, text, markdown and long_text. false: stories of
   * the type get no Markdown file, only JSON. By default that is so for types called like settings (config, settings,
   * navigation, header, footer, global, redirects) without prose; true: they get one.
   */
  markdown: optional(either("a list of fields, true or false", flag, list(name, "fields"))),
});

export const content = section("The files that a site build reads.", {
  /** Folder to write them to; by default a folder in output.dir. */
  dir: optional(folder),
  /** The site generator that reads the Markdown files. Decides keys, dates, paths and escaping. */
  target: byDefault("plain", choice(...contentTargets)),
  /** Which files are written. []: only index.json and redirects, where content.dir or assets.dir is set. */
  formats: byDefault(["json", "markdown"], list(choice("json", "markdown"), "json and markdown")),
  /**
   * Paths of the Markdown files: {slug} or {uuid}, and before it {type}, {language}, {language?}, {version}, {release},
   * {edition}; by default {edition}/{slug}.
   */
  paths: optional(
    text(
      "a path such as {language}/{type}/{slug} that ends with {slug} or {uuid}",
      (pattern) => parsePathPattern(pattern) !== undefined,
      { pattern: "(?:^|/)\\{(?:slug|uuid)\\}$" },
    ),
  ),
  /** Form of rich text in the JSON files. */
  richText: byDefault("document", choice("document", "html")),
  /**
   * Where to write what the body of a Markdown file leaves out, such as settings of blocks: in its front matter, in
   * .<name>.outline.json next to it, or nowhere.
   */
  outline: byDefault("frontMatter", choice("frontMatter", "file", "none")),
  types: byDefault({}, mapping("Settings by content type, or by the component of a block.", contentType)),
});

export const types = section("Types of the content, printed by `offprint types`.", {
  /** File that sync writes after a commit; by default none. */
  file: optional(text("a file")),
  /** TypeScript declarations, the same with zod 4 schemas, or a JSON Schema. */
  format: byDefault("typescript", choice("typescript", "zod", "json-schema")),
});

function host(): ValueKind<string> {
  return parsed("a host name such as img.example.com, or source", { type: "string" }, (input) => {
    const written = typeof input === "string" ? input.trim() : "";
    if (written === "source") return written;
    const url = URL.canParse(`https://${written}/`) ? new URL(`https://${written}/`) : undefined;
    return url !== undefined && !/[/@?#\\*\s]/.test(written) ? url.host : undefined;
  });
}

function isLinkPattern(pattern: string): boolean {
  const placeholders = [...pattern.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]);
  const known = placeholders.every((name) => name === "slug" || name === "language" || name === "language?");
  return known && placeholders.includes("slug") && !/[{}]/.test(pattern.replaceAll(/\{[^{}]*\}/g, ""));
}
