import { describe, expect, test } from "vitest";
import { managementUrl, sourceUrl } from "../../../src/config/schema/source-url.js";

const value = (written: unknown) => {
  const reading = sourceUrl.read(written);
  return "value" in reading ? reading.value : undefined;
};

describe("an upstream's address", () => {
  test.each([
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    ["https://api.example.com//", "https://api.example.com"],
    ["https://api.example.com/v2/cdn", "https://api.example.com"],
    ["https://api.example.com/v2/cdn/", "https://api.example.com"],
    [" https://API.example.com:8443 ", "https://api.example.com:8443"],
    ["http://localhost:4400", "http://localhost:4400"],
    ["http://127.0.0.1:1", "http://127.0.0.1:1"],
    ["http://127.1:1", "http://127.0.0.1:1"],
    ["http://[::1]:4400/", "http://[::1]:4400"],
    ["demo:", "demo:"],
    ["demo", "demo:"],
  ])("%s is read as %s", (written, expected) => {
    expect(value(written)).toBe(expected);
  });

  test.each([
    ["http://api.example.com", /https/],
    ["http://127.0.0.1.example.com", /https/],
    ["http://localhost.example.com", /https/],
    ["https://user:secret@api.example.com", /user name/],
    ["https://api.example.com?token=x", /without \?/],
    ["https://api.example.com#x", /without \?/],
    ["https://api.example.com/v2/cdn/stories", /without a path/],
    ["https://api.example.com/v1", /without a path/],
    ["ftp://api.example.com", /an address/],
    ["file:///etc/passwd", /an address/],
    ["//api.example.com", /an address/],
    ["nonsense", /an address/],
    ["", /an address/],
    [42, /an address/],
    [null, /an address/],
  ])("%j is refused", (written, expects) => {
    const reading = sourceUrl.read(written);
    expect("misfits" in reading && reading.misfits[0]?.expects).toMatch(expects);
  });

  test("a host without a scheme is answered with the address that was meant", () => {
    const reading = sourceUrl.read("api.example.com");
    expect("misfits" in reading && reading.misfits[0]?.hint).toBe("Did you mean https://api.example.com?");
  });
});

test("a management address loses its prefix, and cannot be the demo", () => {
  expect(managementUrl.read("https://mapi.example.com/v1/")).toEqual({ value: "https://mapi.example.com" });
  expect(managementUrl.read("https://example.com/oauth")).toEqual({ value: "https://example.com" });
  expect(managementUrl.read("demo:")).toHaveProperty("misfits");
});
