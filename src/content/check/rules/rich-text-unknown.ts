import { isObject } from "../../../lib/shape.js";
import { isKnownMarkType } from "../../render/mark-tree.js";
import { isKnownNodeType } from "../../render/rich-text-node.js";
import { isRichText, type JsonObject } from "../../resolve/content-shape.js";
import type { LocalRule } from "../facts/rule.js";

/** Reports each unknown kind of node or mark once per rich text. */
export const richTextUnknown: LocalRule = {
  code: "RICH_TEXT_UNKNOWN",
  level: "info",
  about: "A rich text has a node or a mark that Markdown and HTML show as plain text.",
  hint: "Render the field's JSON in the site's own code, or use only the editor's default nodes and marks.",
  object(value, report) {
    if (!isRichText(value)) return;
    for (const what of unknownIn(value)) report(what, `The rich text has an unknown ${what}.`);
  },
};

function unknownIn(document: JsonObject): Set<string> {
  const found = new Set<string>();
  const open: unknown[] = [document];
  while (open.length > 0) {
    const node = open.pop();
    if (!isObject(node)) continue;
    const { type, text, content, marks } = node;
    const isText = typeof text === "string" && text !== "" && !Array.isArray(content);
    if (typeof type === "string" && !isText && !isKnownNodeType(type)) found.add(`node "${type.slice(0, 60)}"`);
    if (Array.isArray(marks)) {
      for (const mark of marks) {
        if (isObject(mark) && typeof mark.type === "string" && !isKnownMarkType(mark.type)) {
          found.add(`mark "${mark.type.slice(0, 60)}"`);
        }
      }
    }
    if (Array.isArray(content)) for (const child of content) open.push(child);
  }
  return found;
}
