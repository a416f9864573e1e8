import { expect, test } from "vitest";
import { buildSnapshot } from "../../demo/build-snapshot.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { parts } from "../../src/snapshot/layout.js";
import { readPart } from "../../src/snapshot/read-part.js";

const uuid = "80000000-0000-4000-8000-000000000000";
const stories = [
  `{"uuid":"${uuid}","published_at":"2026-01-02T00:00:00.000Z","updated_at":null}`,
  `{"uuid":"0${uuid.slice(1)}","published_at":"2026-01-01T00:00:00.000Z"}`,
];
const content = {
  space: { id: 7, name: "Demo", languages: ["de"] },
  cv: 1_700_000_000,
  parts: { [parts.stories("published/de")]: stories, [parts.experiments]: [] },
  editions: [{ version: "published", release: null, language: "de" }],
} as const;

test("builds one exact generation from its input", async () => {
  const { store, manifest } = await buildSnapshot({ ...content, space: { ...content.space, languages: ["de"] } });
  expect(manifest).toMatchObject({
    generation: 1,
    previous: null,
    level: "exact",
    cv: 1_700_000_000,
    space: { id: 7, name: "Demo", source: "demo:", languages: ["de"] },
    editions: [
      {
        name: "published/de",
        confirmedSince: 1_700_000_000,
        newestPublishedAt: "2026-01-02T00:00:00.000Z",
        newestUpdatedAt: null,
      },
    ],
    parts: { experiments: { records: 0, shards: [] } },
  });
  expect(await currentManifest(store)).toEqual(manifest);
  const lines: string[] = [];
  const part = parts.stories("published/de");
  for await (const { line } of readPart(store, part, manifest.parts[part]!)) lines.push(line);
  expect(lines).toEqual(stories.toReversed());
});

test("builds the same bytes from the same content", async () => {
  const build = () => buildSnapshot({ ...content, space: { id: 7 } });
  const [one, two] = await Promise.all([build(), build()]);
  expect(one.manifest).toEqual(two.manifest);
});
