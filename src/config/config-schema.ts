import { z } from "zod";
import { contentTargets } from "./config.js";
import { regions } from "./region-hosts.js";
import { managementUrl, sourceUrl } from "./source-url.js";
import {
  choice,
  duration,
  either,
  flag,
  list,
  mapped,
  misfit,
  orVariable,
  parsed,
  share,
  size,
  text,
  token,
  type ValueKind,
  wholeNumber,
} from "./value-kinds.js";

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
const language = either("a language code such as de, or { code, fallback }", languageCode, fallbackLanguage());
const identifier = parsed("an id, in digits only", { type: ["integer", "string"], pattern: "^\\d+$" }, (input) =>
  /^\d{1,20}$/.test(String(input).trim()) ? String(input).trim() : undefined,
);
const folder = text("a folder");

const include = section("Which part of the space is read.", {
  startsWith: value(
    list(slug, { of: "slugs" }),
    "Only stories whose full slug starts with one of these; empty: all.",
  ).prefault([]),
  excludeSlugs: value(
    list(slug, { of: "slugs" }),
    "Stories that are left out, by full slug; * stands for any text.",
  ).prefault([]),
  contentTypes: value(list(name, { of: "content types" }), "Only stories of these content types; empty: all.").prefault(
    [],
  ),
  datasources: value(
    either("all, none or a list of slugs", choice("all", "none"), list(name, { of: "slugs" })),
    "Datasources by slug.",
  ).prefault("all"),
  experiments: value(flag, "Running experiments, with the variants of their stories.").prefault(true),
  tags: value(flag, "The tags of the space.").prefault(true),
  space: value(flag, "The space itself: its id, name and languages.").prefault(true),
}).prefault({});

const management = section("The management interface: read only when it is configured.", {
  url: value(managementUrl, "Its origin; by default that of source.region.").optional(),
  token: value(token, "Personal access token.").optional(),
  oauthUrl: value(managementUrl, "Origin of the space information for OAuth tokens.").optional(),
  oauthToken: value(token, "OAuth access token.").optional(),
  spaceId: value(wholeNumber(1, unlimited), "Id of the space.").optional(),
  webhookEndpoints: value(
    list(wholeNumber(1, unlimited), { of: "webhook ids" }),
    "Ids of the webhook endpoints to read.",
  ).prefault([]),
});

const source = section("The space that is read.", {
  url: value(sourceUrl, "Origin of the content delivery interface; demo: starts the embedded demo space.").optional(),
  region: value(choice(...regions), "Region of the space, in place of url.").optional(),
  token: value(
    token,
    "Access token of the space: public, or preview to read drafts. Better a variable than the token itself.",
  ),
  versions: value(
    list(choice("published", "draft"), { notEmpty: true, of: "published and draft" }),
    "What is read.",
  ).prefault(["published"]),
  languages: value(
    either("all or a list of language codes", choice("all"), list(language, { notEmpty: true, of: "language codes" })),
    "Languages that are read: all, or codes; default is the default language.",
  ).prefault("all"),
  releases: value(list(identifier, { of: "release ids" }), "Releases to read as well, by id.").prefault([]),
  include,
  recheck: value(
    duration("1h", 0, 365 * day),
    "How long an unmoved cv is believed about what it may not cover.",
  ).prefault("1h"),
  settle: value(
    duration("2s", 0, 5 * minute),
    "Wait before the closing probe; 2s, and 0 for an upstream on this machine.",
  ).optional(),
  management: management.optional(),
}).meta({ oneOf: [{ required: ["url"] }, { required: ["region"] }] });

