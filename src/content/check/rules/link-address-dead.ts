import { deadAddresses } from "../facts/dead-addresses.js";
import type { GlobalRule } from "../facts/rule.js";

export const linkAddressDead: GlobalRule = {
  code: "LINK_ADDRESS_DEAD",
  level: "warning",
  about: "A link leads to an address of the site that no story has. The site's own code may have a page there.",
  hint: "Link to a story, or ignore the address if the site's own code has a page there.",
  async check(space, report) {
    for (const { story, path, place, address, sitePath, in: edition } of deadAddresses(space)) {
      if ((await space.movedFrom(edition, sitePath)) !== undefined) continue;
      const message = `A link leads to ${JSON.stringify(address)}, where the site has no story.`;
      report({ story, path, place, wrong: address, message });
    }
  },
};
