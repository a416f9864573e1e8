import { expect, test } from "vitest";
import { pageAddress } from "../../../src/content/names/editor-address.js";

test.each([
  ["on the site", "https://www.example.com", "/de/blog/", "https://www.example.com/de/blog/"],
  ["below the path of the site", "https://example.com/shop", "/lamps", "https://example.com/shop/lamps"],
  ["on the host of its own address", "https://www.example.com", "https://b.example/x", "https://b.example/x"],
  ["on no other host", "https://www.example.com", "//evil.example/x", "https://www.example.com//evil.example/x"],
  ["nowhere without a site", undefined, "/x", undefined],
  ["nowhere by another scheme", "https://www.example.com", "javascript:alert(1)", undefined],
])("a page is %s", (_, site, url, address) => {
  expect(pageAddress(site, url)).toBe(address);
});
