import { regions } from "./region-hosts.js";
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
  type ReadOf,
  text,
  token,
  type ValueKind,
  wholeNumber,
  withNames,
} from "./value-kinds.js";

const unlimited = Number.MAX_SAFE_INTEGER;

export const name = text("a name");
const slug: ValueKind<string> = mapped(
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
const languages = list(language, "language codes", { notEmpty: true });
const languageSettings = mapped(languages, (all) =>
  all.map((one): ReadOf<typeof fallbackLanguage> => (typeof one === "string" ? { code: one } : one)),
);
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
  /** Only stories whose full slug starts with one of these; empty: all. */
  startsWith: byDefault([], list(slug, "slugs")),
  /** Stories to leave out, by full slug; * matches any text. */
  excludeSlugs: byDefault([], list(slug, "slugs")),
  /** Only stories of these content types; empty: all. */
  contentTypes: byDefault([], list(name, "content types")),
  /** Datasources by slug. */
  datasources: byDefault("all", either("all, none or a list of slugs", choice("all", "none"), list(name, "slugs"))),
  /** Also read stories that an included story names by a relation. */
  related: byDefault(false, flag),
  /** Running experiments, with the variants of their stories. */
  experiments: byDefault(true, flag),
  /** The tags of the space. */
  tags: byDefault(true, flag),
  /** Taxonomies, and the terms of stories. */
  taxonomies: byDefault(true, flag),
  /** The space itself: its id, name and languages. */
  space: byDefault(true, flag),
});

const management = section("The management API. Read only if configured.", {
  /** Its origin; by default that of source.region. */
  url: optional(managementUrl),
  /** Personal access token. */
  token: optional(token),
  /** Origin of the space information for OAuth tokens. */
  oauthUrl: optional(managementUrl),
  /** OAuth access token. */
  oauthToken: optional(token),
  /** Id of the space. */
  spaceId: optional(wholeNumber(1, unlimited)),
  /** Ids of the webhook endpoints to read. */
  webhookEndpoints: byDefault([], list(wholeNumber(1, unlimited), "webhook ids")),
});

export const source = section(
  "The space to read.",
  {
    /** Origin of the content delivery API; demo: starts the embedded demo space. */
    url: optional(sourceUrl),
    /** Region of the space, instead of url. */
    region: optional(region),
    /** Access token of the space: public, or preview to read drafts. Better a variable than the token itself. */
    token: required(token),
    /** What is read. */
    versions: byDefault(["published"], list(choice("published", "draft"), "published and draft", { notEmpty: true })),
    /** Languages to read: all, or codes; default is the default language. */
    languages: byDefault("all", either("all or a list of language codes", choice("all"), languageSettings)),
    /** Releases to read as well, by id. */
    releases: byDefault([], list(identifier, "release ids")),
    include: byDefault({}, include),
    /** How long sync trusts an unchanged cv for data that the cv may not cover. */
    recheckMs: byDefault("1h", duration("1h", "0", "365d")),
    /** Wait before the closing probe; 2s, and 0 for an upstream on this machine. */
    settleMs: optional(duration("2s", "0", "5m")),
    management: optional(management),
  },
  { schema: { oneOf: [{ required: ["url"] }, { required: ["region"] }] } },
);
