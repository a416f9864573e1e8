import { inMap } from "../../lib/collections/in-map.js";
import { numberHash } from "../../lib/number-hash.js";
import { isObject } from "../../lib/shape.js";
import { addressesIn } from "../render/link-syntax.js";
import { assetUrls, namedAsset, originalAssetUrl } from "../resolve/asset-urls.js";
import { isBlock, isFilled, type JsonObject } from "../resolve/content-shape.js";
import { type LinkSettings, type StoryAddress, sitePath } from "../resolve/link-pattern.js";
import { storyLink } from "../resolve/story-links.js";
import { localRules } from "./all-rules.js";
import type { LocalRule, ReportHere } from "./facts/rule.js";
import { ShapeDraft } from "./facts/shape-draft.js";
import { assetHash, type FoundFacts, packedReference, packedText, type ReferenceKind } from "./facts/shard-facts.js";
import { proseLetters } from "./facts/translations.js";
import { type ContentPlace, type Inside, walkContent } from "./facts/walk-content.js";

export interface FactSettings {
  links: LinkSettings;
  language: string;
  /** True if the space has several languages, so that texts are compared. */
  isTranslated: boolean;
}

/** Fields with more texts than this in one shard hold no choice. */
const mostOptions = 24;
const longestOption = 60;
const rareEmpties = 4;

/** The facts of a shard's records, which are JSON values as they were stored. Values that are no story are passed over. */
export function deriveFacts(records: readonly unknown[], settings: FactSettings): FoundFacts {
  const draft = new FactsDraft(settings);
  for (const record of records) if (isObject(record)) draft.add(record);
  return draft.facts();
}

/** The same of records that are no stories: only their shape is looked at. */
export function deriveShapeFacts(records: readonly unknown[], part: string): FoundFacts {
  const shape = new ShapeDraft(part);
  for (const [at, record] of records.entries()) if (isObject(record)) shape.add(record, at);
  return { ...deriveFacts([], noStories), shapeFaults: shape.faults() };
}

const noStories: FactSettings = { links: { pattern: "", home: "" }, language: "default", isTranslated: false };

interface FieldDraft {
  present: number;
  filled: number;
  empties: [number, string, string][];
  options: Map<string, [string, number, number, string, string]> | undefined;
}

