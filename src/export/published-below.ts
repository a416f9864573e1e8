import type { NotedReader } from "../reader/reader.js";

/**
 * Whether another published story lies in the folder that a start page stands for, at any depth; for a page at the
 * root, anywhere. True where the snapshot has no published stories and so cannot tell.
 *
 * @param uuid the start page's, published or not
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