const queue = section("How fast the upstream is asked.", {
  concurrency: value(wholeNumber(1, 100), "Requests under way at once, at most.").prefault(8),
  prefer: value(choice("requests", "speed"), "What is saved where both cannot be: requests, or time.").prefault(
    "requests",
  ),
  rateLimit: value(
    either("published, false or requests a second", choice("published"), rate()),
    "published: the limits of config/rate-tiers.json; a number: requests a second; false: no limit. By default published, and false for this machine.",
  ).optional(),
  maxRequests: value(
    either("none or a whole number from 1", choice("none"), wholeNumber(1, unlimited)),
    "A sync that would need more requests stops before it starts.",
  ).prefault("none"),
  timeout: value(duration("60s", 100, 60 * minute), "How long one request may take.").prefault("60s"),
  retries: value(wholeNumber(0, 20), "How often a failed request is repeated.").prefault(5),
}).prefault({});

const safety = section("When a sync rather keeps what was there.", {
  maxRemove: value(share, "Share of an edition's stories that one sync may remove.").prefault("20%"),
  maxStale: value(
    duration("1h", 0, 365 * day),
    "How long a sync may find no clean reading before it commits a mixed one.",
  ).prefault("1h"),
}).prefault({});

const links = section("Where links between stories lead.", {
  pattern: value(
    text("a path with {slug}, such as /{language?}/{slug}", (pattern) => isLinkPattern(pattern)),
    "Path of a story: {slug}, {language}, and {language?} which is empty for the default language.",
  ).prefault("/{language?}/{slug}"),
  home: value(slug, "Full slug of the story that stands at the root.").prefault("home"),
}).prefault({});

const resolve = section("How references between stories are followed.", {
  relations: value(
    either(
      "all, none or a list such as [article.author]",
      choice("all", "none"),
      list(
        text("component.field", (path) => /^[^.\s]+\.[^.\s]+$/.test(path), { pattern: "^[^.\\s]+\\.[^.\\s]+$" }),
        { of: "component.field" },
      ),
    ),
    "Fields that hold relations: all whose values are uuids of stories, some, or none.",
  ).prefault("all"),
  depth: value(wholeNumber(0, 10), "0: a relation stays a reference; n: targets are embedded n levels deep.").prefault(
    0,
  ),
  links,
}).prefault({});

const assets = section("Images and files.", {
  download: value(flag, "Whether assets are downloaded.").prefault(false),
  hosts: value(
    list(host(), { of: "host names" }),
    "Hosts they may come from; source: the upstream and the asset hosts of its region.",
  ).prefault(["source"]),
  dir: value(
    folder,
    "Where those that content names are copied to; by default content names the files in output.dir.",
  ).optional(),
  baseUrl: value(
    mapped(
      text("a path such as /cms or an http(s) address", (written) =>
        /^(?:\/(?!\/)|\.{1,2}\/|https?:\/\/)/.test(written),
      ),
      (written) => written.replace(/\/+$/, ""),
    ),
    "What stands before their path in content; by default the path relative to the content file.",
  ).optional(),
  maxBytes: value(size("50MB", 1, 100 * GB), "A larger asset is not downloaded.").prefault("50MB"),
  onFailure: value(
    choice("keep", "fail"),
    "What an asset means that is too large or cannot be fetched. keep: a warning; fail: sync ends with exit code 3. Content names its address either way.",
  ).prefault("keep"),
  metadata: value(
    flag,
    "Whether content shows what the upstream knows of the assets (resolve_assets): some requests more for each reading.",
  ).prefault(false),
}).prefault({});

const contentType = section("How the stories of one content type, or the blocks of one component, are written.", {
  body: value(
    list(name, { of: "fields" }),
    "Fields that become the body of the Markdown file, or are shown of the block.",
  ).optional(),
  exclude: value(list(name, { of: "fields" }), "Fields that are left out of the Markdown file.").optional(),
  frontMatter: value(list(name, { of: "fields" }), "Fields that stand in the front matter only.").optional(),
  heading: value(name, "The field that is the heading of a block.").optional(),
  markdown: value(
    list(name, { of: "fields" }),
    "Fields of text that hold Markdown, beside body, content, text, markdown and long_text.",
  ).optional(),
});

