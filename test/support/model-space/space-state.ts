import type { LaggingPart, Lags } from "./lags.js";

/** What the space holds at one moment. Never changed: every write makes another one. */
export interface SpaceState {
  /** Codes besides the default language. */
  readonly languages: readonly string[];
  /** By id. */
  readonly folders: ReadonlyMap<number, Folder>;
  /** By uuid. */
  readonly stories: ReadonlyMap<string, Story>;
  /** Deleted stories that may be restored. */
  readonly trash: ReadonlyMap<string, Story>;
  readonly datasources: readonly Datasource[];
  /** Release id → uuid → the headline that the story has in it. */
  readonly releases: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Uuids that stories have and name; undefined: they have any, name none, and may share a group. */
  readonly pool?: readonly string[] | undefined;
  /** undefined: the space has no taxonomies. */
  readonly terms?: Terms | undefined;
}

export interface Terms {
  readonly all: readonly ModelTerm[];
  /** Uuid of a story → ids of its terms. */
  readonly assigned: ReadonlyMap<string, readonly string[]>;
}

export interface ModelTerm {
  readonly id: string;
  readonly name: string;
  /** null: a taxonomy. */
  readonly parentId: string | null;
  readonly isArchived?: boolean;
}

export interface Folder {
  readonly id: number;
  readonly uuid: string;
  readonly slug: string;
  /** 0 at the root. */
  readonly parentId: number;
  readonly name: string;
  readonly createdMs: number;
}

export interface Story {
  readonly id: number;
  readonly uuid: string;
  /** The last segment; a start page has none. */
  readonly slug: string;
  readonly parentId: number;
  readonly isStartpage: boolean;
  readonly position: number;
  readonly groupId: string;
  readonly createdMs: number;
  /** Last save. */
  readonly updatedMs: number;
  /** Kept when the story is unpublished. */
  readonly publishedMs: number | null;
  readonly firstPublishedMs: number | null;
  readonly draft: Content;
  /** What visitors see; null: not published. */
  readonly published: PublishedContent | null;
}

export interface Content {
  readonly name: string;
  readonly headline: string;
  readonly tags: readonly string[];
  /** Language → headline; a language without one falls back to the default. */
  readonly translated: ReadonlyMap<string, string>;
}

export interface PublishedContent extends Content {
  /** Time of the save that was published. */
  readonly savedMs: number;
  /** Languages that are published, where translations are published individually. */
  readonly languages: ReadonlySet<string>;
}

export interface Datasource {
  readonly id: number;
  readonly slug: string;
  readonly dimensions: readonly { readonly id: number; readonly code: string }[];
  readonly entries: readonly DatasourceEntry[];
}

export interface DatasourceEntry {
  readonly id: number;
  readonly name: string;
  readonly value: string;
  /** Dimension code → value. */
  readonly translated: ReadonlyMap<string, string>;
}

/**
 * The behaviour of this space and its upstream that the interface leaves open, or that a setting
 * decides.
 */
export interface Dialect {
  /**
   * `redirect`: published reads without the current cv are redirected. `body`: they are served, and
   * the body contains the cv.
   */
  readonly cvBy: "redirect" | "body";
  /** Longest time between a write and its new cv, in milliseconds. */
  readonly longestLagMs: number;
  /** The parent id of what lies at the root. */
  readonly rootParent: 0 | null;
  /** True if the link of a start page has the trailing slash that the story has. */
  readonly startpageSlashInLinks: boolean;
  readonly translationsIndividually: boolean;
  /** True if links list their languages. */
  readonly linkAlternates: boolean;
  readonly translatableSlugs: boolean;
  /** Whether a save that is not published shows in the dates of published records; it moves the cv then. */
  readonly savesShow: boolean;
  readonly totalOnLinks: boolean;
  /** The most rows of a page, below what the client asks for. */
  readonly linksPageCap: number;
  readonly storiesPageCap: number;
  /** True if datasources are redirected to the current cv; else they are served for any. */
  readonly datasourcesRedirect: boolean;
  /** True if tags are renamed. */
  readonly renamesTags: boolean;
  /** How taxonomies behave; undefined: the upstream does not know them. */
  readonly taxonomies?: TermsDialect | undefined;
  /** Whether a minimum cache time holds the cv back: the version in the record of the space moves at once. */
  readonly holdsCv?: boolean;
  /** How far the parts of the interface lag behind the space, and so behind one another. */
  readonly lags: Lags;
  /** The most datasources and entries of a page; undefined: as many as the interface serves. */
  readonly listsPageCap?: number | undefined;
  /** True if no list sends its page size. */
  readonly hidesPerPage?: boolean | undefined;
  /** An origin that is behind answers some requests, and its answers say at which cv; edges keep them. */
  readonly olderOrigin?: OlderOrigin | undefined;
}

export interface TermsDialect {
  /** Whether an edit of a term moves the cv. If not, the addresses of taxonomies are served at any cv. */
  readonly movesCv: boolean;
  readonly treesNameStories: boolean;
  /** Whether stories with their terms are refused. */
  readonly refusesParameter: boolean;
}

/** An origin that is behind the others. */
export interface OlderOrigin {
  /** Share of the requests that it answers. */
  readonly share: number;
  /** How far it is behind, in milliseconds. */
  readonly behindMs: number;
  readonly parts: readonly LaggingPart[];
}

/** Path of a folder with its trailing slash; "" for the root. */
export function folderPath(state: SpaceState, id: number): string {
  const segments: string[] = [];
  for (let at = state.folders.get(id); at !== undefined; at = state.folders.get(at.parentId)) segments.push(at.slug);
  return segments.length === 0 ? "" : `${segments.reverse().join("/")}/`;
}

export function fullSlug(state: SpaceState, story: Story): string {
  return `${folderPath(state, story.parentId)}${story.isStartpage ? "" : story.slug}`;
}
