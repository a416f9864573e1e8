import fc from "fast-check";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { buildSnapshot } from "../../demo/build-snapshot.js";
import { canonicalJson } from "../../src/lib/json/canonical-json.js";
import { type RunningReplica, startReplica } from "../../src/server/replica/http/server.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { forward } from "../support/front-server.js";
import { jsonTexts, numbersOf } from "../support/json-texts.js";
import { linkOf, story, uuid } from "../support/sample-snapshot.js";
import { startScriptedServer } from "../support/scripted-server.js";
import { readOutputFile, type SyncFolder, syncFolder } from "../support/sync-folder.js";

const edition = { version: "published", release: null } as const;

/** A server of records in just these texts, as the interface gives them. */
async function serveLines(parts: Record<string, string[]>, languages: string[] = []): Promise<RunningReplica> {
  const { store, manifest } = await buildSnapshot({
    space: { id: 7, name: "Numbers", languages },
    cv: 1_700_000_000,
    parts: { tags: [], datasources: [], ...parts },
    editions: ["default", ...languages].map((language) => ({ ...edition, language })),
  });
  const reader = await openReader(store, manifest);
  return startReplica({ reader: () => reader, store });
}

/** The line of a story whose content has a field with that JSON. */
function storyLine(id: number, value: string, more: Parameters<typeof story>[1] = {}): string {
  const content = { _uid: uuid(1000 + id), component: "page", value: null, ...more.content };
  // A function, because a text may hold `$&`.
  return JSON.stringify(story(id, { ...more, content })).replace('"value":null', () => `"value":${value}`);
}

const linkLine = (id: number) => JSON.stringify(linkOf(story(id)));

/** The same JSON with blanks between its tokens. */
function spaced(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) => (token.startsWith('"') ? token : ` ${token}\n`));
}

async function folderOf(url: string, more = "content: { formats: [] }\n"): Promise<SyncFolder> {
  return syncFolder(`source: { url: '${url}', token: test-token }\nassets: { download: false }\n${more}`);
}

async function replicaOf(folder: SyncFolder): Promise<RunningReplica> {
  const { store } = openOutput({ dir: folder.output });
  const reader = await openReader(store, await folder.manifest());
  return startReplica({ reader: () => reader, store });
}

test("keeps the text of any number in the snapshot, the replica's answers, a sync of those and JSON", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(jsonTexts, { minLength: 10, maxLength: 25 }), async (values) => {
      const lines = values.map(({ text }, index) => storyLine(index + 1, canonicalJson(text)));
      const origin = await serveLines({
        "stories/published/default": lines,
        "links/published": values.map((_, index) => linkLine(index + 1)),
      });
      const front = await startScriptedServer(async ({ target }) => {
        const answer = await forward(`${origin.url}${target}`);
        return { ...answer, body: spaced(String(answer.body)) };
      });
      const first = await folderOf(front.url, "content: { formats: [json] }\n");
      expect(await first.sync()).toMatchObject({ outcome: "committed", consistency: "exact" });
      const stored = (await first.records())["stories/published/default"] ?? [];
      expect([...stored].sort()).toEqual([...lines].sort());

      const replica = await replicaOf(first);
      const answer = await (await fetch(`${replica.url}/v2/cdn/stories?token=t&per_page=100`)).text();
      for (const line of lines) expect(answer).toContain(line);
      const second = await folderOf(replica.url);
      await second.sync();
      expect((await second.records())["stories/published/default"]).toEqual(stored);
      // Nothing differs for a sync that reads everything again.
      expect(await first.sync({ full: true })).toMatchObject({ outcome: "unchanged" });

      const json = (await readOutputFile(first, "content/stories/default/page.json")).split("\n").slice(1, -2);
      expect(json.map((line) => numbersOf(line).sort())).toEqual(stored.map((line) => numbersOf(line).sort()));
      for (const server of [origin, front, replica]) await server.close();
    }),
    { numRuns: 2 },
  );
});

