const placeholders = ["edition", "version", "release", "language", "language?", "type", "slug", "uuid"] as const;
export type PathPlaceholder = (typeof placeholders)[number];

export type PathPart = { text: string } | { placeholder: PathPlaceholder };

/** `content.paths`: the path of a story's Markdown file. Each folder is a list of parts. */
export interface PathPattern {
  folders: readonly (readonly PathPart[])[];
  /** The rest of the path. */
  file: "slug" | "uuid";
}

/**
 * Only the last segment is `{slug}` or `{uuid}`, so that stories do not share a file. `{edition}` becomes several
 * folders, so it needs a whole segment. Undefined for other text.
 */
export function parsePathPattern(pattern: string): PathPattern | undefined {
  const segments = pattern.split("/");
  const last = segments.pop();
  const file = last === "{slug}" ? "slug" : last === "{uuid}" ? "uuid" : undefined;
  const folders = segments.map(partsOf);
  if (file === undefined || !folders.every((parts) => parts !== undefined && isFolder(parts))) return undefined;
  return { folders: folders.flatMap((parts) => (parts === undefined ? [] : [parts])), file };
}

export function namesPlaceholder({ folders }: PathPattern, ...wanted: readonly PathPlaceholder[]): boolean {
  return folders.some((parts) => parts.some((part) => "placeholder" in part && wanted.includes(part.placeholder)));
}

function partsOf(segment: string): PathPart[] | undefined {
  const pieces = segment.match(/\{[^{}]*\}|[A-Za-z0-9_-]+/g) ?? [];
  if (pieces.length === 0 || pieces.join("") !== segment) return undefined;
  const parts = pieces.map((piece): PathPart | undefined => {
    if (!piece.startsWith("{")) return { text: piece };
    const placeholder = placeholders.find((name) => piece === `{${name}}`);
    return placeholder && { placeholder };
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function isFolder(parts: readonly PathPart[]): boolean {
  return parts.every((part) => {
    if ("text" in part) return true;
    if (part.placeholder === "edition") return parts.length === 1;
    return part.placeholder !== "slug" && part.placeholder !== "uuid";
  });
}
