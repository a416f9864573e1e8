import { regions } from "../region-hosts.js";
import { byDefault, optional, required, section } from "./section.js";
import { managementUrl, sourceUrl } from "./source-url.js";
import {
  choice,
  duration,
  either,
  flag,
  list,
  mapped,
  parsed,
  text,
  token,
  wholeNumber,
  withNames,
} from "./value-kinds.js";

const unlimited = Number.MAX_SAFE_INTEGER;

export const name = text("a name");
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

const region = withNames(choice(...regions), {
  eu: ["europe", "eu-central", "germany"],
  us: ["united states", "usa", "america", "us-east"],
  ca: ["canada", "ca-central"],
  ap: ["asia", "asia pacific", "apac", "australia", "ap-southeast"],
  cn: ["china"],
});

const include = section("Which part of the space is read.", {
  startsWith: byDefault([], list(slug, "slugs"), "Only stories whose full slug starts with one of these; empty: all."),
  excludeSlugs: byDefault([], list(slug, "slugs"), "Stories to leave out, by full slug; * matches any text."),
  contentTypes: byDefault([], list(name, "content types"), "Only stories of these content types; empty: all."),
  datasources: byDefault(
    "all",
    either("all, none or a list of slugs", choice("all", "none"), list(name, "slugs")),
    "Datasources by slug.",
  ),
  related: byDefault(false, flag, "Also read stories that an included story names by a relation."),
  experiments: byDefault(true, flag, "Running experiments, with the variants of their stories."),
  tags: byDefault(true, flag, "The tags of the space."),
  taxonomies: byDefault(true, flag, "Taxonomies, and the terms of stories."),
  space: byDefault(true, flag, "The space itself: its id, name and languages."),
});

const management = section("The management API. Read only if configured.", {
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

export const source = section(
  "The space to read.",
  {
    url: optional(sourceUrl, "Origin of the content delivery API; demo: starts the embedded demo space."),
    region: optional(region, "Region of the space, instead of url."),
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
      "Languages to read: all, or codes; default is the default language.",
    ),
    releases: byDefault([], list(identifier, "release ids"), "Releases to read as well, by id."),
    include: byDefault({}, include),
    recheck: byDefault(
      "1h",
      duration("1h", "0", "365d"),
      "How long sync trusts an unchanged cv for data that the cv may not cover.",
    ),
    settle: optional(
      duration("2s", "0", "5m"),
      "Wait before the closing probe; 2s, and 0 for an upstream on this machine.",
    ),
    management: optional(management),
  },
  { schema: { oneOf: [{ required: ["url"] }, { required: ["region"] }] } },
);
