import { lostReferences, relationFieldsInUse } from "../lost-references.js";
import type { GlobalRule } from "../rule.js";

/** The same relations as the problem of this code that a sync tells. */
export const relationDangling: GlobalRule = {
  kind: "global",
  code: "RELATION_DANGLING",
  level: "error",
  about:
    "A field names a story that the edition does not have. Where no uuid of the field names a story, it may hold something else: then `info`.",
  hint: "Publish the story, or remove it from the field.",
  async check(space, report) {
    const lost = await lostReferences(space, "relation");
    if (lost.length === 0) return;
    const rows = await space.indexRows([...new Set(lost.map(({ uuid }) => uuid))]);
    const inUse = relationFieldsInUse(space);
    const isNamed = space.settings.relations !== "all";
    for (const { edition, story, uuid, path, place, field } of lost) {
      const row = rows.get(uuid);
      const isCertain = isNamed || row !== undefined || inUse.has(field);
      report({
        story: { edition: edition.entry.name, at: story },
        path,
        place,
        wrong: uuid,
        message: `The value names story ${uuid}, which ${row?.isPublished === false && !row.isFolder ? "is not published" : "this edition does not have"}.`,
        ...(isCertain ? {} : { level: "info" as const }),
      });
    }
  },
};
