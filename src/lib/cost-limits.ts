/** Where work is not linear in a record's bytes: each says what happens beyond it, as does docs/reliability.md. */
export const costLimits = {
  /** Bytes of an answer, sent or decoded; documented are 20 MB. A larger one is refused early. */
  answerBytes: 64 * 1024 * 1024,
  /** Levels of objects and arrays in an answer. A deeper one is refused. */
  answerNesting: 150_000,
  /** Bytes from which nesting is checked on arrival; smaller answers are checked at the end. */
  answerWatchedFrom: 8 * 1024 * 1024,
  /** Bytes of a pulled manifest; a million stories need one megabyte. A longer one is damaged. */
  manifestBytes: 32 * 1024 * 1024,
  /** Levels in a manifest, which uses 5. One with more is damaged. */
  manifestNesting: 100,
  /** Milliseconds that a cv may be ahead of the server's clock. A later cv is refused. */
  cvAheadMs: 2 * 60 * 60 * 1000,

  /** Stories that one story embeds, over all depths. Further ones stay references. */
  embeddedStories: 500,
  /** Bytes of the stories that one story embeds, with references. Further ones stay references. */
  embeddedBytes: 1_000_000,
  /** Characters added by references, link addresses and asset metadata. Further ones stay as is. */
  addedCharacters: 4_000_000,

  /** Pixels of an image side. A larger or missing size is not reported. */
  imageSide: 65_535,
  /** Bytes of an image in which its size is looked for. */
  imageHeaderBytes: 1024 * 1024,

  /** Levels of nodes and blocks in rich text and pages. Deeper ones become plain text. */
  nesting: 100,
  /** Levels of lists, quotations and tables in HTML of a text. Of deeper ones only the text stays. */
  htmlNesting: 40,
  /** Marks of one text in rich text. Further ones are dropped. */
  marksOfText: 32,
  /** Bold, italic and struck pieces in one line. A line with more is written with HTML elements. */
  emphasesOfLine: 500,
  /** Cells added to a table to make its rows equally long. A table that needs more becomes HTML. */
  filledCells: 10_000,
  /** Fields of a block that are paired (link and label). In a larger block, fields stay single. */
  pairedFields: 500,
  /** Closing brackets in one paragraph of Markdown. A text with more becomes plain text. */
  markdownBrackets: 2_000,
  /** Lengths of backtick runs in one Markdown paragraph. A text with more becomes plain text. */
  markdownBackticks: 50,
  /** Characters of addresses and titles that references in one Markdown field repeat. Further ones become text. */
  referencedCharacters: 500_000,
  /** Levels of quotes and lists in one Markdown line. A text with more becomes plain text. */
  markdownNesting: 100,
  /** Words or lines added and removed in one text. Beyond it, the whole text is replaced. */
  comparedEdits: 400,
  /** Characters of two texts compared by words. Longer ones are compared by lines. */
  comparedWordsCharacters: 50_000,
  /** Characters compared, without a common start and end. Longer texts are shown as replaced. */
  comparedCharacters: 500_000,
  /** Dead links of one field that are reported with their place. */
  placedDeadLinks: 100,
  /** Characters of a value's path in a message. A longer path shows only its end. */
  pathCharacters: 300,
} as const;