const content = section("The files that a site build reads.", {
  dir: value(folder, "Where they are written; by default a folder in output.dir.").optional(),
  target: value(
    choice(...contentTargets),
    "What reads the Markdown files: decides their keys, dates, paths and escaping.",
  ).prefault("plain"),
  formats: value(list(choice("json", "markdown"), { of: "json and markdown" }), "Which files are written.").prefault([
    "json",
    "markdown",
  ]),
  richText: value(choice("document", "html"), "How rich text stands in the JSON files.").prefault("document"),
  types: z
    .record(z.string(), contentType)
    .meta({ description: "Settings by content type, or by the component of a block." })
    .prefault({}),
}).prefault({});

const output = section("The snapshot.", {
  dir: value(folder, "Its folder.").prefault("output"),
  keepGenerations: value(wholeNumber(1, 10_000), "Generations that are kept.").prefault(3),
  shardBytes: value(size("512KB", KB, 64 * MB), "A shard is split while its records are larger than this.").prefault(
    "512KB",
  ),
}).prefault({});

const tokens = section("Who may read from the replica; without any, the source's own token.", {
  public: value(list(token, { of: "tokens" }), "Tokens that read what is published.").prefault([]),
  preview: value(list(token, { of: "tokens" }), "Tokens that read drafts too.").prefault([]),
}).prefault({});

const serve = section("The replica.", {
  port: value(wholeNumber(0, 65_535), "Port; 0: a free one.").prefault(4400),
  host: value(
    text("a host name or an address", (written) => /^[\w.:[\]-]+$/.test(written)),
    "Address to listen at; by default this machine only.",
  ).prefault("127.0.0.1"),
  tokens,
  dialect: value(
    choice("compatible", "seed", "platform"),
    "How strictly the replica keeps to the documented interface.",
  ).prefault("compatible"),
}).prefault({});

/** sync.config.yaml as zod reads it: keys, defaults, and what fits each key. */
export const configSchema = z
  .strictObject({ source, queue, safety, resolve, assets, content, output, serve })
  .meta({ title: "sync.config.yaml", description: "Configuration of Offprint." });

/** What {@link configSchema} gives: durations in milliseconds, sizes in bytes, folders as written. */
export type ParsedConfig = z.output<typeof configSchema>;

/** A key whose value is of one kind. Zod carries the message "expects …"; an editor sees the kind's JSON Schema. */
function value<T>(kind: ValueKind<T>, description: string) {
  return z
    .unknown()
    .transform((input, context): T => {
      const reading = kind.read(input);
      if ("value" in reading) return reading.value;
      for (const found of reading.misfits) {
        const params = { hint: found.hint };
        context.addIssue({ code: "custom", message: `expects ${found.expects}`, path: found.path, params });
      }
      return z.NEVER;
    })
    .meta({ description, ...orVariable(kind.schema) });
}

function section<S extends z.ZodRawShape>(description: string, keys: S) {
  return z.strictObject(keys).meta({ description });
}

function fallbackLanguage(): ValueKind<{ code: string; fallback?: string }> {
  const properties = { code: languageCode.schema, fallback: languageCode.schema };
  return {
    expects: "{ code, fallback }",
    schema: { type: "object", properties, required: ["code"], additionalProperties: false },
    read: (input) => {
      if (typeof input !== "object" || input === null || Array.isArray(input)) return misfit("{ code, fallback }");
      const given = new Map<string, unknown>(Object.entries(input));
      const misfits = [...given.keys()]
        .filter((key) => key !== "code" && key !== "fallback")
        .map((key) => ({ expects: "only the keys code and fallback", path: [key] }));
      const code = languageCode.read(given.get("code"));
      const fallback = given.has("fallback") ? languageCode.read(given.get("fallback")) : undefined;
      if ("misfits" in code) misfits.push(...code.misfits.map((found) => ({ ...found, path: ["code"] })));
      if (fallback !== undefined && "misfits" in fallback) {
        misfits.push(...fallback.misfits.map((found) => ({ ...found, path: ["fallback"] })));
      }
      if (misfits.length > 0 || "misfits" in code) return { misfits };
      return {
        value: { code: code.value, ...(fallback && "value" in fallback ? { fallback: fallback.value } : {}) },
      };
    },
  };
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
