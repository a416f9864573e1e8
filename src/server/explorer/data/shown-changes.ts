import { keysOfStory } from "../../../content/tree/explain-story.js";
import type { EditionEntry } from "../../../snapshot/manifest.js";
import { isSameAnswer, notingReader } from "../../../snapshot/reader/noting-reader.js";
import type { Reader } from "../../../snapshot/reader/reader.js";
import type { ExplorerSpace } from "./explorer-space.js";
import { keptView } from "./generations.js";

/** Other content that a story's page shows and that differs between two generations. */
export interface ShownChange {
  change: "added" | "removed" | "changed" | "moved";
  /** Of a story; undefined for other content. */
  uuid?: string;
  /** Name of the story; else what it is, for a person. */
  name: string;
  /** Slug of the story, address of the file. */
  slug: string;
}

interface Compared {
  from: number;
  to: number;
  edition: EditionEntry;
  uuid: string;
}

/** Why the page of an unchanged story was made anew. Renders it once, and compares what it read. */
export async function shownChanges(
  space: ExplorerSpace,
  { from, to, edition, uuid }: Compared,
): Promise<ShownChange[]> {
  const [old, now] = [(await keptView(space, from)).reader, (await keptView(space, to)).reader];
  const { types } = space.config.content;
  const [before, after] = [notingReader(old, types), notingReader(now, types)];
  const found = new Map<string, ShownChange>();
  for (const key of keysOfStory(now, space.config, edition, uuid)) {
    const [was, is] = [before.answer(key), after.answer(key)];
    if (isSameAnswer(was, is)) continue;
    const change = was === "" ? "added" : is === "" ? "removed" : "changed";
    const shown = shownChange(JSON.parse(key), change, [old, now]);
    const name = `${shown.name}\n${shown.slug}`;
    if (!found.has(name)) found.set(name, shown);
  }
  return [...found.values()];
}

/** @param key of a `notingReader` */
function shownChange(
  [kind, first, second]: readonly [kind: string, first: string | number, second?: string | number],
  change: ShownChange["change"],
  [old, now]: readonly [old: Reader, now: Reader],
): ShownChange {
  if (kind === "story" || kind === "reference") {
    const [edition, uuid] = [String(first), String(second)];
    const [was, is] = [old.reference(edition, uuid), now.reference(edition, uuid)];
    const { name = "", full_slug: slug = uuid } = is ?? was ?? {};
    const isMoved = was !== undefined && is !== undefined && was.full_slug !== is.full_slug;
    return { change: isMoved ? "moved" : change, uuid, name: name || slug, slug };
  }
  if (kind === "asset") return { change, name: "File", slug: String(first) };
  if (kind === "slug" || kind === "path") return { change, name: "What is at an address", slug: String(second) };
  if (kind === "datasource" || kind === "entries") {
    const source = [now, old].flatMap((reader) => reader.datasources() ?? []).find(({ id }) => id === Number(first));
    return { change: "changed", name: "Datasource", slug: source?.slug ?? String(first) };
  }
  return { change: "changed", name: "The list of pages and folders", slug: "" };
}
