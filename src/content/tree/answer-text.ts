import { termPaths } from "../../contract/term-tree.js";
import { indexedAddress, shownOfAsset } from "../../snapshot/reader/noting-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";

type Key = [kind: string, first: string | number, second?: string | number | null];

/** What a key of `notingReader` asks for, for people. */
const kinds: Readonly<Record<string, string>> = {
  story: "the story",
  reference: "its name, slug, type or path",
  slug: "which story has this slug",
  path: "which story has this path",
  row: "its row of the index",
  asset: "the asset's file",
  "asset-metadata": "the asset's metadata",
  term: "the path of the term",
  datasource: "the datasource",
  entries: "the datasource's entries",
  "component-setting": "content.types of the configuration",
  "component-use": "how the space uses the component's fields",
  links: "the rows of the index",
};

/** Names a key: its kind, and the story or other thing that it is about. @param readers the first one that knows it tells its name */
export function readKind(key: string, readers: readonly Reader[]): { kind: string; about: string; uuid?: string } {
  const [kind, first, second] = JSON.parse(key) as Key;
  const text = kinds[kind] ?? kind;
  if (kind === "story" || kind === "reference" || kind === "row") {
    const uuid = String(second);
    const found = readers.map((reader) => reader.reference(String(first), uuid)).find((one) => one !== undefined);
    return { kind: text, about: found === undefined ? uuid : `${found.name} (${found.full_slug})`, uuid };
  }
  if (kind === "datasource" || kind === "entries") {
    const named = readers.flatMap((reader) => reader.datasources() ?? []).find(({ id }) => id === Number(first));
    return { kind: text, about: named?.slug ?? String(first) };
  }
  return { kind: text, about: String(kind === "slug" || kind === "path" ? second : first) };
}

/** The answer to a key of `notingReader` as JSON of an object; undefined if there is none. */
export function answerText(reader: Reader, key: string): string | undefined {
  const [kind, first, second] = JSON.parse(key) as Key;
  const [edition, uuid] = [String(first), String(second)];
  switch (kind) {
    case "story": {
      const bytes = reader.storyBytes(edition, uuid);
      return bytes && Buffer.from(bytes).toString("utf8");
    }
    case "reference":
      return textOf(reader.reference(edition, uuid));
    case "slug":
      return storyText(reader.uuidBySlug(edition, uuid));
    case "path":
      return storyText(reader.uuidByPath(edition, uuid));
    case "row":
      return textOf(indexedAddress(reader.link(edition, uuid)));
    case "asset": {
      const [hash, name, width, height] = shownOfAsset(reader.asset(String(first))) ?? [];
      return hash === undefined ? undefined : textOf({ hash, name, width, height });
    }
    case "asset-metadata":
      return textOf(reader.assetMetadata(Number(first)));
    case "term": {
      const path = termPaths(reader.terms() ?? []).get(String(first));
      return path === undefined ? undefined : textOf({ path });
    }
    case "datasource":
      return textOf(reader.datasources()?.find(({ id }) => id === Number(first)));
    case "entries": {
      const entries = reader.entries(Number(first), second === null ? null : Number(second));
      return entries && textOf(Object.fromEntries(entries.map(({ name, value }) => [name, value])));
    }
    default:
      return undefined;
  }
}

function storyText(uuid: string | undefined): string | undefined {
  return uuid === undefined ? undefined : textOf({ story: uuid });
}

function textOf(value: object | undefined): string | undefined {
  return value && JSON.stringify(value);
}
