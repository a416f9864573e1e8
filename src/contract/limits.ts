/** Seed section 8, and documented additions. Sizes are in bytes; pages count from 1. */
export const limits = {
  storiesPerPage: { default: 25, max: 100 },
  datasourcesPerPage: { default: 25, max: 1000 },
  datasourceEntriesPerPage: { default: 25, max: 1000 },
  linksPerPage: { default: 25, max: 1000 },
  firstPage: 1,
  /** Stories that `resolve_relations` resolves, over both levels; beyond it, only `rel_uuids`. */
  relations: 50,
  /** First-level relations beyond which the second level is skipped, unless `resolve_level=2`. */
  firstLevelRelations: 100,
  relationLevels: 2,
  linkLevels: { default: 1, max: 2 },
  /** Links that `resolve_links` resolves; beyond it, `link_uuids` replaces `links`. */
  links: 500,
  storyBytes: 5 * 1024 * 1024,
  answerBytes: 20 * 1024 * 1024,
  /** Concurrent requests for drafts of one space. */
  concurrentDrafts: 30,
} as const;

/** Names that `excluding_story_fields` can drop; other names are ignored. */
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
