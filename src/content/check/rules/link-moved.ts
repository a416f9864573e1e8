import { deadAddresses } from "../dead-addresses.js";
import type { GlobalRule } from "../rule.js";

export const linkMoved: GlobalRule = {
  kind: "global",
  code: "LINK_MOVED",
  level: "warning",
  about: "A link leads to the address that a story had in an earlier generation that is kept; it has another one now.",
  hint: "Link to the story itself, or write its new address.",
  async check(space, report) {
    for (const dead of deadAddresses(space)) {
      const to = (await space.movedFrom(dead.in, new Set([dead.slug]))).get(dead.slug);
      if (to === undefined) continue;
      const { language } = dead.in.entry;
      report({
        story: { edition: dead.edition.entry.name, at: dead.story },
        path: dead.path,
        place: dead.place,
        wrong: dead.address,
        message: `A link leads to ${JSON.stringify(dead.address)}; the story is at ${space.settings.url(dead.in.slug(to), language)} now.`,
      });
    }
  },
};
