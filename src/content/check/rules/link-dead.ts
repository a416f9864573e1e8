import { lostReferences } from "../lost-references.js";
import type { GlobalRule } from "../rule.js";

/** The same links as the problem of this code that a sync tells of uuids. */
export const linkDead: GlobalRule = {
  kind: "global",
  code: "LINK_DEAD",
  level: "error",
  about: "A link names a story that the edition does not have: it was deleted, or is not published.",
  hint: "Publish the story, or remove the link.",
  async check(space, report) {
    const lost = await lostReferences(space, "link");
    const rows = await space.indexRows([...new Set(lost.map(({ uuid }) => uuid))]);
    for (const { edition, story, uuid, path, place } of lost) {
      const row = rows.get(uuid);
      const what = row === undefined ? "this edition does not have" : row.isFolder ? "is a folder" : "is not published";
      report({
        story: { edition: edition.entry.name, at: story },
        path,
        place,
        wrong: uuid,
        message: `A link names story ${uuid}, which ${row?.isPublished ? "this edition does not have" : what}.`,
      });
    }
  },
};
