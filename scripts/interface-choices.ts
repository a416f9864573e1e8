/** Where the platform's behaviour is not public, or no record carries what it would need: what the replica does. */
export interface InterfaceChoice {
  /** Named by tests as a row of section 12: `[12 unknown language]`. */
  name: string;
  about: string;
}

/** Section under which tests name the choices; no section of the reference has this number. */
export const choicesSection = "12";

export const interfaceChoices: readonly InterfaceChoice[] = [
  choice("per_page over the maximum", "counts as the maximum; the header `Per-Page` has the size used"),
  choice(
    "unreadable value",
    "an unknown filter operation, a malformed `sort_by` or date, `page=0`, broken percent-encoding: 422, `error` names the parameter",
  ),
  choice("unknown parameter elsewhere", "422 is documented for the stories addresses; everywhere else it is ignored"),
  choice(
    "missing edition",
    "answered from the nearest one that the snapshot has (a release from the version without it, drafts from what is published, a language from the default language), named in `X-Offprint-Edition` and once in the log; `--strict`: 404",
  ),
  choice("unknown language", "like a missing edition: the default language, with its own `lang`"),
  choice(
    "drafts only",
    "a snapshot without published stories answers an empty list with its cv, `X-Offprint-Edition: none`",
  ),
  choice(
    "fallback_lang",
    "exact if the edition was read with this fallback. Otherwise approximated, and named in `X-Offprint-Approximated`. Records do not mark untranslated fields. So a field counts as untranslated if it equals that of the default language. It gets the value of the fallback language; blocks are compared field by field. Filters, order and relations use the stored records. If the snapshot lacks one of these editions, the parameter has no effect, and `X-Offprint-Ignored` names it",
  ),
  choice(
    "excluding component",
    "`excluding_fields=component` with a `language`: each story keeps its slugs, name and `lang`, and carries the content of the default language. Relations and links are those that this content names. A story that the default language lacks keeps its own content. If the snapshot does not hold the default language, all do, and `X-Offprint-Approximated` names `excluding_fields`",
  ),
  choice("excluding _uid", "`excluding_fields=_uid` drops it, as any other field of the first level"),
  choice(
    "in_workflow_stages",
    "accepted without effect, and named in `X-Offprint-Ignored`: records do not have their stage",
  ),
  choice("absent field", "matches `not_in`, `not_like`, `is=empty`, `is=null`, `is=false`, and no other condition"),
  choice("like without a star", "compares the whole value; the case never counts for `like`, always for `in`"),
  choice(
    "groups of __or",
    "each `[__or][]` is a group of one condition; a numbered group is answered with 500, as documented",
  ),
  choice("order of texts", "by code unit; the machine's locale does not matter"),
  choice("values that are no number", "with `:int` and `:float` they are sorted like null"),
  choice(
    "texts with a fraction",
    "`7.00` is no whole number: `gt_int` and `lt_int` do not match it, and with `:int` it is sorted like null; `gt_float`, `lt_float` and `:float` know it",
  ),
  choice("ties", "equal under `sort_by`: the default order; equal there: the newest `created_at`, then the highest id"),
  choice(
    "relevance",
    "`search_term`: found in the full slug, then in the name, then in the content; then the default order. Texts, numbers and flags are searched, names of fields and null are not. With `by_uuids_ordered`, the order of the list stays",
  ),
  choice("tag slugs", "`with_tag` takes the name of a tag or its slug: lower case, dashes for blanks"),
  choice(
    "slugs of a translation",
    "a translated story is found by its own full slug, by that without the language's prefix, and by that of the default language, the first that fits; `[default]/` before `starts_with` asks for the last one only",
  ),
  choice("links in pages", "always; `paginated` changes nothing"),
  choice("shape of a link", "a map with the link under its uuid; flat with `serve.dialect: platform`"),
  choice(
    "bearer at the management addresses",
    "an OAuth token is accepted at `/v1/…` as at `/oauth/space_info`. If a personal token is configured and no OAuth token, no bearer is accepted at `/v1/…`",
  ),
  choice(
    "by_uuids_ordered with sort_by",
    "`sort_by` decides the order, as it does for `search_term`; equal stories keep the default order",
  ),
  choice("exactly 100 relations", "the second level is left out above 100 stories of the first level, not at 100"),
  choice(
    "links of related stories",
    "`resolve_links` follows the links of the answered stories, and with `resolve_links_level=2` those of linked stories. It follows no link of a story in `rels`",
  ),
  choice(
    "over the limit of relations",
    "`rel_uuids` and `link_uuids` hold all and take the place of `rels` and `links`, whose keys are absent. With `serve.dialect: seed` the list holds the first ones, and the uuids are the remaining ones. Use it for clients that demand the keys, as the official PHP client does",
  ),
  choice(
    "second level of many",
    "with more than 2,000 stories of the first level (a page of 100 stories can name more), the references of the first 2,000 are followed",
  ),
  choice(
    "asset metadata",
    "`resolve_assets` answers the platform's own record, byte for byte, if the snapshot holds it (`assets.metadata: true`). Otherwise the replica makes a record from the asset field and the stored bytes",
  ),
  choice("images of the image service", "`/m/…` behind an asset is answered with the original"),
  choice(
    "ranges of assets",
    "`Range: bytes=…` of an asset is answered with 206, one that it does not have with 416; several ranges at once, and one with an `If-Range` of other bytes, with the whole asset",
  ),
  choice(
    "redacted fields",
    "the owner of a space and `description`, `endpoint`, `secret` of a webhook endpoint are never kept: texts are `redacted`, numbers 0, flags false, lists empty, what may be null is null",
  ),
  choice("tags of no story", "`all_tags` is accepted and changes nothing: a tag on no story leaves no trace"),
  choice("unknown dimension", "the plain values of the datasource"),
  choice("cv of a snapshot without one", "the time of its commit, in Unix seconds"),
  choice("redirect", "on, as there; `--no-redirect` answers at once"),
  choice(
    "ETag",
    "weak, of the generation, the settings and the address without its token; `If-None-Match` is answered with 304",
  ),
  choice(
    "refused by cost",
    "over 40 fields, patterns over 500 characters, conditions times stories over 50 million: 422. An address over 32,000 characters: 414; a head over 64 KB: 431; a body over 16 KB: 413; an answer over 20 MB: 422",
  ),
  choice("concurrent drafts", "not limited; 429 comes with `--fault` only"),
  choice(
    "other hosts and origins",
    "bound to loopback, a `Host` that is not this machine gets 421; where any token is accepted, pages of other origins get no CORS headers",
  ),
];

function choice(name: string, about: string): InterfaceChoice {
  return { name, about };
}
