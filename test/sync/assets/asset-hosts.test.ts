import { describe, expect, test } from "vitest";
import { type AssetHosts, assetTarget } from "../../../src/sync/assets/asset-hosts.js";

const settings: AssetHosts = {
  hosts: ["source", "cdn.example.com"],
  sourceOrigin: "http://127.0.0.1:4400",
  sourceHosts: ["a.space.example"],
  hostMap: { "assets.demo.example": "http://127.0.0.1:4400" },
};

function target(url: string, changed: Partial<AssetHosts> = {}) {
  return assetTarget(url, { ...settings, ...changed });
}

describe("assetTarget", () => {
  test("allows listed hosts and the hosts of the source's region, at public addresses only", () => {
    for (const url of [
      "https://cdn.example.com/a.png",
      "http://CDN.example.com/a.png",
      "https://a.space.example/f/1/a.png",
    ]) {
      expect(target(url)).toEqual({ allowed: true, url: new URL(url), publicOnly: true });
    }
  });

  test("allows the source's own origin at any address, but no other port there", () => {
    expect(target("http://127.0.0.1:4400/a.png")).toMatchObject({ allowed: true, publicOnly: false });
    expect(target("http://127.0.0.1:4401/a.png")).toMatchObject({ allowed: false });
    expect(target("https://127.0.0.1:4400/a.png")).toMatchObject({ allowed: false });
  });

  test("asks the mapped origin instead of a mapped host, keeping path and query", () => {
    const mapped = target("https://assets.demo.example/f/1/a.png?x=1");
    expect(mapped).toEqual({
      allowed: true,
      url: new URL("http://127.0.0.1:4400/f/1/a.png?x=1"),
      publicOnly: false,
    });
  });

  test("does not let a path with two slashes turn a mapped host into another one", () => {
    const mapped = target("https://assets.demo.example//inner.example/x");
    expect(mapped.allowed && mapped.url.href).toBe("http://127.0.0.1:4400//inner.example/x");
  });

  test("without `source`, neither the source's origin nor its region's hosts are allowed", () => {
    expect(target("http://127.0.0.1:4400/a.png", { hosts: [] }).allowed).toBe(false);
    expect(target("https://a.space.example/a.png", { hosts: ["source.example"] }).allowed).toBe(false);
  });

  test.each([
    "https://other.example/a.png",
    "https://sub.cdn.example.com/a.png",
    "https://cdn.example.com.evil.example/a.png",
    "https://cdn.example.com./a.png",
    "https://cdn.example.com:8080/a.png",
    "https://cdn.example.com@evil.example/a.png",
    "https://user:secret@cdn.example.com/a.png",
    "https://user@cdn.example.com/a.png",
    "http://169.254.169.254/latest/meta-data",
    "http://2130706433/",
    "http://[::1]:4400/",
    "http://localhost:4400/a.png",
    "file:///etc/passwd",
    "ftp://cdn.example.com/a.png",
    "data:image/png;base64,AAAA",
    "javascript:alert(1)",
    "https://constructor/a.png",
    "https://__proto__/a.png",
    "//cdn.example.com/a.png",
    "a.png",
    "",
  ])("refuses %s", (url) => {
    expect(target(url).allowed).toBe(false);
  });

  test("an address written in another way is the origin that it stands for", () => {
    expect(target("http://0x7f.1:4400/a.png")).toMatchObject({ allowed: true });
  });
});
