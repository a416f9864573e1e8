import type { GlobalRule } from "../facts/rule.js";

export const storyEmpty: GlobalRule = {
  code: "STORY_EMPTY",
  level: "warning",
  about: "A story has no content, or content that names no content type: no page can be made of it.",
  hint: "Give it content in the editor, or delete it.",
  check({ editions }, report) {
    for (const edition of editions) {
      for (const { start, facts } of edition.shards) {
        for (let at = facts.typeOf.indexOf(-1); at !== -1; at = facts.typeOf.indexOf(-1, at + 1)) {
          const story = { edition, at: start + at };
          report({ story, wrong: "content", message: "The story has no content." });
        }
      }
    }
  },
};
