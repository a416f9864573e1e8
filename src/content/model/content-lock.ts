import { parseAs } from "../../lib/parse-as.js";
import { anything, isObject, map, object, oneOf } from "../../lib/shape.js";
import { type ContentModel, sortedEntries, type ValueModel, valueKinds } from "./content-model.js";

/** The shape that content had when it was agreed upon: kinds of values by component and field, each sorted. */
export interface ContentLock {
  components: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface ShapeDifference {
  kind: "component-appeared" | "component-vanished" | "field-appeared" | "field-vanished" | "type-changed";
  component: string;
  field: string | null;
  /** Kinds of values in the lock, and in the content; null where it is in one of them only. */
  locked: readonly string[] | null;
  found: readonly string[] | null;
}

/** What the lock of a content model says. Fields that nobody has filled have no kinds. */
export function contentLock({ blocks }: Pick<ContentModel, "blocks">): ContentLock {
  const components = sortedEntries(blocks).map(([component, { fields }]) => {
    const shown = sortedEntries(fields).filter(([name]) => !ownFields.has(name));
    return [component, Object.fromEntries(shown.map(([name, { value }]) => [name, kindsOf(value)]))];
  });
  return { components: Object.fromEntries(components) as ContentLock["components"] };
}

const ownFields = new Set(["_uid", "_editable"]);

function kindsOf(value: ValueModel): string[] {
  const has = (...kinds: (keyof typeof valueKinds)[]) => kinds.some((kind) => (value.kinds & valueKinds[kind]) !== 0);
  const words: string[] = [];
  if (has("boolean")) words.push("boolean");
  if (has("number")) words.push("number");
  if (has("text") || value.options || value.uuids || value.relations) words.push("text");
  if (has("richText", "looseRichText")) words.push("rich text");
  if (has("asset")) words.push("asset");
  if (has("link")) words.push("link");
  if (has("table")) words.push("table");
  if (value.blocks !== undefined) words.push("block");
  if (value.object !== undefined || has("opaque")) words.push("object");
  for (const plugin of value.plugins ?? []) words.push(`plugin ${plugin}`);
  if (has("list")) {
    const items = value.items === undefined ? [] : kindsOf(value.items);
    words.push(...(items.length === 0 ? ["list"] : items.map((item) => `list of ${item}`)));
  }
  return [...new Set(words)].sort();
}

export function compareLocks(lock: ContentLock, content: ContentLock): ShapeDifference[] {
  const names = [...new Set([...Object.keys(lock.components), ...Object.keys(content.components)])].sort();
  return names.flatMap((component): ShapeDifference[] => {
    const locked = own(lock.components, component);
    const found = own(content.components, component);
    if (found === undefined) return [difference("component-vanished", component)];
    if (locked === undefined) return [difference("component-appeared", component)];
    const fields = [...new Set([...Object.keys(locked), ...Object.keys(found)])].sort();
    return fields.flatMap((field) => compareField(component, field, own(locked, field), own(found, field)));
  });
}

function compareField(
  component: string,
  field: string,
  locked: readonly string[] | undefined,
  found: readonly string[] | undefined,
): ShapeDifference[] {
  if (locked === undefined) return [difference("field-appeared", component, field, null, found)];
  if (found === undefined) return [difference("field-vanished", component, field, locked, null)];
  // A list without items fits every list, and a field that was always empty fits everything.
  const fits = (kind: string) =>
    locked.includes(kind) ||
    (kind === "list" && locked.some((other) => other.startsWith("list"))) ||
    (kind.startsWith("list of ") && locked.includes("list"));
  if (locked.length === 0 || found.every(fits)) return [];
  return [difference("type-changed", component, field, locked, found)];
}

function difference(
  kind: ShapeDifference["kind"],
  component: string,
  field: string | null = null,
  locked: readonly string[] | null = null,
  found: readonly string[] | null = null,
): ShapeDifference {
  return { kind, component, field, locked, found };
}

/** True if code written for the lock may break: a field vanished or changed its type, or a component is new. */
export function breaks({ kind }: ShapeDifference): boolean {
  return kind === "field-vanished" || kind === "type-changed" || kind === "component-appeared";
}

/** `The field teaser.title is number now; the lock says text.` */
export function differenceText({ kind, component, field, locked, found }: ShapeDifference): string {
  const place = field === null ? component : `${component}.${field}`;
  const kinds = (words: readonly string[] | null) => (words?.length ? words.join(" or ") : "always empty");
  switch (kind) {
    case "component-appeared":
      return `The component ${place} is in the content, but not in the lock.`;
    case "component-vanished":
      return `The component ${place} is in the lock, but no longer in the content.`;
    case "field-appeared":
      return `The field ${place} is in the content (${kinds(found)}), but not in the lock.`;
    case "field-vanished":
      return `The field ${place} is in the lock (${kinds(locked)}), but no longer in the content.`;
    case "type-changed":
      return `The field ${place} is ${kinds(found)} in the content; the lock says ${kinds(locked)}.`;
  }
}

/** The file of a lock: a field a line, so that a version control shows what changed. */
export function lockText({ components }: ContentLock): string {
  const plain = mapValues(components, (fields) => mapValues(fields, (kinds) => kinds.join(" | ")));
  return `${JSON.stringify({ schema: 1, components: plain }, undefined, 2)}\n`;
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

const lockShape = object({ schema: oneOf(1), components: map(anything) });

/** Reads the text of {@link lockText}; undefined for any other text. */
export function parseLock(text: string): ContentLock | undefined {
  const value = parseAs(text, lockShape);
  if (value === undefined) return undefined;
  const kindsIn = (kinds: unknown) => (typeof kinds === "string" && kinds !== "" ? kinds.split(" | ") : []);
  const components = mapValues(value.components, (fields) => mapValues(isObject(fields) ? fields : {}, kindsIn));
  return { components };
}

function own<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
