import type { Unsafe } from "mdast-util-to-markdown";
import type { FrontMatterRules } from "./front-matter.js";

/**
 * What reads the Markdown files: which front matter it wants, how it names pages, and what it takes from a file beyond
 * CommonMark. Text that an editor typed comes out as that text, whatever the generator would make of it.
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
  /** Whether the file of the home page lies at the root under the name of a start page, whatever its slug is. */
  homeAtRoot?: boolean;
  /** Whether the address of a page follows from the place of its file, whatever its front matter says. */
  routesByFile?: boolean;
  /** Whether its own layout shows the body alone: the title then stands above a body that has none. */
  titleInBody?: boolean;
  /** Whether a Markdown link to an address without a page ends its build: such a link is written as HTML. */
  endsAtDeadLinks?: boolean;
  /** Text that it would run or take for markup of its own: escaped wherever it stands. */
  unsafe: readonly Unsafe[];
  /** What it would run even in code: such code is written in another form, in which it is text. */
  runsInCode?: RegExp;
  /** Quotes such code so that the generator gives it back unchanged; undefined where that is impossible. */
  quoteCode?(value: string): string | undefined;
  /** Text that it would run in an editor's Markdown: such Markdown is read and written again. */
  runsInMarkdown?: RegExp;
  /** Whether it compiles HTML in Markdown: HTML of editors then becomes text. */
  compilesHtml?: boolean;
  /** Text that it replaces although it is escaped: an empty comment is put behind the match. */
  replacesText?: RegExp;
  /**
   * Whether it reads Markdown as kramdown does: a character is escaped by a reference, a line broken by `<br />`, and a
   * block of HTML says that there is Markdown in it.
   */
  isKramdown?: boolean;
  /**
   * What stands around the body; with `where` only around one that holds this. `endedBy` (global): text that would end it
   * too early. The first character of such a text becomes a character reference, wherever it stands.
   */
  wrap?: { before: string; after: string; where?: RegExp; endedBy?: RegExp };
}
