import { isAsset } from "../../content/resolve/content-shape.js";
import { visitValue } from "../../content/resolve/rewrite-value.js";
import { isObject } from "../../lib/shape.js";

/** Together they name every asset with an id: each one that none before does. @param known gets the new ids */
export async function coveringStories(
  lines: AsyncIterable<{ key: string; line: string }> | Iterable<{ key: string; line: string }>,
  known: Set<number>,
): Promise<string[]> {
  const uuids: string[] = [];
  for await (const { key, line } of lines) {
    if (!line.includes('"filename":"')) continue;
    const before = known.size;
    visitValue(JSON.parse(line), (value) => {
      if (isObject(value) && isAsset(value) && typeof value.id === "number") known.add(value.id);
    });
    if (known.size > before) uuids.push(key);
  }
  return uuids;
}