class FactsDraft {
  readonly #settings: FactSettings;
  readonly #stories: Pick<FoundFacts, "uuids" | "slugs" | "uuidHashes" | "slugHashes" | "typeOf"> = {
    uuids: [],
    slugs: [],
    uuidHashes: [],
    slugHashes: [],
    typeOf: [],
  };
  readonly #types = new Map<string, number>();
  readonly #components = new Map<string, Map<string, number>>();
  readonly #names: string[] = [];
  readonly #fields: FieldDraft[] = [];
  readonly #blocks = new Map<string, number>();
  readonly #references: number[] = [];
  readonly #texts: number[] = [];
  readonly #addresses: FoundFacts["addresses"] = [];
  readonly #paths: FoundFacts["paths"] = {};
  readonly #findings: FoundFacts["findings"] = [];
  readonly #shape = new ShapeDraft("stories");
  readonly #tags = new Map<string, number[]>();
  readonly #terms = new Map<string, number[]>();
  #story = 0;
  /** The addresses in the asset fields of the story: each is one as a whole. */
  readonly #named = new Set<string>();
  /** The place that local rules look at. */
  #at: ContentPlace | undefined;
  readonly #objectLooks = localRules.flatMap((rule) => {
    const report = this.#reporterOf(rule);
    return rule.object === undefined ? [] : [(value: JsonObject) => rule.object?.(value, report)];
  });
  readonly #fieldLooks = localRules.flatMap((rule) => {
    const report = this.#reporterOf(rule);
    if (rule.field === undefined) return [];
    return [(name: string, value: unknown, isTop: boolean) => rule.field?.(name, value, report, isTop)];
  });
  #content: unknown;

  constructor(settings: FactSettings) {
    this.#settings = settings;
  }

  add(record: JsonObject): void {
    const { uuid, full_slug, path, content, tag_list, taxonomy_terms } = record;
    const { uuids, slugs, uuidHashes, slugHashes, typeOf } = this.#stories;
    const ownUuid = typeof uuid === "string" ? uuid : "";
    const slug = typeof full_slug === "string" ? full_slug : "";
    this.#story = uuids.length;
    this.#content = content;
    this.#named.clear();
    uuids.push(ownUuid);
    slugs.push(slug);
    uuidHashes.push(numberHash(ownUuid));
    const address: StoryAddress = { full_slug: slug, path: typeof path === "string" ? path : null };
    if (address.path) this.#paths[this.#story] = address.path;
    slugHashes.push(numberHash(pathKey(address, this.#settings.language, this.#settings.links)));
    typeOf.push(isBlock(content) ? inMap(this.#types, content.component, () => this.#types.size) : -1);
    this.#shape.add(record, this.#story);
    if (Array.isArray(tag_list)) this.#note(this.#tags, tag_list);
    if (Array.isArray(taxonomy_terms))
      this.#note(
        this.#terms,
        taxonomy_terms.map((term) => isObject(term) && term.id),
      );
    if (isBlock(content)) walkContent(content, this.#visitor);
  }

  #note(found: Map<string, number[]>, names: readonly unknown[]): void {
    for (const name of new Set(names)) {
      if (typeof name === "string") inMap(found, name, () => []).push(this.#story);
    }
  }

  readonly #visitor = {
    block: (_block: JsonObject, component: string) =>
      void this.#blocks.set(component, (this.#blocks.get(component) ?? 0) + 1),
    field: (component: string, name: string, value: unknown, at: ContentPlace) => {
      const field = this.#fields[this.#fieldAt(component, name)]!;
      field.present += 1;
      if (isFilled(value)) field.filled += 1;
      else if (field.empties.length <= rareEmpties) field.empties.push([this.#story, at.path(), at.place()]);
      const isTop = isObject(this.#content) && this.#content[name] === value && this.#content.component === component;
      this.#at = at;
      for (const look of this.#fieldLooks) look(name, value, isTop);
      if (typeof value === "string") this.#noteOption(field, value, at);
    },
    related: (uuid: string, component: string, field: string) =>
      this.#refer("relation", this.#fieldAt(component, field), numberHash(uuid)),
    object: (value: JsonObject, at: ContentPlace, inside: Inside) => this.#lookAt(value, at, inside),
    text: (text: string, at: ContentPlace, inside: Inside) => {
      if (text.includes("/")) this.#lookAtAddresses(text, at, inside);
      if (!this.#settings.isTranslated) return;
      const letters = proseLetters(text);
      if (letters === 0) return;
      this.#texts.push(...packedText(this.#story, text, `${inside.component}.${inside.field}`, letters));
    },
  };

  #lookAt(value: JsonObject, at: ContentPlace, inside: Inside): void {
    this.#at = at;
    for (const look of this.#objectLooks) look(value);
    const field = () => this.#fieldAt(inside.component, inside.field);
    const link = storyLink(value);
    if (link !== undefined) {
      this.#refer("link", field(), numberHash(link.uuid));
      return;
    }
    const asset = namedAsset(value);
    if (typeof asset === "string") {
      this.#named.add(asset);
      this.#useAsset(asset, field());
    } else if (typeof value.linktype === "string" && !["asset", "email"].includes(value.linktype)) {
      const address = value.href || value.url || value.cached_url;
      if (typeof address === "string") this.#noteAddress(address, at);
    }
  }

  #lookAtAddresses(text: string, at: ContentPlace, inside: Inside): void {
    if (text.includes("/f/") && !this.#named.has(text)) {
      const field = this.#fieldAt(inside.component, inside.field);
      for (const url of assetUrls(text)) this.#useAsset(url, field);
    }
    for (const address of addressesIn(text)) this.#noteAddress(address, at);
  }

  #noteAddress(address: string, at: ContentPlace): void {
    const isLocal = /^\/(?![/\\])/.test(address);
    const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/]+/i.exec(this.#settings.links.pattern)?.[0];
    const isOwn = origin !== undefined && address.toLowerCase().startsWith(origin.toLowerCase());
    if (isLocal || isOwn) this.#addresses.push([this.#story, at.path(), at.place(), address.slice(0, 500)]);
  }

  #useAsset(url: string, field: number): void {
    const original = url === "" ? undefined : originalAssetUrl(url);
    if (original !== undefined) this.#refer("asset", field, assetHash(original));
  }

  #refer(kind: ReferenceKind, field: number, target: number): void {
    this.#references.push(...packedReference(this.#story, field, kind, target));
  }

  #noteOption(field: FieldDraft, value: string, at: ContentPlace): void {
    const { options } = field;
    if (options === undefined || value === "") return;
    if (value.length > longestOption || /\s\S+\s/.test(value) || value.includes("/")) field.options = undefined;
    else {
      const known = options.get(value);
      if (known !== undefined) known[1] += 1;
      else if (options.size >= mostOptions) field.options = undefined;
      else options.set(value, [value, 1, this.#story, at.path(), at.place()]);
    }
  }

  /** One reporter per rule, not per object, since most objects have no finding. It reports at {@link #at}. */
  #reporterOf(rule: LocalRule): ReportHere {
    return (wrong, message) => {
      const at = this.#at;
      if (at === undefined) return;
      this.#findings.push([rule.code, this.#story, at.path(), at.place(), wrong.slice(0, 300), message]);
    };
  }

  #fieldAt(component: string, name: string): number {
    const fields = inMap(this.#components, component, () => new Map<string, number>());
    return inMap(fields, name, () => {
      this.#names.push(`${component}.${name}`);
      return this.#fields.push({ present: 0, filled: 0, empties: [], options: new Map() }) - 1;
    });
  }

  facts(): FoundFacts {
    return {
      ...this.#stories,
      types: [...this.#types.keys()],
      fields: this.#names,
      present: this.#fields.map(({ present }) => present),
      filled: this.#fields.map(({ filled }) => filled),
      empties: this.#fields.flatMap(({ empties }, field) =>
        empties.length > rareEmpties ? [] : empties.map((empty): FoundFacts["empties"][number] => [field, ...empty]),
      ),
      options: this.#fields.flatMap(({ options }, field): FoundFacts["options"] =>
        options === undefined || options.size === 0 ? [] : [[field, [...options.values()]]],
      ),
      blocks: Object.fromEntries(this.#blocks),
      references: this.#references,
      addresses: this.#addresses,
      paths: this.#paths,
      findings: this.#findings,
      texts: this.#texts,
      shapeFaults: this.#shape.faults(),
      tags: Object.fromEntries(this.#tags),
      terms: Object.fromEntries(this.#terms),
    };
  }
}

/** The path of a story on the site, as in URLs, which have no empty segments; "" for the home page. */
export function pathKey(story: StoryAddress, language: string, links: LinkSettings): string {
  const path = sitePath(story, language, links);
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
}
