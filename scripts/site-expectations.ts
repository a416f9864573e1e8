/** What a built site has to be. */
export interface SiteExpectations {
  /** `https://lumenpress.example`: absolute addresses below it are the site's own. */
  origin: string;
  /** The pages of stories: each has to be there, and no others but `own`. */
  pages: readonly ExpectedPage[];
  /** Addresses of pages that are of no story: the pages of a list, a redirect. `/404` has to be there, `/de/404` and `/200` may. */
  own?: readonly RegExp[];
  /** Paths, without a slash at the end and with the fragment where only that is missing, that lead nowhere in the content itself. */
  deadLinks?: readonly string[];
  /** Earlier addresses of stories: a page or the file `_redirects` leads on, and no sitemap lists them. */
  moves?: readonly { from: string; to: string }[];
  /** Elements that have to stand in the `main` of some page; default: `table`, `pre`, `img`. */
  elements?: readonly string[];
  /** The generation that the pages have to name, in `meta name="generation"`. */
  generation?: number;
}

export interface ExpectedPage {
  /** The address; a slash at the end does not matter. */
  url: string;
  /** As `lang` and `hreflang` have it: `pt-BR`. */
  language: string;
  /** The addresses of the page in every language that has it, itself too, by language. */
  translations: Readonly<Record<string, string>>;
  /** What the `title` element has to contain. */
  title?: string;
  /** Texts that a reader has to see. */
  texts?: readonly string[];
}

export interface SiteProblem {
  kind:
    | "alternates" // hreflang of a page, or of its entry in the sitemap, is not what its translations are
    | "element" // no page shows a table, code …
    | "foreign" // an element or attribute that content brought
    | "fragment" // leads to a page that has no such place
    | "generation" // another one than the other pages have
    | "language" // `lang` of the page
    | "link" // leads to no file and no redirect
    | "page" // missing, or of no story
    | "picture" // missing, without alternative text, or another size than its file
    | "sitemap" // an entry without a page, a page without an entry
    | "text" // a text of the story that is not there as text
    | "title";
  /** Path of the file below the folder; empty for the whole site. */
  file: string;
  message: string;
}
