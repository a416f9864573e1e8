import { contentTargets, largestDepth, typesFormats } from "../config.js";
import { parsePathPattern } from "../path-pattern.js";
import { byDefault, mapping, optional, section } from "./section.js";
import { name, slug } from "./source-schema.js";
import { choice, either, flag, list, mapped, parsed, size, text, type ValueKind, wholeNumber } from "./value-kinds.js";

const GB = 1024 ** 3;

/** The path of a folder. */
export const folder = text("a folder");

const links = section("Where links between stories lead.", {
  pattern: byDefault(
    "/{language?}/{slug}",
    text("a path with {slug}, such as /{language?}/{slug}", (pattern) => isLinkPattern(pattern)),
    "Path of a story: {slug}, {language}, and {language?} which is empty for the default language.",
  ),
  home: byDefault("home", slug, "Full slug of the story that stands at the root."),
});

/** How references are followed. */
export const resolve = section("How references between stories are followed.", {
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

/** Images and files. */
export const assets = section("Images and files.", {
  download: byDefault(false, flag, "Whether assets are downloaded."),
  hosts: byDefault(
    ["source"],
    list(host(), "host names"),
    "Hosts they may come from; source: the upstream and the asset hosts of its region.",
  ),
  dir: optional(
    folder,
    "Where those that content names are copied to; by default content names the files in output.dir.",
  ),
  baseUrl: optional(
    mapped(
      text("a path such as /cms or an http(s) address", (written) =>
        /^(?:\/(?!\/)|\.{1,2}\/|https?:\/\/)/.test(written),
      ),
      (written) => written.replace(/\/+$/, ""),
    ),
    "What stands before their path in content; by default the path relative to the content file.",
  ),
  maxBytes: byDefault("50MB", size("50MB", 1, 100 * GB), "A larger asset is not downloaded."),
  onFailure: byDefault(
    "keep",
    choice("keep", "fail"),
    "What an asset means that is too large or cannot be fetched. keep: a warning; fail: sync ends with exit code 3. Content names its address either way.",
  ),
  metadata: byDefault(
    false,
    flag,
    "Whether content shows what the upstream knows of the assets (resolve_assets): some requests more for each reading.",
  ),
});

const contentType = section("How the stories of one content type, or the blocks of one component, are written.", {
  body: optional(list(name, "fields"), "Fields that become the body of the Markdown file, or are shown of the block."),
  exclude: optional(list(name, "fields"), "Fields that are left out of the Markdown file."),
  frontMatter: optional(list(name, "fields"), "Fields that stand in the front matter only."),
  heading: optional(name, "The field that is the heading of a block."),
  markdown: optional(
    list(name, "fields"),
    "Fields of text that hold Markdown, beside body, content, text, markdown and long_text.",
  ),
});

/** What a site build reads. */
export const content = section("The files that a site build reads.", {
  dir: optional(folder, "Where they are written; by default a folder in output.dir."),
  target: byDefault(
    "plain",
    choice(...contentTargets),
    "What reads the Markdown files: decides their keys, dates, paths and escaping.",
  ),
  formats: byDefault(
    ["json", "markdown"],
    list(choice("json", "markdown"), "json and markdown"),
    "Which files are written.",
  ),
  paths: optional(
    text(
      "a path such as {language}/{type}/{slug} that ends with {slug} or {uuid}",
      (pattern) => parsePathPattern(pattern) !== undefined,
      { pattern: "(?:^|/)\\{(?:slug|uuid)\\}$" },
    ),
    "Where the Markdown files lie: {slug} or {uuid}, and before it {type}, {language}, {language?}, {version}, {release}, {edition}; by default {edition}/{slug}.",
  ),
  richText: byDefault("document", choice("document", "html"), "How rich text stands in the JSON files."),
  types: byDefault({}, mapping("Settings by content type, or by the component of a block.", contentType)),
});

/** The types of the content. */
export const types = section("Types of the content, for the code of the site: what `offprint types` prints.", {
  file: optional(text("a file"), "Written by sync after a commit; by default none."),
  format: byDefault(
    "typescript",
    choice(...typesFormats),
    "How they are spelled: declarations of TypeScript, these with schemas of zod 4, or a JSON Schema.",
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
