import { type Language, space } from "./space.js";
import { type Text, translationOf } from "./translated.js";

/** Content as it is written: blocks whose `_uid` is still empty, with translated values anywhere in them. */
export interface DraftContent {
  _uid: string;
  component: string;
  [field: string]: unknown;
}

/** One story of the demo space as it is written; `storyLine` makes the records of it. */
export interface DemoStory {
  /** Path in the default language, without a trailing slash: `books/atlas/the-salt-road`. */
  path: string;
  name: Text;
  content: DraftContent;
  /** Day of first publication, `YYYY-MM-DD`. */
  date: string;
  /** The start page of the folder at {@link path}. */
  startpage?: true;
  /** Translations of the last segment of the path. */
  slugs?: Slugs | undefined;
  /** Languages in which a translation is published; the others have a draft only. */
  translations?: readonly Language[] | undefined;
  /** Languages whose translation was published once and taken back. */
  withdrawn?: readonly Language[] | undefined;
  tags?: readonly string[];
  position?: number;
  /** `sort_by_date` is the day of publication instead of null. */
  dated?: true;
  /** Real path, where it is not the slug. */
  realPath?: string;
  metaData?: Record<string, unknown>;
  /** Stories of one group are each other's alternates. */
  group?: string;
  /** Default: published. `never`: a draft only. `withdrawn`: was published once. `release`: exists in the release only. */
  state?: "never" | "withdrawn" | "release" | undefined;
  /** What the draft has instead of what is published. */
  draft?: StoryEdit | undefined;
  /** What the release has instead of what is published. */
  release?: StoryEdit | undefined;
}

/** What a draft or the release has instead of what is published. */
interface StoryEdit {
  name?: Text;
  content?: Record<string, unknown>;
}

/** The last segment of a path in the languages that have one of their own. */
export type Slugs = { readonly [language in Language]?: string | undefined };

/** A folder of the demo space. */
export interface DemoFolder {
  path: string;
  name: string;
  date: string;
  slugs?: Slugs;
  position?: number;
}

/** A block of a component; its `_uid` is filled in when the records are made. */
export function blok(component: string, fields: Record<string, unknown> = {}): DraftContent {
  return { _uid: "", component, ...fields };
}

/** The slugs that a name gives in the languages that it is translated to. */
export function slugsOf(name: Text): Slugs {
  const slug = (language: Language) => {
    const translation = translationOf(name, language);
    return translation === undefined ? undefined : slugOf(translation);
  };
  return { de: slug("de"), "pt-br": slug("pt-br") };
}

/** The languages that have a slug of their own. */
export function languagesWith(slugs: Slugs | undefined): Language[] {
  return space.languages.filter((language) => slugs?.[language] !== undefined);
}

const letters: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss", ø: "o", æ: "ae" };

/** The last segment of a path, made of a name: lower case, hyphens, no accents, German letters spelled out. */
export function slugOf(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[äöüßøæ]/g, (letter) => letters[letter] ?? letter)
    .normalize("NFD")
    .replace(/[\p{M}'’]/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
