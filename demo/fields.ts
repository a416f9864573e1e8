import type { DemoAsset } from "./assets/pictures.js";
import { blok } from "./demo-story.js";
import { uuidOf } from "./identifiers.js";
import type { Text } from "./translated.js";

/** An asset field that holds a file of the asset library. */
export function asset(file: DemoAsset, alt: Text = file.alt, more: Record<string, unknown> = {}) {
  return {
    id: file.id,
    alt,
    name: "",
    focus: file.focus ?? "",
    title: "",
    source: "",
    filename: file.url,
    copyright: "© Lumen Press",
    fieldtype: "asset",
    meta_data: { alt, title: "", source: "", copyright: "© Lumen Press" },
    is_private: false,
    is_external_url: false,
    ...more,
  };
}

/** An asset field that was never filled. */
export function emptyAsset() {
  return {
    id: null,
    alt: "",
    name: "",
    focus: "",
    title: "",
    source: "",
    filename: "",
    copyright: "",
    fieldtype: "asset",
    meta_data: {},
  };
}

/**
 * A link field that points at a story. Its `cached_url` is the path as an editor's last save left it; that of a start page
 * ends with a slash.
 */
export function linkToStory(path: string, more: Record<string, unknown> = {}) {
  return {
    id: uuidOf(path.replace(/\/$/, "")),
    url: "",
    linktype: "story",
    fieldtype: "multilink",
    cached_url: path,
    target: "_self",
    anchor: null,
    ...more,
  };
}

/** A link field that points at an address outside. */
export function linkToUrl(url: string, more: Record<string, unknown> = {}) {
  return {
    id: "",
    url,
    linktype: "url",
    fieldtype: "multilink",
    cached_url: url,
    target: "_blank",
    rel: "noopener",
    ...more,
  };
}

/** A link field that holds a mail address. */
export function linkToEmail(email: string) {
  return { id: "", url: "", email, linktype: "email", fieldtype: "multilink", cached_url: "" };
}

/** A link field that points at a file of the asset library. */
export function linkToAsset(file: DemoAsset) {
  return { id: "", url: file.url, linktype: "asset", fieldtype: "multilink", cached_url: file.url, target: "_blank" };
}

/** The address of a file without its scheme, as Markdown and old fields have it. */
export function addressWithoutScheme(file: DemoAsset): string {
  return file.url.replace("https:", "");
}

/** A link field that was never filled. */
export function emptyLink() {
  return { id: "", url: "", linktype: "story", fieldtype: "multilink", cached_url: "" };
}

/** A table field: a head, and rows of as many cells. */
export function tableField(head: Text[], ...rows: Text[][]) {
  return {
    thead: head.map((value) => blok("_table_head", { value })),
    tbody: rows.map((cells) => blok("_table_row", { body: cells.map((value) => blok("_table_col", { value })) })),
  };
}

/** The field of the search engine plugin. */
export function seo(title: Text, description: Text, more: Record<string, unknown> = {}) {
  return {
    _uid: "",
    title,
    plugin: "seo_metatags",
    og_image: "",
    og_title: "",
    description,
    twitter_image: "",
    twitter_title: "",
    og_description: "",
    twitter_description: "",
    ...more,
  };
}

/** The values of a relations field: the uuids of the stories at these paths. */
export function stories(...paths: string[]): string[] {
  return paths.map((path) => uuidOf(path));
}

/** The value of a number field: it is a string. */
export function numeral(value: number, digits = 0): string {
  return value.toFixed(digits);
}
