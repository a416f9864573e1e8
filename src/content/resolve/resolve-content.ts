import { costLimits } from "../../lib/cost-limits.js";
import { uuid } from "../../lib/shape.js";
import { type JsonObject, setOwn } from "./content-shape.js";

/** What is done with content; a step that is undefined is left out. */
export interface ContentSteps {
  /** Runs first, for every value. Replacements are not walked. */
  replace?: ((value: unknown, place: ContentPlace) => unknown) | undefined;
  metadata?: ObjectStep | undefined;
  links?: ObjectStep | undefined;
  relations?: RelationStep | undefined;
  sizes?: ObjectStep | undefined;
  assetUrls?: TextStep | undefined;
}

/** @returns the object itself, or a new one that nobody else has, in its place */
export type ObjectStep = (value: JsonObject, place: ContentPlace) => JsonObject;

/** @returns the text itself, or what takes its place, with everything in it resolved */
export type RelationStep = (id: string, component: string, field: string, place: ContentPlace) => unknown;

/** @param key of the text, or its position in a list; "" for a text that is no part of anything */
export type TextStep = (text: string, key: string | number) => string;

/** The place of a step's value. Valid only during that call. */
export interface ContentPlace {
  /** `body[0].author`, for messages; of a very long path the end: `…[0].author`. */
  path(): string;
}

/**
 * Applies all steps in one walk, as if one after the other; a step does not enter an object that it created.
 * Unchanged parts are shared with the original, which is never changed. Nesting may be of any depth.
 */
export function resolveContent(content: unknown, steps: ContentSteps): unknown {
  return new ContentWalk(steps).resolve(content);
}

/** Levels that are walked by recursion. Deeper containers are put aside and walked later. */
const levelsAtOnce = 500;

/** A container that was put aside: a copy, which is completed in place. */
interface Deep {
  container: JsonObject | unknown[];
  taken: number;
  component: string | undefined;
  field: string | undefined;
  path: string;
}

class ContentWalk implements ContentPlace {
  readonly #objectSteps: readonly ObjectStep[];
  readonly #replace: ContentSteps["replace"];
  readonly #relations: RelationStep | undefined;
  readonly #assetUrls: TextStep | undefined;
  /** The keys that lead to the current value; those from `#level` on are of an earlier one. */
  readonly #keys: (string | number)[] = [];
  #level = 0;
  /** The path of what the keys begin at. */
  #start = "";
  readonly #deep: Deep[] = [];

  constructor({ replace, metadata, links, relations, sizes, assetUrls }: ContentSteps) {
    this.#replace = replace;
    this.#objectSteps = [metadata, links, sizes].filter((step) => step !== undefined);
    this.#relations = relations;
    this.#assetUrls = assetUrls;
  }

  resolve(content: unknown): unknown {
    const result = this.#value(content, "", 0, undefined, undefined, 0);
    for (let deep = this.#deep.pop(); deep !== undefined; deep = this.#deep.pop()) {
      const { container, taken, component, field, path } = deep;
      this.#start = path;
      if (Array.isArray(container)) this.#list(container, true, taken, component, field, 0);
      else this.#object(container, true, taken, 0);
    }
    return result;
  }

  path(): string {
    let text = "";
    for (let at = this.#level - 1; at >= 0; at--) {
      if (text.length > costLimits.pathCharacters) return `…${text}`;
      const key = this.#keys[at]!;
      text = (typeof key === "number" ? `[${key}]` : `.${key}`) + text;
    }
    if (this.#start === "") return text.startsWith(".") ? text.slice(1) : text;
    const whole = this.#start + text;
    if (whole.length <= costLimits.pathCharacters) return whole;
    // Without the rest of a key that was cut.
    return `…${whole.slice(-costLimits.pathCharacters).replace(/^[^.[]*/, "")}`;
  }

  /**
   * @param taken the steps that are not taken any more, as bits
   * @param component of the block that holds the value
   * @param field of that block
   * @param level how many keys lead to the value
   */
  #value(
    value: unknown,
    key: string | number,
    taken: number,
    component: string | undefined,
    field: string | undefined,
    level: number,
  ): unknown {
    if (this.#replace !== undefined) {
      const next = this.#replace(value, this);
      if (next !== value) return next;
    }
    if (typeof value === "string") return this.#text(value, key, component, field);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      return level < levelsAtOnce
        ? this.#list(value, false, taken, component, field, level)
        : this.#later(value, false, taken, component, field);
    }
    let object = value as JsonObject;
    let now = taken;
    for (let at = 0; at < this.#objectSteps.length; at++) {
      if ((taken & (1 << at)) !== 0) continue;
      const next = this.#objectSteps[at]!(object, this);
      if (next === object) continue;
      object = next;
      now |= 1 << at;
    }
    const isOwn = object !== value;
    return level < levelsAtOnce
      ? this.#object(object, isOwn, now, level)
      : this.#later(object, isOwn, now, undefined, undefined);
  }

  #text(text: string, key: string | number, component: string | undefined, field: string | undefined): unknown {
    if (this.#relations !== undefined && component !== undefined && field !== undefined && uuid.is(text)) {
      const related = this.#relations(text, component, field, this);
      if (related !== text) return related;
    }
    return this.#assetUrls === undefined ? text : this.#assetUrls(text, key);
  }

  /** @param isOwn whether nobody else has the object, so that it may be changed */
  #object(source: JsonObject, isOwn: boolean, taken: number, level: number): JsonObject {
    const component = typeof source.component === "string" ? source.component : undefined;
    let result = isOwn ? source : undefined;
    for (const key in source) {
      const value = source[key];
      if (typeof value !== "string" && typeof value !== "object" && this.#replace === undefined) continue;
      this.#keys[level] = key;
      this.#level = level + 1;
      const next = this.#value(value, key, taken, component, component === undefined ? undefined : key, level + 1);
      if (next === value) continue;
      result ??= { ...source };
      setOwn(result, key, next);
    }
    return result ?? source;
  }

  #list(
    source: unknown[],
    isOwn: boolean,
    taken: number,
    component: string | undefined,
    field: string | undefined,
    level: number,
  ): unknown[] {
    let result = isOwn ? source : undefined;
    for (let at = 0; at < source.length; at++) {
      const value = source[at];
      this.#keys[level] = at;
      this.#level = level + 1;
      const next = this.#value(value, at, taken, component, field, level + 1);
      if (next === value) continue;
      result ??= [...source];
      result[at] = next;
    }
    return result ?? source;
  }

  /** Puts a container aside. @returns what takes its place, and is completed later */
  #later(
    source: JsonObject | unknown[],
    isOwn: boolean,
    taken: number,
    component: string | undefined,
    field: string | undefined,
  ): unknown {
    // Also a number that keeps its text.
    if (Object.keys(source).length === 0) return source;
    const container = isOwn ? source : Array.isArray(source) ? [...source] : { ...source };
    this.#deep.push({ container, taken, component, field, path: this.path() });
    return container;
  }
}
