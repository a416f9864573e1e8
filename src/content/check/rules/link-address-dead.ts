import { deadAddresses } from "../dead-addresses.js";
import type { GlobalRule } from "../rule.js";

export const linkAddressDead: GlobalRule = {
  kind: "global",
  code: "LINK_ADDRESS_DEAD",
  level: "warning",
  about: "A link leads to an address of the site at which no story is; the site's own code may have a page there.",
  hint: "Link to a story, or ignore the address where the site has a page of its own there.",
  async check(space, report) {
    for (const dead of deadAddresses(space)) {
      const moved = await space.movedFrom(dead.in, new Set([dead.slug]));
      if (moved.size > 0) continue;
      report({
        story: { edition: dead.edition.entry.name, at: dead.story },
        path: dead.path,
        place: dead.place,
        wrong: dead.address,
        message: `A link leads to ${JSON.stringify(dead.address)}, where the site has no story.`,
      });
    }
  },
};
