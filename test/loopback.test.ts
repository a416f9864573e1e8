import { expect, test } from "vitest";
import { isLoopbackHost } from "../src/lib/loopback.js";

test("recognizes loopback hosts by name and by address", () => {
  const loopback = ["localhost", "LOCALHOST", "localhost.", "demo.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "::1"];
  expect(loopback.filter((host) => !isLoopbackHost(host))).toEqual([]);
  const others = [
    "example.com",
    "localhost.example.com",
    "128.0.0.1",
    "127.0.0.1.example.com",
    "notlocalhost",
    "127.0.0",
    "127.0.0.256",
    "[::2]",
  ];
  expect(others.filter(isLoopbackHost)).toEqual([]);
});
