import { describe, expect, onTestFinished, test } from "vitest";
import { startEditableSpace } from "../support/editable-space.js";
import { forward, startFrontServer } from "../support/front-server.js";
import type { PlainAnswer } from "../support/scripted-server.js";
import { crawlYaml, syncFolder } from "../support/sync-folder.js";

/** A space of German and default stories; `answers` may replace the answer to a German batch. */
async function germanSpace(count: number, more = "") {
  const stories = Array.from({ length: count }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` }));
  const space = await startEditableSpace({ languages: ["de"], stories });
  onTestFinished(() => space.close());
  const state = {
    batches: 0,
    answers: undefined as ((batch: number, query: URLSearchParams) => Promise<PlainAnswer> | undefined) | undefined,
  };
  const front = await startFrontServer(space.url, ({ path, query }) => {
    if (path !== "/v2/cdn/stories" || query.get("language") !== "de" || !query.has("by_uuids")) return undefined;
    // A redirect to the current cv is no answer.
    if (query.get("cv") !== String(space.content.cv)) return undefined;
    state.batches++;
    return state.answers?.(state.batches, query);
  });
  onTestFinished(() => front.close());
  const yaml = (lines: string) => crawlYaml(front.url, lines);
  const folder = await syncFolder(yaml(`  languages: [default, de]\n${more}`));
  const german = async () => (await folder.manifest()).parts["stories/published/de"]?.records;
  /** Publishes one story, so that the next sync asks for it and for audited ones. */
  const publish = () =>
    space.publish((content) =>
      Object.assign(content.stories[3] ?? {}, { headline: "Edited", publishedAt: "2026-03-01T00:00:00.000Z" }),
    );
  const answerFrom = (batches: readonly number[]) => {
    const first = state.batches;
    state.answers = (batch, query) => (batches.includes(batch - first) ? empty(query) : undefined);
  };
  return { space, state, folder, yaml, german, publish, answerFrom };
}

async function empty(query: URLSearchParams): Promise<PlainAnswer> {
  const body = JSON.stringify({ stories: [], cv: Number(query.get("cv")), rels: [], links: [] });
  return {
    status: 200,
    headers: { "content-type": "application/json", total: "0", "per-page": "100" },
    body: Buffer.from(body),
  };
}

describe("a batch of a language with one empty answer", () => {
  test.each([{ count: 30 }, { count: 600 }])("removes nothing of $count stories", async ({ count }) => {
    const { folder, german, publish, answerFrom } = await germanSpace(count);
    await folder.sync();
    await publish();
    answerFrom([1]);
    expect(await folder.sync()).toMatchObject({ outcome: "committed", consistency: "exact", stories: { removed: 0 } });
    expect(await german()).toBe(count);
  });

  test("removes nothing if a filter by content type could explain it", async () => {
    const { folder, german, publish, answerFrom } = await germanSpace(30, "  include: { contentTypes: [page] }\n");
    await folder.sync();
    const before = await german();
    expect(before).toBe(30);
    await publish();
    answerFrom([1]);
    expect(await folder.sync()).toMatchObject({ outcome: "committed", stories: { removed: 0 } });
    expect(await german()).toBe(before);
  });

  test("leaves no hole in a first reading", async () => {
    const { folder, german, answerFrom } = await germanSpace(150);
    answerFrom([1]);
    await folder.sync();
    expect(await german()).toBe(150);
  });

  test("leaves no hole in a language that is read for the first time", async () => {
    const { folder, german, answerFrom, yaml } = await germanSpace(30);
    await folder.configure(yaml("  languages: [default]\n"));
    await folder.sync();
    await folder.configure(yaml("  languages: [default, de]\n"));
    answerFrom([1]);
    await folder.sync();
    expect(await german()).toBe(30);
  });
});

describe("a language with empty answers under two addresses", () => {
  test("is requested in another round, and nothing is removed", async () => {
    const { folder, german, publish, answerFrom } = await germanSpace(30);
    await folder.sync();
    await publish();
    answerFrom([1, 2]);
    expect(await folder.sync()).toMatchObject({ outcome: "committed", stories: { removed: 0 } });
    expect(await german()).toBe(30);
  });

  test("stops a sync that believes it, and the next one requests it again", async () => {
    const { folder, german, publish, state, space } = await germanSpace(30);
    await folder.sync();
    await publish();
    state.answers = (_batch, query) => empty(query);
    await expect(folder.sync()).rejects.toMatchObject({ code: "UPSTREAM_EMPTY" });
    state.answers = undefined;
    expect(await folder.sync()).toMatchObject({ outcome: "committed", cv: space.content.cv, stories: { removed: 0 } });
    expect(await german()).toBe(30);
  });
});

describe("translations on several pages", () => {
  test.each([{ tells: true }, { tells: false }])(
    "are all kept if each page comes in another order (Per-Page: $tells)",
    async ({ tells }) => {
      const { folder, german, state, space } = await germanSpace(60);
      let asked = 0;
      state.answers = async (_batch, query) => {
        const all = new URLSearchParams(query);
        all.set("page", "1");
        all.set("per_page", "100");
        const answer = await forward(`${space.url}/v2/cdn/stories?${all}`);
        const body = JSON.parse(Buffer.from(answer.body as Uint8Array).toString());
        const [page, size] = [Number(query.get("page") ?? 1), Math.min(25, Number(query.get("per_page") ?? 25))];
        const turned = turn(body.stories, 7 * asked++);
        body.stories = turned.slice((page - 1) * size, page * size);
        const { "per-page": _size, ...headers } = answer.headers ?? {};
        return {
          ...answer,
          headers: tells ? { ...headers, "per-page": String(size) } : headers,
          body: Buffer.from(JSON.stringify(body)),
        };
      };
      await folder.sync();
      expect(await german()).toBe(60);
    },
  );
});

function turn<T>(items: readonly T[], by: number): T[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
