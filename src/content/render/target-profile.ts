import type { Unsafe } from "mdast-util-to-markdown";
import type { FrontMatterRules } from "./front-matter.js";

/**
 * What reads the Markdown files: which front matter it wants, how it names pages, and what it takes from a file beyond
 * CommonMark. Text that an editor typed stays that text in the generator's output.
 */
export interface TargetProfile {
  /**
   * Tells the profile from all others: it is noted in the content tree, and another name renders every Markdown file
   * again. A profile whose rules changed needs a new name: `my-site-2`.
   */
  name: string;
  frontMatter: FrontMatterRules;
  /**
   * `startPage`: name of the file that is a folder's own page. `special`: names that no other file may have.
   * `hidden`: names of files and folders that it does not read; their first character is encoded.
   */
  fileNames: { startPage: string; special: RegExp; hidden?: RegExp };
  /** True if the home page's file is at the root, named as a start page, for any slug. */
  homeAtRoot?: boolean;
  /** True if the path of a file alone decides the page's address. */
  routesByFile?: boolean;
  /** True if its layout shows only the body: a body without a title then gets one. */
  titleInBody?: boolean;
  /** True if a Markdown link to an address without a page ends its build: such a link is written as HTML. */
  endsAtDeadLinks?: boolean;
  /** Text that it would run or read as its own markup: always escaped. */
  unsafe: readonly Unsafe[];
  /** Text that it would run even in code: such code is written in a safe form. */
  runsInCode?: RegExp;
  /** Quotes such code so that the generator gives it back unchanged; undefined if that is impossible. */
  quoteCode?(value: string): string | undefined;
  /** Text that it would run in an editor's Markdown: such Markdown is read and written again. */
  runsInMarkdown?: RegExp;
  /** True if it compiles HTML in Markdown: HTML of editors then becomes text. */
  compilesHtml?: boolean;
  /** Text that it replaces although it is escaped: an empty comment is put behind the match. */
  replacesText?: RegExp;
  /**
   * True if it reads Markdown as kramdown does: a character is escaped by a reference, a line broken by `<br />`, and a
   * block of HTML says that there is Markdown in it.
   */
  isKramdown?: boolean;
  /**
   * The texts around the body; with `where` only around one that holds this. `endedBy` (global): text that would end it
   * too early. The first character of such a text always becomes a character reference.
   */
  wrap?: { before: string; after: string; where?: RegExp; endedBy?: RegExp };
}
