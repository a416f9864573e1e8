import { contentTargets, largestDepth, typesFormats } from "./config.js";
import { parsePathPattern } from "./path-pattern.js";
import { regions } from "./region-hosts.js";
import { byDefault, mapping, optional, required, section } from "./section.js";
import { managementUrl, sourceUrl } from "./source-url.js";
import {
  choice,
  duration,
  either,
  flag,
  type JsonSchema,
  list,
  mapped,
  parsed,
  type ReadOf,
  share,
  size,
  text,
  token,
  type ValueKind,
  wholeNumber,
} from "./value-kinds.js";
import { consumers, onCommit, schedule, webhooks } from "./watch-schema.js";

const minute = 60_000;
const day = 86_400_000;
const KB = 1024;
const MB = 1024 * KB;
const GB = 1024 * MB;
const unlimited = Number.MAX_SAFE_INTEGER;

const name = text("a name");
const slug = mapped(
  text("a slug such as blog/", (written) => !/^\/+$/.test(written)),
  (written) => written.replace(/^\/+/, ""),
);
const languageCode = text("a language code such as de or de-at", (code) => /^[A-Za-z0-9_-]+$/.test(code), {
  pattern: "^[A-Za-z0-9_-]+$",
});
const fallbackLanguage = section(
  undefined,
  { code: required(languageCode), fallback: optional(languageCode) },
  { unknownKey: "only the keys code and fallback" },
);
const language = either("a language code such as de, or { code, fallback }", languageCode, fallbackLanguage);
const identifier = parsed("an id, in digits only", { type: ["integer", "string"], pattern: "^\\d+$" }, (input) =>
  /^\d{1,20}$/.test(String(input).trim()) ? String(input).trim() : undefined,
);
const folder = text("a folder");

const include = section("Which part of the space is read.", {
  startsWith: byDefault([], list(slug, "slugs"), "Only stories whose full slug starts with one of these; empty: all."),
  excludeSlugs: byDefault([], list(slug, "slugs"), "Stories that are left out, by full slug; * stands for any text."),
  contentTypes: byDefault([], list(name, "content types"), "Only stories of these content types; empty: all."),
  datasources: byDefault(
    "all",
    either("all, none or a list of slugs", choice("all", "none"), list(name, "slugs")),
    "Datasources by slug.",
  ),
  related: byDefault(
    false,
    flag,
    "Whether a story that an included one names by a relation is read too, where it would be left out otherwise.",
  ),
  experiments: byDefault(true, flag, "Running experiments, with the variants of their stories."),
  tags: byDefault(true, flag, "The tags of the space."),
  space: byDefault(true, flag, "The space itself: its id, name and languages."),
});

const management = section("The management interface: read only when it is configured.", {
  url: optional(managementUrl, "Its origin; by default that of source.region."),
  token: optional(token, "Personal access token."),
  oauthUrl: optional(managementUrl, "Origin of the space information for OAuth tokens."),
  oauthToken: optional(token, "OAuth access token."),
  spaceId: optional(wholeNumber(1, unlimited), "Id of the space."),
  webhookEndpoints: byDefault(
    [],
    list(wholeNumber(1, unlimited), "webhook ids"),
    "Ids of the webhook endpoints to read.",
  ),
});

const source = section(
  "The space that is read.",
  {
    url: optional(sourceUrl, "Origin of the content delivery interface; demo: starts the embedded demo space."),
    region: optional(choice(...regions), "Region of the space, in place of url."),
    token: required(
      token,
      "Access token of the space: public, or preview to read drafts. Better a variable than the token itself.",
    ),
    versions: byDefault(
      ["published"],
      list(choice("published", "draft"), "published and draft", { notEmpty: true }),
      "What is read.",
    ),
    languages: byDefault(
      "all",
      either("all or a list of language codes", choice("all"), list(language, "language codes", { notEmpty: true })),
      "Languages that are read: all, or codes; default is the default language.",
    ),
    releases: byDefault([], list(identifier, "release ids"), "Releases to read as well, by id."),
    include: byDefault({}, include),
    recheck: byDefault(
      "1h",
      duration("1h", 0, 365 * day),
      "How long an unmoved cv is believed about what it may not cover.",
    ),
    settle: optional(
      duration("2s", 0, 5 * minute),
      "Wait before the closing probe; 2s, and 0 for an upstream on this machine.",
    ),
    management: optional(management),
  },
  { schema: { oneOf: [{ required: ["url"] }, { required: ["region"] }] } },
);

