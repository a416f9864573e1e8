import type { Origin } from "../src/contract/endpoint.js";
import type { limits } from "../src/contract/limits.js";

/** One rule of the interface that is neither a field nor a parameter nor a limit. */
export interface Behaviour {
  /** Section of docs/interface-reference.md. */
  readonly section: string;
  readonly origin: Origin;
  readonly name: string;
  readonly about: string;
}

/** The rules; each is a row of test/interface.md, which names the tests that show it. */
export const behaviours: readonly Behaviour[] = [
  seed("3", "version", "draft or published, published without the parameter"),
  seed("3", "published", "links and alternates carry the flag"),
  seed("3", "release_id", "null, or the release whose version of the story this is"),
  seed("3", "is_control", "true for the variant that stands for the unchanged story"),
  seed("4.1", "sort property", "default properties, and content.<field>"),
  seed("4.1", "sort cast", "custom fields as texts, :int and :float as numbers"),
  seed("4.1", "sort chain", "several keys, separated by commas"),
  seed("4.1", "sort nulls", "null and empty values last, or first with :nulls_first"),
  documented("4.1", "default order", "position ascending, then the newest id first"),
  documented("4.10", "order", "that of the space: position ascending, then the newest id first"),
  seed("4.2", "nested field", "dots walk into objects"),
  seed("4.2", "array position", "a number selects an element of an array"),
  seed("4.2", "several conditions", "all must hold"),
  documented("4.2", "__or", "one of the groups must hold"),
  documented("4.2", "array", "a list as one text with commas, or as [<operation>][]=a for each value"),
  documented("4.2", "raw brackets", "brackets raw or percent-encoded"),
  documented("4.2", "translated field", "field__i18n__<language>"),
  seed("5", "token", "query parameter of every delivery address"),
  seed("5", "personal token", "Authorization header of the management reads"),
  seed("5", "bearer token", "Authorization: Bearer, for the OAuth address"),
  documented("5", "bearer token of a plugin", "valid for the management reads too"),
  documented("5", "public token", "refused for drafts"),
  documented("7", "401", "no token or a wrong one: {error}"),
  documented("7", "404", "unknown path or record: an array of one text"),
  documented("7", "422", "a parameter that is not allowed: {error}"),
  documented("7", "400", "a null byte in a parameter"),
  documented("7", "500", "a numbered __or group"),
  documented("7", "429", "too many requests, without Retry-After"),
  documented("7", "page beyond the end", "an empty list, no error"),
  seed("9", "paths", "/v2/cdn for delivery, /v1 for management"),
  seed("9", "cv", "answers tell the cv that they were made from, requests name it"),
  documented("9", "redirect", "published without the current cv: 301 to the same address with it"),
  documented("9", "draft cv", "drafts ignore cv and are never redirected"),
  documented("10", "Total", "number of all records of a list"),
  documented("10", "Per-Page", "records of one page that the server used"),
  documented(
    "10",
    "Cache-Control",
    "published: shared caches keep it, an hour longer when the origin fails; drafts: private",
  ),
  documented("10", "Link", "empty on delivery answers: pages are not linked"),
  documented("10", "Access-Control-Expose-Headers", "Api-Version, Token, Total, Per-Page"),
  documented("10", "trailing slash", "ignored"),
];

/** Where a limit is stated: a row of seed section 8, or a section of docs/interface-reference.md beyond it. */
export const limitRows: Record<keyof typeof limits, Omit<Behaviour, "name">> = {
  storiesPerPage: { section: "8", origin: "seed", about: "stories of one page" },
  datasourcesPerPage: { section: "8", origin: "seed", about: "datasources of one page" },
  datasourceEntriesPerPage: { section: "8", origin: "documented", about: "datasource entries of one page" },
  linksPerPage: { section: "8", origin: "documented", about: "links of one page" },
  firstPage: { section: "8", origin: "seed", about: "the page that is answered when none is named" },
  relations: { section: "8", origin: "seed", about: "stories resolved by resolve_relations" },
  firstLevelRelations: { section: "8", origin: "seed", about: "first-level relations before the second level stops" },
  relationLevels: { section: "8", origin: "seed", about: "depth of resolve_relations" },
  linkLevels: { section: "8", origin: "seed", about: "depth of resolve_links" },
  links: { section: "8", origin: "seed", about: "links resolved by resolve_links (the seed leaves the value open)" },
  storyBytes: { section: "8", origin: "documented", about: "JSON of one story" },
  answerBytes: { section: "8", origin: "documented", about: "JSON of one answer" },
  concurrentDrafts: { section: "8", origin: "documented", about: "draft requests of one space at the same time" },
};

function seed(section: string, name: string, about: string): Behaviour {
  return { section, origin: "seed", name, about };
}

function documented(section: string, name: string, about: string): Behaviour {
  return { section, origin: "documented", name, about };
}
