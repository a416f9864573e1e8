import type { Heading, Paragraph, Parents, RootContent, Text } from "mdast";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import {
  type ConstructName,
  defaultHandlers,
  type Handle,
  type Info,
  type Options,
  type State,
  toMarkdown,
  type Unsafe,
} from "mdast-util-to-markdown";
import { forTarget } from "./for-target.js";
import type { CharacterReference } from "./inline-to-mdast.js";
import { type Between, type PrintLine, plainFlow, plainHeading, plainPhrasing } from "./plain-flow.js";
import type { TargetProfile } from "./target-profile.js";

const literal = {
  inConstruct: "phrasing",
  notInConstruct: ["autolink", "link", "image", "label"],
} satisfies Partial<Unsafe>;
const spans: ConstructName[] = [
  "autolink",
  "destinationLiteral",
  "destinationRaw",
  "reference",
  "titleQuote",
  "titleApostrophe",
];

/** Escapes addresses in texts, which readers would turn into links: what an editor did not link stays text. */
const autolinks: Options = {
  unsafe: [
    { character: "@", before: "[+\\-.\\w]", after: "[\\-.\\w]", ...literal },
    { character: ".", before: "[Ww]", after: "[\\-.\\w]", ...literal },
    { character: ":", before: "[ps]", after: "\\/", ...literal },
    { character: "<", after: "(?=\\S)", inConstruct: "phrasing", notInConstruct: spans },
  ],
};

const characterReferences: Options = {
  handlers: {
    characterReference: Object.assign(
      ({ character }: CharacterReference) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`,
      { peek: () => "&" },
    ),
  },
};

/**
 * Nothing that Markdown or a target could interpret: it skips the search for unsafe patterns, which takes longest.
 * At its edges may be a full stop and spaces, which {@link isPlain} judges by their neighbours.
 */
const plainWords = /^\.? ?(?:[\p{L}\p{M}\p{N},’“”„–—…]|(?<=\S) (?=\S)|(?<=[a-vx-z])\.(?= |$))* ?$/u;
const plainBeginning = /^(?:[\p{L}\p{N},.]| (?![\r\n]))/u;

/** True if a text means nothing but itself between these characters. A space at the edge of a line would be lost. */
function isPlain(value: string, { before, after }: Between): boolean {
  if (!plainWords.test(value) || (value.endsWith(" ") && /^[\r\n]/.test(after))) return false;
  if (value.startsWith(".")) return /[)*_~]$/.test(before);
  return !(value.startsWith(" ") && /[\r\n]$/.test(before));
}

function textHandler(print: (node: Text, ...rest: Rest) => string): Handle {
  const handler = (node: Text, ...rest: Rest): string =>
    isPlain(node.value, rest[2]) ? node.value : print(node, ...rest);
  // The library asks for the beginning of a text before it prints what precedes it: that would print it twice.
  const peek = (node: Text, ...rest: Rest): string =>
    plainBeginning.test(node.value) ? node.value : handler(node, ...rest);
  return Object.assign(handler, { peek });
}

type Rest = [parent: Parents | undefined, state: State, info: Info];

const words: Options = {
  handlers: {
    text: textHandler((node, ...rest) => literalUnderscores(defaultHandlers.text(node, ...rest), rest[2])),
  },
};

/**
 * Escapes underscores next to emphasis, beside the first and last character of a text: where the library writes that
 * character as a reference, an underscore behind it is no longer within a word.
 */
function literalUnderscores(printed: string, { before, after }: Between, underscore = "\\_"): string {
  let text = printed;
  const escaped = (run: string) => underscore.repeat(run.length);
  if (/[*_~]$/.test(before))
    text = text.replace(/^([^\\_])(_+)/u, (_, first: string, run: string) => first + escaped(run));
  if (!/^[*_~]/.test(after)) return text;
  return text.replace(/(?<![\\_])(_+)([^_])$/u, (_, run: string, last: string) => escaped(run) + last);
}

/** Everything that Markdown may escape: as a reference, which every dialect of it reads as that character and nothing more. */
const punctuation = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"];
const references: Options = {
  handlers: {
    text: textHandler((node, _parent, state, info) =>
      literalUnderscores(state.safe(node.value, { ...info, encode: punctuation }), info, "&#x5F;"),
    ),
  },
};

/** Prints lines of plain texts at once, and leaves all others to the library. */
function lines(printLine: PrintLine): Options {
  return {
    handlers: {
      paragraph: (node: Paragraph, parent: Parents | undefined, state: State, info: Info) => {
        const line = info.before === "\n" && info.after === "\n" ? printLine(node) : undefined;
        return line ?? defaultHandlers.paragraph(node, parent, state, info);
      },
      heading: (node: Heading, parent: Parents | undefined, state: State, info: Info) =>
        plainHeading(node, printLine) ?? defaultHandlers.heading(node, parent, state, info),
    },
  };
}

const extensions: readonly Options[] = [
  gfmTableToMarkdown({ tablePipeAlign: false }),
  gfmStrikethroughToMarkdown(),
  autolinks,
  characterReferences,
  words,
];

interface Printing {
  line: PrintLine;
  /** For the library. */
  options: Options;
}

function printingFor(target: TargetProfile | undefined): Printing {
  const unsafe = [...(target?.unsafe ?? [])];
  const line: PrintLine = ({ children }) => plainPhrasing(children, isPlain, unsafe);
  const options: Options = {
    bullet: "-",
    bulletOther: "+",
    rule: "*",
    listItemIndent: "one",
    fences: true,
    resourceLink: true,
    extensions: [...extensions, lines(line), { unsafe }, ...(target?.isKramdown ? [references] : [])],
  };
  return { line, options };
}

const plainPrinting = printingFor(undefined);
const ofTargets = new WeakMap<TargetProfile, Printing>();

function knownPrinting(target: TargetProfile): Printing {
  const known = ofTargets.get(target) ?? printingFor(target);
  ofTargets.set(target, known);
  return known;
}

/** CommonMark with GFM tables and strikethrough. @param target what reads the text; what it would run is escaped */
export function markdownText(children: readonly RootContent[], target?: TargetProfile): string {
  if (children.length === 0) return "";
  const given = { type: "root" as const, children: [...children] };
  const root = target === undefined ? given : forTarget(given, target);
  const { line, options } = target === undefined ? plainPrinting : knownPrinting(target);
  return plainFlow(root.children, line) ?? toMarkdown(root, options);
}
