import { describe, expect, test } from "vitest";
import { isPublicAddress, notPublicCode, publicLookup } from "../../../src/lib/http/public-address.js";

describe("an address is public", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "192.0.1.1",
    "223.255.255.255",
    "2606:2800:220:1:248:1893:25c8:1946",
    "2a00:1450:4001:81b::200e",
    "[2606:4700::1111]",
  ])("%s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("an address is not public", () => {
  test.each([
    ["this host", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["link-local, cloud metadata", "169.254.169.254"],
    ["cloud metadata of another kind", "168.63.129.16"],
    ["protocol assignments", "192.0.0.192"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["6to4 relay", "192.88.99.1"],
    ["benchmarks", "198.18.0.1"],
    ["benchmarks", "198.19.255.255"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["loopback, written out", "0:0:0:0:0:0:0:1"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
    ["IPv4-mapped, in hexadecimal", "::ffff:7f00:1"],
    ["IPv4-mapped public", "::ffff:8.8.8.8"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64 of a public address", "64:ff9b::808:808"],
    ["local NAT64", "64:ff9b:1::1"],
    ["discard", "100::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["ORCHID", "2001:20::1"],
    ["benchmarks", "2001:2::1"],
    ["documentation", "2001:db8::1"],
    ["documentation", "3fff::1"],
    ["6to4 of loopback", "2002:7f00:1::"],
    ["unique local", "fd00:ec2::254"],
    ["unique local", "fc00::1"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["no address at all", "example.com"],
    ["no address at all", ""],
    ["no canonical address", "0x7f.1"],
  ])("(%s) %s", (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("the checked lookup", () => {
  const lookUp = (name: string, all: boolean) =>
    new Promise<{ code: string | undefined; address: unknown }>((resolve) => {
      publicLookup(name, { all }, (error, address) => resolve({ code: error?.code, address }));
    });

  test("refuses a name that has an inner address", async () => {
    expect(await lookUp("localhost", true)).toEqual({ code: notPublicCode, address: [] });
    expect(await lookUp("localhost", false)).toEqual({ code: notPublicCode, address: [] });
  });

  test("passes on the error of an unknown name", async () => {
    expect((await lookUp("nothing.invalid", true)).code).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });
});
