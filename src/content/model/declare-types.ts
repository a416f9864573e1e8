import {
  type BlockModel,
  type ContentModel,
  type FieldModel,
  isChoiceKey,
  type ObjectKind,
  type ObjectModel,
  sortedEntries,
  type ValueModel,
  valueKinds,
} from "./content-model.js";
import {
  boolean,
  type ComponentDeclaration,
  choice,
  type Declaration,
  type DeclaredField,
  type DeclaredTypes,
  listOf,
  named,
  namesOfPrinters,
  nothing,
  number,
  oneOf,
  optional,
  record,
  required,
  standardTypes,
  storyFields,
  type TypeExpression,
  text,
  unknownType,
} from "./declared-types.js";
import { typeNames } from "./type-names.js";

export interface OptionSource {
  slug: string;
  values: readonly string[];
}

export interface TypeSettings {
  datasources: readonly OptionSource[];
  /** `resolve.depth`: with 0, relations are references. */
  depth: number;
  richText: "document" | "html";
}

/** The types as all printers spell them. @param model with resolved relations, of all editions together */
export function declareTypes(model: ContentModel, given: TypeSettings): DeclaredTypes {
  const settings = { ...given, datasources: firstOfEachSlug(given.datasources) };
  const names = namesOf(model, settings.datasources);
  const scope: Scope = { names, settings };
  const parts = [
    ...standardTypes,
    ...sortedEntries(model.objects).map(([kind, object]) => objectDeclaration(kind, object, scope)),
    ...settings.datasources.flatMap(({ slug, values }): Declaration[] => {
      const name = names.options.get(slug);
      return name === undefined
        ? []
        : [{ name, comment: `Values of the datasource ${slug}.`, type: choice(...values) }];
    }),
  ];
  const components = sortedEntries(model.blocks).map(([name, block]) => componentDeclaration(name, block, scope));
  return usedOnly({ parts, components, storyFields });
}

/** A space may answer with two datasources of one slug, and a type has one name. */
function firstOfEachSlug(datasources: readonly OptionSource[]): OptionSource[] {
  const slugs = new Set<string>();
  return datasources.filter(({ slug }) => !slugs.has(slug) && slugs.add(slug));
}

interface Scope {
  names: Names;
  settings: TypeSettings;
}

interface Names {
  components: ReadonlyMap<string, { name: string; storyName: string | undefined }>;
  objects: ReadonlyMap<string, string>;
  options: ReadonlyMap<string, string>;
}

function namesOf(model: ContentModel, datasources: readonly OptionSource[]): Names {
  const take = typeNames([...namesOfPrinters, ...standardTypes.map(({ name }) => name)]);
  const components = sortedEntries(model.blocks).map(([component, { stories }]) => {
    const name = take(component, "Block", stories > 0 ? ["Story"] : []);
    return [component, { name, storyName: stories > 0 ? `${name}Story` : undefined }] as const;
  });
  const objects = sortedEntries(model.objects).map(([kind]) => {
    if (kind === "asset" || kind === "link") return [kind, kind === "asset" ? "Asset" : "Link"] as const;
    return [kind, take(kind.slice("plugin:".length), "Plugin")] as const;
  });
  const options = datasources.map(({ slug }) => [slug, take(`${slug} option`, "Value")] as const);
  return { components: new Map(components), objects: new Map(objects), options: new Map(options) };
}

function componentDeclaration(component: string, block: BlockModel, scope: Scope): ComponentDeclaration {
  const { count, stories, fields } = block;
  const { name, storyName } = scope.names.components.get(component)!;
  const rest = sortedEntries(fields).filter(([name]) => name !== "_uid" && name !== "_editable");
  const editable = fields.get("_editable");
  const uid = fields.get("_uid");
  return {
    component,
    name,
    storyName,
    comment:
      stories === 0
        ? `Block ${component}: ${count}.`
        : `Content type ${component}: ${stories} stories and translations.`,
    fields: [
      required("component", choice(component)),
      uid === undefined ? optional("_uid", text) : fieldOf("_uid", uid, count, scope),
      {
        ...(editable === undefined ? optional("_editable", text) : fieldOf("_editable", editable, count, scope)),
        isOptional: true,
      },
      ...rest.map(([name, field]) => {
        return { ...fieldOf(name, field, count, scope, "field"), comment: `filled in ${field.filled} of ${count}` };
      }),
    ],
  };
}

