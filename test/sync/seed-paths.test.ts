import { describe, expect, onTestFinished, test } from "vitest";
import { startDemo } from "../../demo/start-demo.js";
import { startSeedPathsServer } from "../support/seed-paths-server.js";
import { syncFolder } from "../support/sync-folder.js";

describe.each([
  ["with the documented paging headers", true],
  ["without any paging header", false],
])("an upstream that has the seed's nine paths only, %s", (_, headers) => {
  test("gives every story in every configured language, and says what is derived or missing", async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const server = await startSeedPathsServer(demo.url, { headers });
    onTestFinished(() => server.close());
    const { demoSpace } = await import("../../demo/demo-space.js");
    const { languages, parts } = demoSpace();
    const yaml = `source:\n  url: ${server.url}\n  token: demo\n  languages: [default, ${languages.join(", ")}]\nassets: { download: false }\ncontent: { formats: [] }\n`;
    const folder = await syncFolder(yaml);
    const report = await folder.sync();

    expect(report.outcome).toBe("committed");
    const records = await folder.records();
    for (const language of ["default", ...languages]) {
      const part = `stories/published/${language}`;
      expect([...(records[part] ?? [])].sort(), part).toEqual([...(parts[part] ?? [])].sort());
    }
    const manifest = await folder.manifest();
    expect(manifest.editions.every(({ index }) => index === "stories")).toBe(true);
    expect(manifest.notIncluded.map(({ part }) => part)).toEqual(expect.arrayContaining(["space", "tags/published"]));
    expect(manifest.parts["links/published"]?.records).toBe(manifest.parts["stories/published/default"]?.records);
    expect((await folder.sync()).outcome).toBe("unchanged");
  });
});
