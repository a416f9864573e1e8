import type { NotedReader } from "../../snapshot/reader/reader.js";

/**
 * Whether the folder of a start page holds another published story, at any depth; for a page at the root, whether any
 * other story is published. True when the snapshot has no published edition, because then it is not known.
 *
 * @param uuid of the start page, which may be unpublished
 */
export function hasPublishedBelow(reader: Pick<NotedReader, "linkRows">, uuid: string): boolean {
  const published = reader.linkRows("published");
  if (published.length === 0) return true;
  const own = [...published, ...reader.linkRows("draft")].find((row) => row.uuid === uuid);
  const folder = own?.parent_id ?? 0;
  if (own === undefined || folder === 0) return published.some((row) => !row.is_folder && row.uuid !== uuid);
  const parents = new Map(published.map(({ id, parent_id }) => [id, parent_id]));
  return published.some((row) => {
    if (row.is_folder || row.uuid === uuid) return false;
    const seen = new Set<number>();
    let parent = row.parent_id ?? 0;
    while (parent !== 0 && parent !== folder && !seen.has(parent)) {
      seen.add(parent);
      parent = parents.get(parent) ?? 0;
    }
    return parent === folder;
  });
}