function objectDeclaration(kind: ObjectKind, model: ObjectModel, scope: Scope): Declaration {
  const name = scope.names.objects.get(kind)!;
  const type = objectType(model, scope);
  if (kind === "link") return { name, comment: "A link field, with the address that it leads to.", type };
  if (kind === "asset") return { name, comment: "An asset field, with its address on the site and its size.", type };
  return { name, comment: `A value of the plugin ${kind.slice("plugin:".length)}.`, type };
}

function objectType({ count, fields, isOpen }: ObjectModel, scope: Scope): TypeExpression {
  if (isOpen) return record;
  return { kind: "object", fields: sortedEntries(fields).map(([name, field]) => fieldOf(name, field, count, scope)) };
}

function fieldOf(
  name: string,
  { present, value }: FieldModel,
  count: number,
  scope: Scope,
  place?: "field",
): DeclaredField {
  const type = valueType(value, scope, place ?? (isChoiceKey(name) ? "choice" : "own"));
  return present < count ? optional(name, type) : required(name, type);
}

function valueType(value: ValueModel, scope: Scope, place: "field" | "choice" | "own"): TypeExpression {
  const has = (kind: keyof typeof valueKinds) => (value.kinds & valueKinds[kind]) !== 0;
  const types: TypeExpression[] = [];
  const texts = textTypes(value, scope, place);
  const relations = relationTypes(value, scope);
  if (has("number")) types.push(number);
  if (has("boolean")) types.push(boolean);
  if (has("richText") && scope.settings.richText === "document") types.push(named("RichText"));
  if (has("asset")) types.push(named("Asset"));
  if (has("link")) types.push(named("Link"));
  if (has("table")) types.push(named("Table"));
  for (const plugin of sorted(value.plugins)) types.push(named(scope.names.objects.get(`plugin:${plugin}`)!));
  for (const block of sorted(value.blocks)) types.push(named(scope.names.components.get(block)!.name));
  if (value.object !== undefined) types.push(objectType(value.object, scope));
  if (has("looseRichText") && scope.settings.richText === "document") types.push(record);
  if (has("list")) types.push(listOf(valueType(value.items ?? { kinds: 0 }, scope, place)));
  if (has("opaque")) types.push(unknownType);
  const isEmptyAlone = texts.length === 0 && relations.length + types.length === 0 && has("emptyText");
  const empty = isEmptyAlone ? [text] : has("emptyText") && !texts.includes(text) ? [choice("")] : [];
  return oneOf(...texts, ...relations, ...types, ...empty, ...(has("null") ? [nothing] : []));
}

function textTypes(value: ValueModel, { names, settings }: Scope, place: string): TypeExpression[] {
  const isHtml = settings.richText === "html" && (value.kinds & (valueKinds.richText | valueKinds.looseRichText)) !== 0;
  if (isHtml || (value.kinds & valueKinds.text) !== 0) return [text];
  if (value.options === undefined) return [];
  const options = sorted(value.options);
  if (place === "choice") return [choice(...options)];
  const source = sourceOf(options, settings.datasources);
  return [source === undefined ? text : named(names.options.get(source.slug)!)];
}

/** The smallest datasource with all these values; of equal ones the first. A single value may be there by chance. */
function sourceOf(options: readonly string[], datasources: readonly OptionSource[]): OptionSource | undefined {
  if (options.length < 2) return undefined;
  return datasources
    .filter(({ values }) => options.every((option) => values.includes(option)))
    .sort((a, b) => a.values.length - b.values.length)[0];
}

function relationTypes(value: ValueModel, { names, settings }: Scope): TypeExpression[] {
  const relations = sorted(value.relations);
  if (relations.length === 0) return [];
  const reference: TypeExpression = { kind: "reference", components: relations };
  if (settings.depth === 0) return [reference];
  const stories = relations.flatMap((component) => names.components.get(component)?.storyName ?? []);
  return [{ kind: "story", names: stories }, reference];
}

function sorted(set: ReadonlySet<string> = new Set()): string[] {
  return [...set].sort();
}

function usedOnly({ parts, components, storyFields }: DeclaredTypes): DeclaredTypes {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const used = new Set<string>();
  const open: TypeExpression[] = components.map(({ fields }) => ({ kind: "object", fields }));
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === "list") open.push(type.of);
    else if (type.kind === "union") open.push(...type.of);
    else if (type.kind === "object") open.push(...type.fields.map((field) => field.type));
    else if (type.kind === "named" && !used.has(type.name)) {
      used.add(type.name);
      const part = byName.get(type.name);
      if (part !== undefined) open.push(part.type);
    }
  }
  return { parts: parts.filter(({ name }) => used.has(name)), components, storyFields };
}
