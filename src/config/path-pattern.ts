/** What stands in a pattern in place of text: something of the edition, or something of the story. */
export type PathPlaceholder = "edition" | "version" | "release" | "language" | "language?" | "type" | "slug" | "uuid";

/** A part of a name: text as it stands, or a placeholder. */
export type PathPart = { text: string } | { placeholder: PathPlaceholder };

/** `content.paths`: where the Markdown file of a story lies. Each segment is a list of parts. */
export interface PathPattern {
  /** Before the name of the file. */
  folders: readonly (readonly PathPart[])[];
  /** What the rest of the path is made of. */
  file: "slug" | "uuid";
}

const placeholders: Readonly<Record<PathPlaceholder, true>> = {
  edition: true,
  version: true,
  release: true,
  language: true,
  "language?": true,
  type: true,
  slug: true,
  uuid: true,
};

/**
 * Reads a pattern such as `{language}/{type}/{slug}`: segments of letters, digits, `-`, `_` and placeholders. The last
 * one is `{slug}` or `{uuid}`, without which stories would share a file; neither stands elsewhere. `{edition}` is several
 * folders, and so a segment of its own. Undefined for any other text.
 */
export function parsePathPattern(pattern: string): PathPattern | undefined {
  const segments = pattern.split("/");
  const last = segments.pop();
  const file = last === "{slug}" ? "slug" : last === "{uuid}" ? "uuid" : undefined;
  const folders = segments.map(partsOf);
  if (file === undefined || !folders.every((parts) => parts !== undefined && isFolder(parts))) return undefined;
  return { folders: folders.flatMap((parts) => (parts === undefined ? [] : [parts])), file };
}

/** Whether the pattern has this placeholder among its folders. */
export function namesPlaceholder({ folders }: PathPattern, ...wanted: readonly PathPlaceholder[]): boolean {
  return folders.some((parts) => parts.some((part) => "placeholder" in part && wanted.includes(part.placeholder)));
}

/** The parts of a segment; undefined where it is empty or holds anything else. */
function partsOf(segment: string): PathPart[] | undefined {
  const pieces = segment.match(/\{[^{}]*\}|[A-Za-z0-9_-]+/g) ?? [];
  if (pieces.length === 0 || pieces.join("") !== segment) return undefined;
  const parts = pieces.map((piece): PathPart | undefined => {
    if (!piece.startsWith("{")) return { text: piece };
    const name = piece.slice(1, -1);
    return isPlaceholder(name) ? { placeholder: name } : undefined;
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function isPlaceholder(name: string): name is PathPlaceholder {
  return Object.hasOwn(placeholders, name);
}

function isFolder(parts: readonly PathPart[]): boolean {
  return parts.every((part) => {
    if ("text" in part) return true;
    if (part.placeholder === "edition") return parts.length === 1;
    return part.placeholder !== "slug" && part.placeholder !== "uuid";
  });
}
