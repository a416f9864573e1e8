/**
 * The limits of the interface: those of seed section 8, and those that are documented beyond it. Sizes are in bytes,
 * pages are counted from 1.
 */
export const limits = {
  storiesPerPage: { default: 25, max: 100 },
  datasourcesPerPage: { default: 25, max: 1000 },
  datasourceEntriesPerPage: { default: 25, max: 1000 },
  linksPerPage: { default: 25, max: 1000 },
  firstPage: 1,
  /**
   * Stories that one request resolves for `resolve_relations`, both levels together. Over it, `rel_uuids` replaces
   * `rels`.
   */
  relations: 50,
  /** First-level relations beyond which the second level is left out, unless `resolve_level=2` is given. */
  firstLevelRelations: 100,
  relationLevels: 2,
  linkLevels: { default: 1, max: 2 },
  /** Links that one request resolves for `resolve_links`. Over it, `link_uuids` replaces `links`. */
  links: 500,
  storyBytes: 5 * 1024 * 1024,
  answerBytes: 20 * 1024 * 1024,
  /** Concurrent requests for drafts of one space. */
  concurrentDrafts: 30,
} as const;

/** Names that `excluding_story_fields` can drop from a story; any other name is silently ignored. */
export const excludableStoryFields: readonly string[] = [
  "alternates",
  "created_at",
  "default_full_slug",
  "first_published_at",
  "group_id",
  "is_startpage",
  "lang",
  "meta_data",
  "parent_id",
  "path",
  "position",
  "published_at",
  "release_id",
  "sort_by_date",
  "tag_list",
  "taxonomy_terms",
  "translated_slugs",
  "updated_at",
];
