import type { Child } from "hono/jsx";
import type { ExplorerSpace } from "./explorer-space.js";

/** What a page is asked for. */
export interface PageRequest {
  /** The segments behind the prefix, decoded, without the extension of the last one. */
  path: readonly string[];
  query: URLSearchParams;
  /** What is wanted: a page, its data, or one of its reports. */
  format: Format;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/** By the extension of the address: none, `.json`, `.md`, `.html`. */
export type Format = "page" | "json" | "markdown" | "report";

/** Where a page belongs in the navigation. */
export type Section = "state" | "stories" | "compare" | "assets" | "usage" | "problems" | "runs";

/** A page as a value: its data, which is its `.json`, and what shows the same data. */
export interface Page {
  title: string;
  section: Section;
  /** Default: 200. */
  status?: number;
  data: object;
  view(): Child;
  /** The same data as Markdown, where there is a report of it. */
  markdown?(): string;
  /** Whether it can be saved as one file that needs nothing else. */
  isReport?: boolean;
  /** Where it is not complete yet: seconds after which it is worth asking for it again. */
  againSeconds?: number;
}

/** Makes a page; undefined where there is no such thing. */
export type PageMaker = (space: ExplorerSpace, request: PageRequest) => Promise<Page | undefined>;

/** Where all pages lie. */
export const prefix = "/_explorer";

/** The address of a page. Parameters that are empty or undefined are left out. */
export function address(path: string, parameters: Readonly<Record<string, string | number | undefined>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return `${prefix}/${path}${text === "" ? "" : `?${text}`}`;
}

/** Which state of a story a page shows; what is empty or undefined is as by default. */
export interface StoryParameters {
  language?: string | undefined;
  version?: string | undefined;
  generation?: number | undefined;
}

/** The address of a story's page. */
export function storyAddress(uuid: string, { language, version, generation }: StoryParameters = {}): string {
  return address(`stories/${encodeURIComponent(uuid)}`, { language, version, generation });
}

/** A number of a page from 1; 1 where none is given. */
export function pageNumber({ query }: PageRequest): number {
  const page = Number(query.get("page") ?? 1);
  return Number.isInteger(page) && page > 0 && page < 1e9 ? page : 1;
}

/** The number of a generation in a parameter; undefined where it is none. */
export function generationIn({ query }: PageRequest, name: string): number | undefined {
  const text = query.get(name) ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
