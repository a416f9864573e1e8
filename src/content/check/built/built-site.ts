import type { Config, Version } from "../../../config/config.js";
import type { EditionEntry, Manifest } from "../../../snapshot/manifest.js";
import type { Store } from "../../../snapshot/store/store.js";
import type { Wrong } from "../finding.js";
import type { BuiltCode } from "../rules/built-rules.js";
import type { SiteAddresses } from "./site-addresses.js";
import type { SiteFiles, SiteRedirect } from "./site-files.js";

export interface BuiltSiteSource {
  store: Store;
  /** The generation that the site shows. */
  manifest: Manifest;
  config: Config;
  version: Version | undefined;
  files: SiteFiles;
  /** The origin that most pages name. */
  origin: string | undefined;
}

/** What the rules know of a built site and of the stories that it shows. */
export interface BuiltSite {
  files: SiteFiles;
  addresses: SiteAddresses;
  /** Those that should have a page, the default language first. */
  stories: readonly BuiltStory[];
  /** By file. */
  pages: ReadonlyMap<string, BuiltPage>;
  redirects: readonly SiteRedirect[];
  /** Addresses that stories had in earlier generations, and no story has now. */
  gone: readonly GoneStory[];
  /** Assets that are not there, by their paths: the first page that names each, and how many do. */
  missingAssets: ReadonlyMap<string, { page: BuiltPage; count: number }>;
  /** `lang` of most pages of the default language; "" if unknown. */
  defaultLang: string;
}

/** What a page of a story should show. */
export interface StoryTexts {
  /** The story's name, and the title and headline of its content: any of them will do. As `letters` makes them. */
  titles: string[];
  /** The longest paragraph of each of the fields with the longest ones, the longest first. */
  paragraphs: Paragraph[];
}

export interface Paragraph {
  /** `component.field`. */
  field: string;
  /** `body[2].text`. */
  path: string;
  /** Its beginning, for people. */
  begins: string;
  /** `letters` of it, or of its beginning. */
  letters: string;
}

export interface BuiltStory extends StoryTexts {
  edition: EditionEntry;
  uuid: string;
  slug: string;
  url: string;
  type: string;
  /** Its page; undefined if there is none. */
  file: string | undefined;
}

/** What is kept of an HTML file. */
export interface BuiltPage {
  file: string;
  /** `/books/` for `books/index.html`. */
  address: string;
  story: BuiltStory | undefined;
  lang: string;
  canonical: string | undefined;
  alternates: readonly (readonly [language: string, address: string])[];
  refresh: string | undefined;
  /** Why it was not read, or not to its end. */
  unread: string | undefined;
  /** Whether it shows one of its story's titles, in its body or its title; and whether in its body. */
  showsTitle: boolean;
  showsTitleInBody: boolean;
  /** Which of its story's paragraphs it shows. */
  shows: readonly boolean[];
  /** How much of the text that pages of the default language share it has, 0 to 1. */
  shellShare: number;
}

export interface GoneStory {
  edition: EditionEntry;
  uuid: string;
  name: string;
  slug: string;
  url: string;
  /** A kept generation that has it there. */
  generation: number;
  /** Where the story is now; undefined if it is gone. */
  movedTo: string | undefined;
  file: string;
}

/** What a rule reports about a built site. */
export interface BuiltReport extends Pick<Wrong, "field" | "wrong" | "message" | "level"> {
  code: BuiltCode;
  story?: BuiltStory | GoneStory | undefined;
  /** Where there is no story: what the finding is about. */
  subject?: string;
}

/** `books/index.html` is `/books/`, `about.html` is `/about`. */
export function addressOfFile(file: string): string {
  const path = file.replace(/(^|\/)index\.html?$/i, "$1").replace(/\.html?$/i, "");
  return `/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The type of the story and its language, whose pages are compared with each other. */
export function groupOf({ edition, type }: Pick<BuiltStory, "edition" | "type">): string {
  return `${edition.name} ${type}`;
}
