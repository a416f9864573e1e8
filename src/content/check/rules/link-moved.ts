import { deadAddresses } from "../facts/dead-addresses.js";
import type { GlobalRule } from "../facts/rule.js";

export const linkMoved: GlobalRule = {
  code: "LINK_MOVED",
  level: "warning",
  about: "A link leads to an old address of a story, found in an earlier generation that is kept.",
  hint: "Link to the story itself, or write its new address.",
  async check(space, report) {
    for (const { story, path, place, address, sitePath, in: edition } of deadAddresses(space)) {
      const to = await space.movedFrom(edition, sitePath);
      if (to === undefined) continue;
      const now = edition.url(to);
      const message = `A link leads to ${JSON.stringify(address)}; the story is now at ${now}.`;
      report({ story, path, place, wrong: address, message });
    }
  },
};
