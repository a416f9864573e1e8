import type { Child } from "hono/jsx";
import type { EditionEntry, Manifest } from "../../../snapshot/manifest.js";
import { chosenEdition } from "../../../snapshot/reader/stored-story.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { ExplorerSpace } from "../data/explorer-space.js";
import { keptManifests } from "../data/generations.js";

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
  status?: number | undefined;
  data: object;
  view(): Child;
  /** The same data as Markdown, where there is a report of it. */
  markdown?: (() => string) | undefined;
  /** Whether it can be saved as one file that needs nothing else. */
  isReport?: boolean;
  /** Where it is not complete yet: seconds after which it is worth asking for it again. */
  againSeconds?: number | undefined;
}

/** What a page is loaded from. */
export interface Asked extends PageRequest {
  space: ExplorerSpace;
  /** The generation that is shown. */
  view: GenerationView;
  manifest: Manifest;
  /** The segment of the path that stands for `*`; empty where there is none. */
  id: string;
  /** A number of the list from 1; 1 where none is given. */
  page: number;
  /** The first 300 characters of a parameter; empty where it is not given. */
  text(name: string): string;
}

/** Pages of one kind: what is loaded for one, and what shows it. */
export interface PageKind<Loaded extends Omit<Page, "section" | "view">> {
  /** `*` is one segment that the page reads. */
  path: string;
  section: Section;
  /** Returns undefined where there is no such thing. */
  load(asked: Asked): Promise<Loaded | undefined>;
  view(loaded: Loaded): Child;
}

/** Makes the pages of a path; undefined where there is no such thing. */
export interface PageMaker {
  path: string;
  make(space: ExplorerSpace, request: PageRequest): Promise<Page | undefined>;
}

/** Makes pages of what is loaded for them. */
export function page<Loaded extends Omit<Page, "section" | "view">>(kind: PageKind<Loaded>): PageMaker {
  const { path, section, load, view: shown } = kind;
  return {
    path,
    async make(space, request) {
      const view = space.source.view();
      const number = Number(request.query.get("page") ?? 1);
      const loaded = await load({
        ...request,
        space,
        view,
        manifest: view.reader.manifest,
        id: request.path[1] ?? "",
        page: Number.isInteger(number) && number > 0 && number < 1e9 ? number : 1,
        text: (name) => (request.query.get(name) ?? "").slice(0, 300),
      });
      return loaded && { ...loaded, section, view: () => shown(loaded) };
    },
  };
}

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

/** The address of a story's texts in two languages, side by side. */
export function languagesAddress(uuid: string, parameters: { with: string; version: string }): string {
  return address(`stories/${encodeURIComponent(uuid)}/languages`, parameters);
}

/** The address of what differs in a story between two generations. */
export function compareAddress(
  uuid: string,
  parameters: StoryParameters & { from?: number; to?: number },
  extension = "",
): string {
  return address(`compare/${encodeURIComponent(uuid)}${extension}`, { ...parameters });
}

/** The number of a generation in a parameter; undefined where it is none. */
export function generationIn({ query }: PageRequest, name: string): number | undefined {
  const text = query.get(name) ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * The edition that the query of an address names with `language` and `version`; by default what is published in the default language.
 * @throws OffprintError `USAGE` where the generation has none
 */
export function editionOf(manifest: Manifest, query: URLSearchParams): EditionEntry {
  const version = query.get("version");
  return chosenEdition(manifest, {
    language: query.get("language") || undefined,
    version: version === "draft" || version === "published" ? version : undefined,
  });
}

/** The languages of the same version, the default language first. */
export function languagesOf({ editions }: Manifest, { version, release }: EditionEntry): string[] {
  const found = editions.filter((one) => one.version === version && one.release === release);
  return found
    .map(({ language }) => language)
    .sort((a, b) => Number(b === "default") - Number(a === "default") || (a < b ? -1 : 1));
}

/** The two generations that an address names with `from` and `to`; by default the current one and the one before `to`. */
export async function comparedGenerations(asked: Asked) {
  const kept = await keptManifests(asked.space.store);
  const to = generationIn(asked, "to") ?? asked.manifest.generation;
  const from = generationIn(asked, "from") ?? kept.find(({ generation }) => generation < to)?.generation;
  return { kept, from, to };
}
