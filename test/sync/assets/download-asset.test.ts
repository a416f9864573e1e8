import { describe, expect, test } from "vitest";
import type { TransportDownload } from "../../../src/lib/http/transport.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { openAssetFile } from "../../../src/sync/assets/asset-file.js";
import { type DownloadContext, downloadAsset } from "../../../src/sync/assets/download-asset.js";

/**
 * Answers from a script, because a test has no host with a public address. Sockets are tested with
 * `fetchAssets`.
 */
function scripted(answers: Record<string, string>) {
  const asked: { url: string; publicOnly: boolean | undefined }[] = [];
  const context: DownloadContext = {
    hosts: {
      hosts: ["one.example", "two.example", "mapped.example"],
      sourceOrigin: "https://api.example",
      sourceHosts: [],
      hostMap: { "mapped.example": "https://127.0.0.1:4400" },
    },
    transport: {
      async download(url: URL, { publicOnly, onChunk }: TransportDownload) {
        asked.push({ url: url.href, publicOnly });
        const location = answers[url.href];
        if (location === undefined) await onChunk(Buffer.from("bytes"));
        const headers: Record<string, string> = location === undefined ? {} : { location };
        return { status: location === undefined ? 200 : 302, headers, dateMs: null, wireBytes: 5 };
      },
    },
    retries: 0,
    timeoutMs: 1000,
    signal: new AbortController().signal,
    sleep: async () => {},
    random: () => 0,
    strikes: new Map(),
  };
  const file = openAssetFile(createMemoryStore());
  return { asked, file, download: (url: string) => downloadAsset(url, 1000, context, file) };
}

describe("downloadAsset", () => {
  test("connects every hop between public hosts to public addresses only", async () => {
    const { asked, file, download } = scripted({
      "http://one.example/a": "https://one.example/a",
      "https://one.example/a": "//two.example/b",
    });
    expect(await download("http://one.example/a")).toEqual({});
    expect(Buffer.from(file.head)).toEqual(Buffer.from("bytes"));
    expect(asked).toEqual([
      { url: "http://one.example/a", publicOnly: true },
      { url: "https://one.example/a", publicOnly: true },
      { url: "https://two.example/b", publicOnly: true },
    ]);
  });

  test("does not follow from https to http", async () => {
    const { asked, download } = scripted({ "https://one.example/a": "http://one.example/a" });
    expect(await download("https://one.example/a")).toEqual({
      missing: "failed",
      status: 302,
      reason: "redirects from https to http",
      bytes: 0,
    });
    expect(asked).toHaveLength(1);
  });

  test("a relative redirect of a mapped host stays with it, and does not reveal the mapped origin", async () => {
    const { asked, download } = scripted({
      "https://127.0.0.1:4400/a": "/b",
      "https://127.0.0.1:4400/b": "http://inner/",
    });
    expect(await download("https://mapped.example/a")).toMatchObject({
      missing: "failed",
      reason: expect.not.stringContaining("127.0.0.1"),
    });
    expect(asked.map(({ url }) => url)).toEqual(["https://127.0.0.1:4400/a", "https://127.0.0.1:4400/b"]);
  });

  test.each(["", "https://[::", "http://"])("a redirect to %j is a failure", async (location) => {
    const { download } = scripted({ "https://one.example/a": location });
    expect(await download("https://one.example/a")).toMatchObject({ missing: "failed", status: 302 });
  });
});
