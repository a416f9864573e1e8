import { percentDecoded } from "../../lib/percent-decoded.js";
import { isMultilink, type JsonObject } from "./content-shape.js";
import { pathPart } from "./link-pattern.js";
import type { ObjectStep } from "./resolve-content.js";

export interface LinkTarget {
  /** The site's URL, without query and anchor. */
  url: string;
  full_slug: string;
}

export interface StoryLinkOptions {
  /** The target's address in the edition that is resolved; undefined if the edition lacks it. */
  target(uuid: string): LinkTarget | undefined;
  /** True if the story has room for this many more characters; where it has not, a link stays as it is. Default: yes. */
  hasRoom?(characters: number): boolean;
  /** Called for a link to a story that the edition lacks. Returns where it leads nevertheless; undefined: unchanged. */
  dead?: ((uuid: string, path: string, written: string) => LinkTarget | undefined) | undefined;
}

/**
 * Gives links their current addresses: `url` and `cached_url` of a link field, `href` of a rich text link.
 * The query and fragment of the old address are kept, as are all other keys.
 */
export function storyLinkStep(options: StoryLinkOptions): ObjectStep {
  return (value, place) => {
    const link = storyLink(value);
    if (link === undefined) return value;
    const target = options.target(link.uuid) ?? options.dead?.(link.uuid, place.path(), writtenSlug(value));
    if (target === undefined) return value;
    if (options.hasRoom?.(target.url.length + target.full_slug.length) === false) return value;
    return link.kind === "mark" ? resolvedMark(value, target) : resolvedMultilink(value, target);
  };
}

/** The slug that a link to a story was written with, without query, fragment and slashes at its ends; "": none. */
export function writtenSlug({ cached_url, url, href }: JsonObject): string {
  const written = [cached_url, url, href].find((address) => typeof address === "string" && address !== "");
  if (typeof written !== "string" || /^[a-z][a-z0-9+.-]*:|^\/\/|\\/i.test(written)) return "";
  return percentDecoded(pathPart(written)).replace(/^\/+|\/+$/g, "");
}

/** A link field, or the attributes of a rich text link. */
export function storyLink(value: JsonObject): { kind: "mark" | "multilink"; uuid: string } | undefined {
  if (value.linktype !== "story") return undefined;
  if (isMultilink(value)) {
    return typeof value.id === "string" && value.id !== "" ? { kind: "multilink", uuid: value.id } : undefined;
  }
  if (!Object.hasOwn(value, "href") && !Object.hasOwn(value, "uuid")) return undefined;
  return typeof value.uuid === "string" && value.uuid !== "" ? { kind: "mark", uuid: value.uuid } : undefined;
}

function resolvedMultilink(link: JsonObject, target: LinkTarget): JsonObject {
  const suffix = addition(link.url, link.anchor) || addition(link.cached_url, link.anchor);
  return { ...link, url: target.url + suffix, cached_url: target.full_slug };
}

function resolvedMark(attributes: JsonObject, target: LinkTarget): JsonObject {
  return { ...attributes, href: target.url + addition(attributes.href, attributes.anchor) };
}

/** Query and fragment of the old address. An `anchor` replaces the fragment. */
function addition(address: unknown, anchor: unknown): string {
  if (typeof address !== "string") return "";
  const start = address.search(/[?#]/);
  if (start === -1) return "";
  const found = address.slice(start);
  const fragment = found.indexOf("#");
  return fragment !== -1 && typeof anchor === "string" && anchor !== "" ? found.slice(0, fragment) : found;
}
