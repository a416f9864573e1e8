import { wordSet as names, synonyms } from "./word-list.js";

/** Elements that begin a block of their own. */
export const blockElements = names(`
  address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul
`);
export const emptyElements = names("area base br col embed hr img input link meta param source track wbr");
/** Elements that may be left open: HTML says where they end. */
export const openEndedElements = names("p li dt dd tr td th thead tbody tfoot caption colgroup body html");
/** Elements whose content is no text for readers. */
export const droppedElements = names(`
  script style template noscript noembed noframes title textarea svg math xmp object applet canvas select datalist button
  input frameset
`);
/** Elements that embed something from an address. */
export const embeddingElements = names("iframe video audio embed");

/** Marks of rich text for elements of a line. */
export const markOfElement = synonyms(`bold strong b dt summary; italic em i cite dfn var; underline u ins;
  strike s strike del; superscript sup; subscript sub; code code kbd samp tt; highlight mark`);

/** Elements of a line that say nothing to a reader by themselves, beside those with a mark. */
const plainElements = names("a abbr bdi bdo big br data font img label small span time wbr q");

export function isLineElement(name: string): boolean {
  return plainElements.has(name) || (markOfElement.has(name) && !blockElements.has(name));
}
