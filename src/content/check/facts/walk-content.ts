import { costLimits } from "../../../lib/cost-limits.js";
import { uuid } from "../../../lib/shape.js";
import { isAsset, isBlock, isMultilink, type JsonObject } from "../../resolve/content-shape.js";

/** The place of a value. Valid only during the call that gets it. */
export interface ContentPlace {
  /** `body[2].title`, for people; of a very long path the end. */
  path(): string;
  /** The same with the `_uid` of each block in place of its position. */
  place(): string;
}

/** What {@link walkContent} calls. Containers come before what they contain. */
export interface ContentVisitor {
  block?(block: JsonObject, component: string, at: ContentPlace): void;
  field?(component: string, name: string, value: unknown, at: ContentPlace): void;
  /** A uuid as the value of a field of a block, or in a list there: a relation, where the field holds relations. */
  related?(uuid: string, component: string, field: string, at: ContentPlace): void;
  /** Any object that is no block: an asset, a link, a node of rich text, the value of a plugin. */
  object?(value: JsonObject, at: ContentPlace, inside: Inside): void;
  text?(text: string, at: ContentPlace, inside: Inside): void;
}

/** The nearest block around a value, and its field. */
export interface Inside {
  component: string;
  field: string;
}

const walkedLevels = 500;

export function walkContent(content: unknown, visitor: ContentVisitor): void {
  new ContentWalk(visitor).start(content);
}

class ContentWalk implements ContentPlace, Inside {
  component = "";
  field = "";
  readonly #visitor: ContentVisitor;
  readonly #keys: (string | number)[] = [];
  readonly #values: unknown[] = [];
  #level = 0;

  constructor(visitor: ContentVisitor) {
    this.#visitor = visitor;
  }

  start(content: unknown): void {
    if (typeof content === "object" && content !== null) this.#container(content, false);
  }

  path(): string {
    return this.#spelled((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
  }

  place(): string {
    return this.#spelled((key, value) => {
      if (typeof key === "string") return `.${key}`;
      return isBlock(value) && typeof value._uid === "string" ? `[${value._uid}]` : `[${key}]`;
    });
  }

  #spelled(spell: (key: string | number, value: unknown) => string): string {
    let text = "";
    for (let at = this.#level - 1; at >= 0; at -= 1) {
      if (text.length > costLimits.pathCharacters) return `…${text}`;
      text = spell(this.#keys[at]!, this.#values[at]) + text;
    }
    return text.startsWith(".") ? text.slice(1) : text;
  }

  /** @param isQuiet whether the texts below belong to an asset or a link */
  #container(value: object, isQuiet: boolean): void {
    if (this.#level >= walkedLevels) return;
    if (Array.isArray(value)) this.#list(value, isQuiet);
    else if (typeof (value as JsonObject).component === "string") this.#block(value as JsonObject);
    else this.#object(value as JsonObject, isQuiet);
  }

  #block(block: JsonObject): void {
    const visitor = this.#visitor;
    const { component: outer, field: outerField } = this;
    const component = block.component as string;
    this.component = component;
    visitor.block?.(block, component, this);
    for (const key in block) {
      if (key === "_uid" || key === "component" || key === "_editable") continue;
      const value = block[key];
      this.field = key;
      this.#enter(key, value);
      visitor.field?.(component, key, value, this);
      this.#fieldValue(value, component, key);
      this.#level -= 1;
    }
    this.component = outer;
    this.field = outerField;
  }

  #fieldValue(value: unknown, component: string, field: string): void {
    if (typeof value === "string") {
      if (value.length === 36 && uuid.is(value)) this.#visitor.related?.(value, component, field, this);
      else if (value !== "") this.#visitor.text?.(value, this, this);
    } else if (Array.isArray(value)) this.#fieldList(value, component, field);
    else if (typeof value === "object" && value !== null) this.#container(value, false);
  }

  /** A list in a field, at any depth of lists: uuids in it are relations. */
  #fieldList(list: readonly unknown[], component: string, field: string): void {
    if (this.#level >= walkedLevels) return;
    for (let at = 0; at < list.length; at += 1) {
      this.#enter(at, list[at]);
      this.#fieldValue(list[at], component, field);
      this.#level -= 1;
    }
  }

  #object(object: JsonObject, isQuiet: boolean): void {
    this.#visitor.object?.(object, this, this);
    const isSilent = isQuiet || isAsset(object) || isMultilink(object);
    for (const key in object) this.#value(key, object[key], isSilent);
  }

  #list(list: readonly unknown[], isQuiet: boolean): void {
    for (let at = 0; at < list.length; at += 1) this.#value(at, list[at], isQuiet);
  }

  #value(key: string | number, value: unknown, isQuiet: boolean): void {
    if (typeof value === "string") {
      if (isQuiet || value === "" || this.#visitor.text === undefined) return;
      this.#enter(key, value);
      this.#visitor.text(value, this, this);
      this.#level -= 1;
    } else if (typeof value === "object" && value !== null) {
      this.#enter(key, value);
      this.#container(value, isQuiet);
      this.#level -= 1;
    }
  }

  #enter(key: string | number, value: unknown): void {
    this.#keys[this.#level] = key;
    this.#values[this.#level] = value;
    this.#level += 1;
  }
}
