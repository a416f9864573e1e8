/**
 * What content may cost. Most of what is done with a record takes time and memory in proportion to its bytes; where it
 * cannot, one of these limits holds, and what happens beyond it stands here and in docs/reliability.md. The snapshot
 * keeps every record as it came: these limits are about reading answers, resolving and rendering.
 */
export const costLimits = {
  /** Bytes of an answer, as sent and as decoded; the interface documents 20 MB. A larger one is refused while it arrives. */
  answerBytes: 64 * 1024 * 1024,
  /** Levels of objects and arrays in an answer. A deeper one is refused. */
  answerNesting: 150_000,
  /** Bytes from which on the nesting of an answer is watched while it arrives; a smaller one is looked at once it is there. */
  answerWatchedFrom: 8 * 1024 * 1024,
  /** Bytes of a manifest that is pulled: one of a million stories has a megabyte. A longer one is damaged. */
  manifestBytes: 32 * 1024 * 1024,
  /** Levels of objects and arrays in a manifest, which has 5 itself. One with more is damaged. */
  manifestNesting: 100,
  /** Milliseconds that a cv may lie ahead of the server's own clock. One further ahead is refused and not waited for. */
  cvAheadMs: 2 * 60 * 60 * 1000,

  /** Stories that one story embeds, at all depths together. All further ones stay references. */
  embeddedStories: 500,
  /** Bytes of the stories that one story embeds, with the references in them. All further ones stay references. */
  embeddedBytes: 1_000_000,
  /** Characters that references, addresses of links and metadata of assets add to one story. Further ones stay as they are. */
  addedCharacters: 4_000_000,

  /** Pixels of a picture's side. Of one that says more, or nothing, no size is told. */
  imageSide: 65_535,
  /** Bytes of a picture in which its size is looked for. */
  imageHeaderBytes: 1024 * 1024,

  /** Levels of nodes and blocks in rich text and of blocks in a page. What lies deeper becomes plain text. */
  nesting: 100,
  /** Marks of one text in rich text. Further ones are left out. */
  marksOfText: 32,
  /** Pieces of bold, italic and struck text in one line. A line with more is written with HTML elements. */
  emphasesOfLine: 500,
  /** Cells that a table gets beyond those that it has, to make all rows equally long. A table that needs more is HTML. */
  filledCells: 10_000,
  /** Fields of a block that are looked at together (a link and its label). In a block with more, each stands alone. */
  pairedFields: 500,
  /** Closing brackets in one paragraph of an editor's Markdown. A text with more is shown as plain text. */
  markdownBrackets: 2_000,
  /**
   * Different lengths of runs of backticks in one paragraph of an editor's Markdown. A text with more is shown as plain
   * text.
   */
  markdownBackticks: 50,
  /**
   * Characters of addresses and titles that references in one Markdown field repeat, where they are written as links.
   * Further references become text.
   */
  referencedCharacters: 500_000,
  /** Levels of quotations and lists in one line of an editor's Markdown. A text with more is shown as plain text. */
  markdownNesting: 100,
  /** Words or lines that came and went in one text. Where more did, all of it is told as replaced. */
  comparedEdits: 400,
  /** Characters of two texts that are compared by words. Longer ones are compared by lines. */
  comparedWordsCharacters: 50_000,
  /** Characters of two texts that are compared at all, without what both begin and end with. Longer ones are told as replaced. */
  comparedCharacters: 500_000,
  /** Dead links of one field whose place in it is told. */
  placedDeadLinks: 100,
  /** Characters of the path of a value in a message. Of a longer one only the end is told. */
  pathCharacters: 300,
} as const;