describe("numbers that a double prints in another way", () => {
  const texts = ["1.10", "-0", "12345678901234567890", "1e400", "0.1000000000000000055"];
  const list = `[${texts.join(",")}]`;
  let origin: RunningReplica;
  let folder: SyncFolder;
  let replica: RunningReplica;

  const yaml = (richText: string) => `source: { url: '${origin.url}', token: test-token, languages: [default, de, fr] }
assets: { download: false, metadata: true }
resolve: { depth: 1 }
content: { formats: [json], richText: ${richText} }
`;

  beforeEach(async () => {
    const page = {
      content: {
        _uid: "x",
        component: "page",
        friend: uuid(2),
        link: { linktype: "story", id: uuid(2), fieldtype: "multilink", url: "", cached_url: "" },
        text: "own",
      },
    };
    const paragraph =
      '{"type":"doc","content":[{"type":"heading","attrs":{"level":2.0},"content":[{"type":"text","text":"Title"}]}]}';
    const asset = '{"fieldtype":"asset","id":70.0,"filename":"https://a.example/f/1.png","alt":""}';
    const german = storyLine(1, `{"list":${list}}`, page).replace('"text":"own"', '"text":"taken"');
    origin = await serveLines(
      {
        "stories/published/default": [
          storyLine(1, `{"list":${list},"rich":${paragraph},"image":${asset}}`, page),
          storyLine(2, list),
        ],
        "stories/published/de": [german.replace('"text":"taken"', '"text":"own"')],
        "stories/published/fr": [german],
        "links/published": [1, 2].map((id) => linkLine(id).replace('"position":0', '"position":2.50')),
        "asset-metadata": ['{"id":70,"meta_data":{"price":9.90},"content_length":1e3}'],
        datasources: ['{"id":5,"name":"d","slug":"d","dimensions":[],"weight":1.10}'],
        "entries/5": ['{"id":6,"name":"n","value":"v","weight":1.10}'],
        "tags/published": ['{"name":"t","taggings_count":1,"weight":1.10}'],
        experiments: ['{"id":8,"name":"e","weight":1.10}'],
        space: ['{"me":{"id":7,"name":"Numbers","version":null,"plan":{"price":1.10,"list":[2.50]}}}'],
      },
      ["de", "fr"],
    );
    folder = await syncFolder(yaml("document"));
    await folder.sync();
    replica = await replicaOf(folder);
    onTestFinished(async () => {
      await origin.close();
      await replica.close();
    });
  });
  const ask = async (address: string) => (await fetch(`${replica.url}${address}token=t`)).text();

  test("are in the records of every other kind", async () => {
    const records = await folder.records();
    for (const part of ["datasources", "entries/5", "tags/published", "experiments"]) {
      expect(records[part]?.join(), part).toContain('"weight":1.10');
    }
    expect(records["links/published"]?.join()).toContain('"position":2.50');
    expect(records["asset-metadata"]).toEqual(['{"id":70,"meta_data":{"price":9.90},"content_length":1e3}']);
    expect(records.space?.[0]).toContain('"plan":{"price":1.10,"list":[2.50]}');
    expect(await ask("/v2/cdn/spaces/me?")).toContain('"plan":{"price":1.10,"list":[2.50]}');
  });

  test("are in the JSON of content: in embedded stories, in added asset metadata, next to resolved links", async () => {
    const text = await readOutputFile(folder, "content/stories/default/page.json");
    const line = text.split("\n").find((record) => record.includes('"friend"')) ?? "";
    expect(line.split(list)).toHaveLength(3);
    expect(line).toContain('"url":"/story-2"');
    expect(line).toContain('"meta_data":{"price":9.90}');
    expect(line).toContain('"content_length":1e3');
    expect(line).toContain('"level":2.0');
  });

  test("are in the JSON of content with HTML, whose numbers are read", async () => {
    await folder.configure(yaml("html"));
    await folder.sync();
    const text = await readOutputFile(folder, "content/stories/default/page.json");
    expect(text).toContain(list);
    expect(text).toContain("<h2");
  });

  test("are in resolved answers of the replica, and in fallback languages", async () => {
    const related = await ask("/v2/cdn/stories/story-1?resolve_relations=page.friend&");
    expect(related.split(list)).toHaveLength(3);
    expect(await ask("/v2/cdn/stories/story-1?resolve_links=link&")).toContain('"position":2.50');
    const filled = await ask("/v2/cdn/stories/story-1?language=de&fallback_lang=fr&");
    expect(filled).toContain(list);
    expect(filled).toContain('"text":"taken"');
  });
});