const queue = section("How fast the upstream is asked.", {
  concurrency: byDefault(8, wholeNumber(1, 100), "Requests under way at once, at most."),
  prefer: byDefault("requests", choice("requests", "speed"), "What is saved where both cannot be: requests, or time."),
  rateLimit: optional(
    either("published, false or requests a second", choice("published"), rate()),
    "published: the limits of config/rate-tiers.json; a number: requests a second; false: no limit. By default published, and false for this machine.",
  ),
  maxRequests: byDefault(
    "none",
    either("none or a whole number from 1", choice("none"), wholeNumber(1, unlimited)),
    "A sync that would need more requests stops before it starts.",
  ),
  timeout: byDefault("60s", duration("60s", 100, 60 * minute), "How long one request may take."),
  retries: byDefault(5, wholeNumber(0, 20), "How often a failed request is repeated."),
});

const safety = section("When a sync rather keeps what was there.", {
  maxRemove: byDefault("20%", share, "Share of an edition's stories that one sync may remove."),
  consistency: byDefault(
    "interval",
    choice("exact", "interval"),
    "Of a space that is edited while it is read: interval commits what it was from one cv to another; exact keeps the previous generation.",
  ),
  maxStale: byDefault(
    "1h",
    duration("1h", 0, 365 * day),
    "How long a story that never fits the index keeps the previous generation; then the others are committed.",
  ),
});

const links = section("Where links between stories lead.", {
  pattern: byDefault(
    "/{language?}/{slug}",
    text("a path with {slug}, such as /{language?}/{slug}", (pattern) => isLinkPattern(pattern)),
    "Path of a story: {slug}, {language}, and {language?} which is empty for the default language.",
  ),
  home: byDefault("home", slug, "Full slug of the story that stands at the root."),
});

const resolve = section("How references between stories are followed.", {
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

const assets = section("Images and files.", {
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

const content = section("The files that a site build reads.", {
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

const output = section("The snapshot.", {
  dir: byDefault("output", folder, "Its folder."),
  keepGenerations: byDefault(3, wholeNumber(1, 10_000), "Generations that are kept."),
  shardBytes: byDefault(
    "512KB",
    size("512KB", KB, 64 * MB),
    "A shard is split while its records are larger than this.",
  ),
});

const types = section("Types of the content, for the code of the site: what `offprint types` prints.", {
  file: optional(text("a file"), "Written by sync after a commit; by default none."),
  format: byDefault(
    "typescript",
    choice(...typesFormats),
    "How they are spelled: declarations of TypeScript, these with schemas of zod 4, or a JSON Schema.",
  ),
});

const tokens = section("Who may read from the replica; without any, the source's own token.", {
  public: byDefault([], list(token, "tokens"), "Tokens that read what is published."),
  preview: byDefault([], list(token, "tokens"), "Tokens that read drafts too."),
});

const serve = section("The replica.", {
  port: byDefault(4400, wholeNumber(0, 65_535), "Port; 0: a free one."),
  host: byDefault(
    "127.0.0.1",
    text("a host name or an address", (written) => /^[\w.:[\]-]+$/.test(written)),
    "Address to listen at; by default this machine only.",
  ),
  tokens: byDefault({}, tokens),
  dialect: byDefault(
    "compatible",
    choice("compatible", "seed", "platform"),
    "How strictly the replica keeps to the documented interface.",
  ),
});

/** sync.config.yaml: its keys, their defaults, and what fits each of them. */
export const configSchema = section(
  undefined,
  {
    source: required(source),
    queue: byDefault({}, queue),
    safety: byDefault({}, safety),
    resolve: byDefault({}, resolve),
    assets: byDefault({}, assets),
    content: byDefault({}, content),
    output: byDefault({}, output),
    types: byDefault({}, types),
    schedule: byDefault({}, schedule),
    webhooks: byDefault({}, webhooks),
    onCommit: byDefault({}, onCommit),
    consumers: byDefault({}, consumers),
    serve: byDefault({}, serve),
  },
  { schema: { title: "sync.config.yaml", description: "Configuration of Offprint." } },
);

/** The values of a valid file: durations in milliseconds, sizes in bytes, folders as written. */
export type ParsedConfig = ReadOf<typeof configSchema>;

/** The values of any file: the keys of the schema, with a value of any type, or without one. */
export type WrittenConfig = Written<ParsedConfig>;
type Written<T> = { [K in keyof T]?: T[K] extends Section | undefined ? Written<T[K]> : unknown };
type Section = Readonly<Record<string, unknown>>;

/** The JSON Schema of sync.config.yaml (draft 7), with which editors check and complete the file. */
export function configJsonSchema(): JsonSchema {
  return { $schema: "http://json-schema.org/draft-07/schema#", ...configSchema.schema };
}

function rate(): ValueKind<number | false> {
  const schema = { anyOf: [{ type: "number", exclusiveMinimum: 0 }, { const: false }] };
  return parsed("false or requests a second", schema, (input) => {
    if (input === false || input === "false") return false;
    const number = typeof input === "string" && /^\d+(\.\d+)?$/.test(input.trim()) ? Number(input) : input;
    return typeof number === "number" && number > 0 && number <= 10_000 ? number : undefined;
  });
}

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
