import { hasTranslation, lostReferences, namesLeftOut, relationFieldsInUse } from "../facts/lost-references.js";
import type { GlobalRule } from "../facts/rule.js";

/** The relations that a sync reports under the same code. */
export const relationDangling: GlobalRule = {
  code: "RELATION_DANGLING",
  level: "error",
  about:
    "A field names a story that no language has. If no uuid in this field names a story, the field may hold something else: then `info`.",
  hint: "Publish the story, or remove it from the field.",
  async check(space, report) {
    const lost = (await lostReferences(space, "relation")).filter((one) => !hasTranslation(one, space));
    if (lost.length === 0) return;
    const rows = await space.indexRows([...new Set(lost.map(({ uuid }) => uuid))]);
    const inUse = relationFieldsInUse(space);
    const isNamed = space.settings.relations !== "all";
    for (const reference of lost) {
      const { story, uuid, path, place, field } = reference;
      const row = rows.get(uuid);
      if (namesLeftOut(reference, row, space)) continue;
      const isCertain = isNamed || row !== undefined || inUse.has(field);
      const isUnpublished = row?.isPublished === false && !row.isFolder;
      const message = `The value names story ${uuid}, which ${isUnpublished ? "is not published" : "this edition does not have"}.`;
      report({
        story,
        path,
        place,
        wrong: uuid,
        target: uuid,
        message,
        ...(isCertain ? {} : { level: "info" as const }),
      });
    }
  },
};
