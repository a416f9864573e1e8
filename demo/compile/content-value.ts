import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";
import { z } from "zod";
import { space } from "../space.js";
import { translated } from "../translated.js";
import { notations } from "./notations.js";
import type { FindAsset } from "./rich-text-from-markdown.js";

/** Is called with every node that has a mistake. */
export type Report = (node: Node, message: string) => void;

/**
 * The value that a node of a content file stands for: notations are replaced by what they are short for, `{ en: …, de: … }`
 * is a value that differs by language, and a mapping with a `component` is a block, which gets an empty `_uid`.
 */
export function contentValue(document: Document, findAsset: FindAsset, report: Report): unknown {
  const value = (node: unknown): unknown => {
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target === undefined)
        report(node, `*${node.source} stands for nothing; expected an anchor &${node.source} before it`);
      return value(target);
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return undefined;
    const plain = isScalar(node) ? node.value : isSeq(node) ? node.items.map(value) : mapping(node);
    return node.tag?.startsWith("!") === true && !node.tag.startsWith("!!") ? noted(node, node.tag, plain) : plain;
  };
  const noted = (node: Node, tag: string, plain: unknown): unknown => {
    const notation = notations[tag];
    if (notation === undefined) {
      report(node, `${tag} is no notation; expected one of ${Object.keys(notations).join(", ")}`);
      return plain;
    }
    try {
      return notation(plain, findAsset);
    } catch (error) {
      report(node, `${tag}: ${messageOf(error)}`);
      return plain;
    }
  };
  const mapping = (node: YAMLMap): unknown => {
    const fields = Object.fromEntries(node.items.map((pair) => [keyOf(pair), value(pair.value)]));
    if (typeof fields.component === "string") return { _uid: "", ...fields };
    if (!("en" in fields)) return fields;
    const { en, ...translations } = fields;
    const unknown = Object.keys(translations).filter((key) => !space.languages.some((language) => language === key));
    if (unknown.length > 0)
      report(node, `unknown language ${unknown.join(", ")}; expected en, ${space.languages.join(", ")}`);
    return translated(en, translations);
  };
  return value(document.contents);
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues.map(({ message }) => message).join("; ");
  return error instanceof Error ? error.message : String(error);
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}
