import type { Child } from "hono/jsx";
import type { EditionEntry, Manifest } from "../../../snapshot/manifest.js";
import { chosenEdition } from "../../../snapshot/reader/stored-story.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { ExplorerSpace } from "../data/explorer-space.js";
import { keptManifests } from "../data/generations.js";

export interface PageRequest {
  /** Decoded segments after the prefix, without the last one's extension. */
  path: readonly string[];
  query: URLSearchParams;
  format: Format;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/** By the extension of the address: none, `.json`, `.md`, `.html`. */
export type Format = "page" | "json" | "markdown" | "report";

/** The navigation: the first segment of an address, and its name. */
export const sections = {
  state: "State",
  stories: "Stories",
  compare: "Compare",
  assets: "Assets",
  usage: "Usage",
  problems: "Findings",
  runs: "Runs",
} as const;
export type Section = keyof typeof sections;

export interface Page {
  title: string;
  section: Section;
  /** Default: 200. */
  status?: number | undefined;
  data: object;
  view(): Child;
  markdown?: (() => string) | undefined;
  /** Whether it can be saved as one self-contained file. */
  isReport?: boolean;
  /** For an incomplete page: seconds until a reload is useful. */
  againSeconds?: number | undefined;
}

export interface Asked extends PageRequest {
  space: ExplorerSpace;
  view: GenerationView;
  manifest: Manifest;
  id: string;
  /** Page number of the list, from 1; default 1. */
  page: number;
  /** Returns the first 300 characters of a parameter, or an empty text. */
  text(name: string): string;
}

export interface PageKind<Loaded extends Omit<Page, "section" | "view">> {
  /** `*` matches one segment. */
  path: string;
  /** Default: the first segment of the path. */
  section?: Section;
  load(asked: Asked): Promise<Loaded | undefined>;
  view(loaded: Loaded): Child;
}

export type PageMaker = ReturnType<typeof page>;

export function page<Loaded extends Omit<Page, "section" | "view">>(kind: PageKind<Loaded>) {
  const { path, section = (path.split("/")[0] || "state") as Section, load, view: shown } = kind;
  return {
    path,
    async make(space: ExplorerSpace, request: PageRequest): Promise<Page | undefined> {
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

export const prefix = "/_explorer";

export function address(path: string, parameters: Readonly<Record<string, string | number | undefined>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return `${prefix}/${path}${text === "" ? "" : `?${text}`}`;
}

/** The shown state of a story; empty or undefined means the default. */
export interface StoryParameters {
  language?: string | undefined;
  version?: string | undefined;
  generation?: number | undefined;
}

export function storyAddress(uuid: string, { language, version, generation }: StoryParameters = {}): string {
  return address(`stories/${encodeURIComponent(uuid)}`, { language, version, generation });
}

export function languagesAddress(uuid: string, parameters: { with: string; version: string }): string {
  return address(`stories/${encodeURIComponent(uuid)}/languages`, parameters);
}

export function compareAddress(
  uuid: string,
  parameters: StoryParameters & { from?: number; to?: number },
  extension = "",
): string {
  return address(`compare/${encodeURIComponent(uuid)}${extension}`, { ...parameters });
}

export function generationIn({ query }: PageRequest, name: string): number | undefined {
  const text = query.get(name) ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** Default: published, default language. @throws OffprintError `USAGE` if it is missing */
export function editionOf(manifest: Manifest, query: URLSearchParams): EditionEntry {
  const version = query.get("version");
  return chosenEdition(manifest, {
    language: query.get("language") || undefined,
    version: version === "draft" || version === "published" ? version : undefined,
  });
}

export function languagesOf({ editions }: Manifest, { version, release }: EditionEntry): string[] {
  return languagesIn(editions.filter((one) => one.version === version && one.release === release));
}

/** The default one first. */
export function languagesIn(editions: readonly EditionEntry[]): string[] {
  const found = [...new Set(editions.map(({ language }) => language))];
  return found.sort((a, b) => Number(b === "default") - Number(a === "default") || (a < b ? -1 : 1));
}

/** Returns the generations `from` (default: the one before `to`) and `to` (default: current). */
export async function comparedGenerations(asked: Asked) {
  const kept = await keptManifests(asked.space.store);
  const to = generationIn(asked, "to") ?? asked.manifest.generation;
  const from = generationIn(asked, "from") ?? kept.find(({ generation }) => generation < to)?.generation;
  return { kept, from, to };
}

/** Returns `380 ms`, `12.3 s` or `4 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** Returns `2024-02-01 09:30` for an ISO date, and any other text unchanged. */
export function shortDate(iso: string | null | undefined): string {
  if (iso === null || iso === undefined) return "–";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? iso.slice(0, 16).replace("T", " ") : iso;
}

export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}
