import { type BlockDraft, lineOf, openFields, take } from "./block-draft.js";
import { isHeading } from "./block-heading.js";
import { blockRole } from "./block-role.js";
import { isLabelName } from "./field-kind.js";
import { fieldLabel, fieldWords, headingRank, lastWord } from "./field-name.js";
import type { BlockField, FieldValue, ImageValue, LinkValue } from "./field-value.js";
import { attribute } from "./rich-text-node.js";

interface OpenLink {
  field: BlockField;
  link: LinkValue;
}

/** A link around what the blocks inside show. */
export interface LinkAround {
  link: LinkValue;
  /** True if it stands before the blocks where it cannot be around them. */
  isFirst: boolean;
}

interface LinksAround {
  heading?: LinkValue;
  blocks?: LinkAround;
}

const vagueNames = /^(?:external|internal|primary|secondary|main|more|path|address|src|source|file|item)$/;
/** Names of links that may be around other content. `mail` or `map` is a link of its own. */
const wrapperNames = /^(?:link|url|href|target|to|button|cta|action|page|destination)$/;

/** Names links by a field called after them (`link_text`), `label`, or the only other text; else puts one around. */
export function nameLinks(draft: BlockDraft, heading: BlockField | undefined): LinksAround {
  const links = openLinks(draft);
  const unnamed = links.filter(({ field, link }) => {
    const label = labelOf(draft, field, heading, links.length === 1);
    if (label === undefined) return !link.isNamed;
    link.text = labelText(label) ?? link.text;
    take(draft, label, "link", `the text of ${field.name}`);
    return false;
  });
  for (const one of unnamed) one.link.text = nameOf(draft, one) ?? one.link.text;
  const [only] = unnamed;
  if (unnamed.length !== 1 || only === undefined) return {};
  const { field, link } = only;
  const isMail = /^(?:mailto|tel):/i.test(link.url);
  const isNamed = heading !== undefined && (headingRank(heading.name) !== undefined || isHeading(draft));
  if (!isMail && isNamed && link.to === "address") {
    take(draft, field, "link", "around the heading");
    return { heading: link };
  }
  if (!isMail && linkImage(draft, only)) return {};
  const isWrapper = wrapperNames.test(lastWord(field.name)) && link.isEmbedded !== true;
  if (heading !== undefined || !isWrapper || !hasBlocksAlone(draft, field)) return {};
  const isFirst = openFields(draft)[0] === field;
  take(draft, field, "link", "around the blocks inside");
  return { blocks: { link, isFirst } };
}

/** What an address without a label leads to: a network that the block names, or the name of its field. */
function nameOf(draft: BlockDraft, { field, link }: OpenLink): string | undefined {
  if (link.to !== "address" || link.isEmbedded || /^(?:mailto|tel):/i.test(link.url)) return undefined;
  const { block } = draft;
  const names = blockRole(block.component).isSocial
    ? /^(?:platform|network|icon|type|name)$/
    : /^(?:platform|network)$/;
  const network = Object.keys(block).find(
    (name) => names.test(name) && /^[a-z]+(?:[-_ ][a-z]+)*$/i.test(attribute(block, name)),
  );
  if (network !== undefined) {
    for (const field of openFields(draft)) if (field.name === network) take(draft, field, "link", "the text of a link");
    return attribute(block, network).replaceAll(/[-_]/g, " ");
  }
  const isVague = fieldWords(field.name).every((word) => wrapperNames.test(word) || vagueNames.test(word));
  return isVague ? undefined : fieldLabel(field.name.replace(/[-_ ]?(?:link|url|href)$/i, ""));
}

/** The links of the block. An address in a field for labels is the text of another link, if there is one. */
function openLinks(draft: BlockDraft): OpenLink[] {
  const links = openFields(draft).flatMap((field): OpenLink[] => {
    const [link] = field.values;
    return field.values.length === 1 && link?.kind === "link" && link.to !== "story" ? [{ field, link }] : [];
  });
  const others = links.filter(({ field, link }) => link.typed === undefined || !isLabelName(field.name));
  return others.length === 0 ? links : others;
}

function labelOf(draft: BlockDraft, link: BlockField, heading: BlockField | undefined, isOnly: boolean) {
  const open = openFields(draft).filter((field) => field !== heading && field !== link && isLabel(labelText(field)));
  const words = fieldWords(link.name);
  const stem = words.filter((word) => !/^(?:link|url|href|target|file)$/.test(word));
  const stems = [words, stem, ...(isOnly ? [["link"], ["button"], ["cta"], ["action"]] : [])].filter(
    (one) => one.length > 0,
  );
  const names = stems.flatMap((one) =>
    ["label", "text", "title", "name", "caption"].flatMap((end) => [[...one, end].join(" "), [end, ...one].join(" ")]),
  );
  if (isOnly) names.push("label", "button", "cta");
  if (stem.length > 0) names.push(stem.join(" "));
  const byName = names
    .map((name) => open.find((field) => fieldWords(field.name).join(" ") === name))
    .find((field) => field !== undefined);
  if (byName !== undefined || !isOnly || heading !== undefined) return byName;
  const [other, ...more] = openFields(draft).filter((field) => field !== link);
  if (more.length > 0 || /^(?:type|format|size)$/.test(lastWord(other?.name ?? ""))) return undefined;
  // A number or a score beside an address says something else.
  return open.find((field) => field === other && /\p{L}/u.test(labelText(field) ?? ""));
}

/** The text on one line of a field; also an address that was typed into a field for labels. */
function labelText(field: BlockField): string | undefined {
  const [value] = field.values;
  const isTyped = field.values.length === 1 && value?.kind === "link" && isLabelName(field.name);
  return isTyped ? value.typed : lineOf(field);
}

function isLabel(text: string | undefined): boolean {
  return text !== undefined && text.length <= 80 && !/[.!?]$/.test(text);
}

function linkImage(draft: BlockDraft, { field, link }: OpenLink): boolean {
  const isImage = (value: FieldValue): value is ImageValue => value.kind === "image";
  const images = openFields(draft).flatMap(({ values }) => values.filter(isImage));
  const [image] = images;
  if (images.length !== 1 || image === undefined || link.to !== "address") return false;
  image.href = link.url;
  take(draft, field, "link", "around the picture");
  return true;
}

function hasBlocksAlone(draft: BlockDraft, link: BlockField): boolean {
  const others = openFields(draft).filter((field) => field !== link);
  return others.length === 1 && others[0]!.values.every(({ kind }) => kind === "block");
}
