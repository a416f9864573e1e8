import { expect, test } from "vitest";
import { hostsOfOrigin, regionHosts } from "../../../src/config/schema/region-hosts.js";

test("Australia is known by both names of its host", () => {
  for (const name of ["ap", "au"]) expect(hostsOfOrigin(`https://api-${name}.storyblok.com`)).toBe(regionHosts("ap"));
  expect(hostsOfOrigin("https://api-xx.storyblok.com")).toBeUndefined();
});
