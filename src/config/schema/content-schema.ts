import { contentTargets, largestDepth, typesFormats } from "../config.js";
import { parsePathPattern } from "../path-pattern.js";
import { byDefault, mapping, optional, section } from "./section.js";
import { name } from "./source-schema.js";
import { choice, either, flag, list, mapped, parsed, size, text, type ValueKind, wholeNumber } from "./value-kinds.js";

export const folder = text("a folder");

const homeSlug = mapped(
  text("a slug such as home, in which * is one segment", (written) => /[^*/]\/*$/.test(written)),
  (written) => written.replace(/^\/+|\/+$/g, ""),
);

const links = section("Where links between stories lead.", {
  pattern: byDefault(
    "/{language?}/{slug}",
    text("a path with {slug}, such as /{language?}/{slug}", (pattern) => isLinkPattern(pattern)),
    "Path of a story: {slug}, {language}, and {language?} which is empty for the default language.",
  ),
  home: byDefault(
    "home",
    either("a slug such as home, a pattern such as */home, or a list of them", homeSlug, list(homeSlug, "slugs")),
    "Full slug of the story at the root. In a list, or with * for one segment (*/home), each is the home of its folder: en/home is at /en.",
  ),
  use: byDefault(
    "path",
    choice("path", "slug"),
    "path: a story with a real path (`path`) is at that path, all others at their slug; slug: real paths are ignored.",
  ),
  outside: byDefault(
    "url",
    choice("url", "keep", "warn"),
    "A link to a published story that source.include leaves out. url: its current address on the site, as far as the index has it; keep: the written address; warn: the same, with a warning.",
  ),
});

export const resolve = section("How relations between stories are resolved.", {
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
    "Fields that hold relations: all whose values are uuids of stories, some, or none.",
  ),
  depth: byDefault(
    0,
    wholeNumber(0, largestDepth),
    "0: a relation stays a reference; n: targets are embedded n levels deep.",
  ),
  links: byDefault({}, links),
});

export const assets = section("Images and files.", {
  download: byDefault(false, flag, "Download the assets."),
  hosts: byDefault(
    ["source"],
    list(host(), "host names"),
    "Hosts they may come from; source: the upstream and the asset hosts of its region.",
  ),
  dir: optional(folder, "Folder to copy the used assets to; by default content names the files in output.dir."),
  baseUrl: optional(
    mapped(
      text("a path such as /cms or an http(s) address", (written) =>
        /^(?:\/(?!\/)|\.{1,2}\/|https?:\/\/)/.test(written),
      ),
      (written) => written.replace(/\/+$/, ""),
    ),
    "Prefix of their path in content; by default the path relative to the content file.",
  ),
  maxBytes: byDefault("50MB", size("50MB", "1B", "100GB"), "Larger assets are not downloaded."),
  onFailure: byDefault(
    "keep",
    choice("keep", "fail"),
    "If an asset is too large or cannot be fetched: keep warns; fail ends sync with exit code 3. Content names its address either way.",
  ),
  metadata: byDefault(
    false,
    flag,
    "Add the upstream's data about the assets to content (resolve_assets). Takes a few more requests per sync.",
  ),
});

const contentType = section("How the stories of one content type, or the blocks of one component, are written.", {
  body: optional(list(name, "fields"), "Fields that become the body of the Markdown file, or the output of the block."),
  exclude: optional(list(name, "fields"), "Fields to leave out of the Markdown file."),
  frontMatter: optional(list(name, "fields"), "Fields only for the front matter."),
  heading: optional(name, "Field with the heading of a block."),
  fields: optional(
    mapping("How single fields of a block are shown.", choice("heading", "prose", "setting")),
    "How single fields of a block are shown: as its heading, as prose, or in the front matter only (setting).",
  ),
  date: optional(
    name,
    "Field with the date of a story. By default a field such as date or published_on, else sort_by_date, else first_published_at.",
  ),
  markdown: optional(
    either("a list of fields, true or false", flag, list(name, "fields")),
    "Text fields that contain Markdown, in addition to body, content, text, markdown and long_text. false: stories of the type get no Markdown file, only JSON. By default that is so for types called like settings (config, settings, navigation, header, footer, global, redirects) without prose; true: they get one.",
  ),
});

export const content = section("The files that a site build reads.", {
  dir: optional(folder, "Folder to write them to; by default a folder in output.dir."),
  target: byDefault(
    "plain",
    choice(...contentTargets),
    "The site generator that reads the Markdown files. Decides keys, dates, paths and escaping.",
  ),
  formats: byDefault(
    ["json", "markdown"],
    list(choice("json", "markdown"), "json and markdown"),
    "Which files are written. []: only index.json and redirects, where content.dir or assets.dir is set.",
  ),
  paths: optional(
    text(
      "a path such as {language}/{type}/{slug} that ends with {slug} or {uuid}",
      (pattern) => parsePathPattern(pattern) !== undefined,
      { pattern: "(?:^|/)\\{(?:slug|uuid)\\}$" },
    ),
    "Paths of the Markdown files: {slug} or {uuid}, and before it {type}, {language}, {language?}, {version}, {release}, {edition}; by default {edition}/{slug}.",
  ),
  richText: byDefault("document", choice("document", "html"), "Form of rich text in the JSON files."),
  outline: byDefault(
    "frontMatter",
    choice("frontMatter", "file", "none"),
    "Where to write what the body of a Markdown file leaves out, such as settings of blocks: in its front matter, in .<name>.outline.json next to it, or nowhere.",
  ),
  types: byDefault({}, mapping("Settings by content type, or by the component of a block.", contentType)),
});

export const types = section("Types of the content, printed by `offprint types`.", {
  file: optional(text("a file"), "File that sync writes after a commit; by default none."),
  format: byDefault(
    "typescript",
    choice(...typesFormats),
    "TypeScript declarations, the same with zod 4 schemas, or a JSON Schema.",
  ),
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
