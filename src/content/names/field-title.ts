import { isObject } from "../../lib/shape.js";
import { isBlock, isRichText } from "../resolve/content-shape.js";

/**
 * The field as an editor sees it: `body[1].link` → `Body › Teaser 2 › Link`. Positions count from 1. Returns what it
 * cannot follow as it was written: a path that was cut, or that the content does not have.
 *
 * @param content of the story
 * @param path as a `ContentPlace` spells it
 */
export function fieldTitle(content: unknown, path: string): string {
  const keys = keysOf(path);
  if (keys === undefined || !isObject(content) || !Object.hasOwn(content, keys[0]!)) return path;
  const title = new TitleWalk(content).of(keys);
  return title === "" ? path : title;
}

/** The keys of a path; undefined for a path that was cut, and for another text. */
export function keysOf(path: string): (string | number)[] | undefined {
  if (!/^(?:(?:^|\.)[^.[\]…]+|\[\d+\])+$/.test(path)) return undefined;
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, at]) => (at === undefined ? key : Number(at)));
}

/** `background_image`, `backgroundImage` → `Background image` */
function nameTitle(name: string): string {
  const words = name
    .replace(/(\p{Ll})(\p{Lu}\p{Ll})/gu, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/[\s_-]+/g, " ")
    .trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

const nodeTitles: Readonly<Record<string, string>> = {
  bullet_list: "List",
  ordered_list: "List",
  blockquote: "Quote",
  code_block: "Code",
  horizontal_rule: "Line",
};
/** Nodes below the first level, and parts of a table field, that an editor counts. */
const innerTitles: Readonly<Record<string, string>> = {
  list_item: "item",
  tableRow: "row",
  table_row: "row",
  tableCell: "cell",
  tableHeader: "cell",
  table_cell: "cell",
  _table_head: "column",
  _table_row: "row",
  _table_col: "cell",
};
/** Keys in rich text and tables that say nothing to an editor. */
const silentKeys: ReadonlySet<string> = new Set(["content", "marks", "attrs"]);
const silentInTable: ReadonlySet<string> = new Set(["thead", "tbody", "body"]);

class TitleWalk {
  readonly #parts: string[] = [];
  #value: unknown;
  /** Levels below the document of rich text; undefined outside of one. */
  #level: number | undefined;
  /** Position of the rich text node that holds the next block. */
  #node: number | undefined;

  constructor(content: object) {
    this.#value = content;
  }

  of(keys: readonly (string | number)[]): string {
    for (const key of keys) {
      const holder = this.#value;
      if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) {
        // The content has changed since, or a key has a dot in it.
        this.#parts.push(typeof key === "number" ? String(key + 1) : nameTitle(key));
        this.#value = undefined;
        continue;
      }
      this.#value = (holder as Record<string | number, unknown>)[key];
      if (typeof key === "number") this.#item(key, holder as readonly unknown[]);
      else this.#member(key, holder);
      if (isRichText(this.#value)) this.#level = 0;
    }
    return this.#parts.join(" › ");
  }

  #member(key: string, holder: object): void {
    if (this.#level !== undefined && !isBlock(holder)) {
      if (silentKeys.has(key)) return;
      // The blocks of a node.
      if (key === "body" && this.#node !== undefined) return;
    }
    const isInTable = isTable(holder) || (isBlock(holder) && Object.hasOwn(innerTitles, holder.component));
    if (isInTable && (silentInTable.has(key) || key === "value")) return;
    this.#parts.push(nameTitle(key));
  }

  #item(at: number, list: readonly unknown[]): void {
    const item = list[at];
    if (isBlock(item)) {
      const inner = Object.hasOwn(innerTitles, item.component) ? innerTitles[item.component] : undefined;
      this.#parts.push(`${inner ?? nameTitle(item.component)} ${this.#blockPosition(at, list)}`);
      this.#level = undefined;
      this.#node = undefined;
    } else if (this.#level !== undefined) this.#nodeAt(at, item);
    else {
      const last = this.#parts.pop();
      this.#parts.push(last === undefined ? String(at + 1) : `${last} ${at + 1}`);
    }
  }

  /** A block in rich text has the position of its node. */
  #blockPosition(at: number, list: readonly unknown[]): string {
    if (this.#node === undefined) return String(at + 1);
    return list.length === 1 ? String(this.#node + 1) : `${this.#node + 1}.${at + 1}`;
  }

  #nodeAt(at: number, node: unknown): void {
    const type = isObject(node) && typeof node.type === "string" ? node.type : "";
    const level = this.#level ?? 0;
    // A mark has a type too, but adds no level.
    if (type === "link" || type === "") return;
    this.#level = level + 1;
    if (type === "blok") {
      this.#node = at;
      return;
    }
    const inner = Object.hasOwn(innerTitles, type) ? innerTitles[type] : undefined;
    const outer = (Object.hasOwn(nodeTitles, type) ? nodeTitles[type] : undefined) ?? nameTitle(type);
    if (level === 0) this.#parts.push(`${outer} ${at + 1}`);
    else if (inner !== undefined) this.#parts.push(`${inner} ${at + 1}`);
  }
}

function isTable(value: object): boolean {
  return Object.hasOwn(value, "tbody") && (Object.hasOwn(value, "thead") || "fieldtype" in value) && !isBlock(value);
}
