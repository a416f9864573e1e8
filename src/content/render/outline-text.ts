import type { StoryRecord } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import { brokenLevels, longestLine, spacedJson } from "./front-matter.js";
import type { StoryFacts } from "./story-facts.js";

/** The file beside a page with what its body leaves out. @param fields of the content, each with its outline */
export function outlineText({ uuid, content }: StoryRecord, fields: StoryFacts["fields"]): string {
  return `${jsonLines({ uuid, component: content?.component, fields: Object.fromEntries(fields) }, 0)}\n`;
}

function jsonLines(value: unknown, level: number): string {
  const room = level > brokenLevels ? Number.POSITIVE_INFINITY : longestLine - level * 2;
  const line = spacedJson(value, room);
  if (line.length <= room) return line;
  const end = `\n${"  ".repeat(level)}`;
  const listed = (items: readonly string[]) => `${end}  ${items.join(`,${end}  `)}${end}`;
  if (Array.isArray(value)) return `[${listed(value.map((item) => jsonLines(item ?? null, level + 1)))}]`;
  if (!isObject(value)) return line;
  const entries = Object.keys(value).filter((key) => value[key] !== undefined);
  if (entries.length === 0) return line;
  return `{${listed(entries.map((key) => `${JSON.stringify(key)}: ${jsonLines(value[key], level + 1)}`))}}`;
}
