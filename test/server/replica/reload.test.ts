import { describe, expect, onTestFinished, test } from "vitest";
import type { StoryRecord } from "../../../src/contract/records.js";
import { startReplica } from "../../../src/server/replica/http/server.js";
import { parts, shardFile } from "../../../src/snapshot/layout.js";
import { type FollowedGeneration, followGeneration } from "../../../src/snapshot/reader/follow-generation.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { commit } from "../../../src/snapshot/write/commit.js";
import { replacePart } from "../../../src/snapshot/write/update-part.js";
import { recordingStore } from "../../support/recording-store.js";
import { sampleDraft } from "../../support/sample-draft.js";
import { story } from "../../support/sample-snapshot.js";

/** Commits a generation with these stories. */
async function commitStories(store: Store, stories: readonly StoryRecord[], cv: number) {
  const part = parts.stories("published/default");
  const lines = [...stories].sort((a, b) => (a.uuid < b.uuid ? -1 : 1)).map((record) => JSON.stringify(record));
  const entry = await replacePart(store, part, lines, 2048);
  return commit(store, sampleDraft({ cv, parts: { [part]: entry } }));
}

const many = (name: string) =>
  Array.from({ length: 60 }, (_, index) => story(index + 1, { name: index === 0 ? name : "same" }));

async function follow(store: Store, options = {}): Promise<FollowedGeneration> {
  const followed = await followGeneration(store, { intervalMs: 0, ...options });
  if (followed === undefined) throw new Error("no snapshot");
  onTestFinished(() => followed.close());
  return followed;
}

describe("following the pointer", () => {
  test("a missing snapshot gives undefined", async () => {
    expect(await followGeneration(createMemoryStore(), { intervalMs: 0 })).toBeUndefined();
  });

  test("a new generation takes over, and only shards with a new hash are read", async () => {
    const memory = createMemoryStore();
    const before = await commitStories(memory, many("before"), 10);
    const { store, calls } = recordingStore(memory);
    const followed = await follow(store);
    expect(await followed.check()).toBe(false);
    const after = await commitStories(memory, many("after"), 20);
    calls.length = 0;
    expect(await followed.check()).toBe(true);
    expect(followed.reader().manifest.generation).toBe(2);
    const part = parts.stories("published/default");
    const known = new Set(before.parts[part]!.shards.map(({ hash }) => hash));
    const fresh = after.parts[part]!.shards.filter(({ hash }) => !known.has(hash));
    expect(fresh).toHaveLength(1);
    const read = calls.filter((call) => call.includes("stories/"));
    expect(read).toEqual(fresh.map((shard) => `get ${shardFile(part, shard)}`));
  });

  test("a generation that cannot be loaded leaves the previous one, is reported once and retried", async () => {
    const store = createMemoryStore();
    await commitStories(store, many("before"), 10);
    const told: unknown[] = [];
    const followed = await follow(store, { onProblem: (error: unknown) => told.push(error) });
    const after = await commitStories(store, many("after"), 20);
    const part = parts.stories("published/default");
    const file = shardFile(part, after.parts[part]!.shards.at(-1)!);
    const missing = after.parts[part]!.shards.map((shard) => shardFile(part, shard)).find(
      (name) => !followed.reader().manifest.parts[part]!.shards.some((shard) => shardFile(part, shard) === name),
    );
    const bytes = (await store.get(missing ?? file))!;
    await store.remove(missing ?? file);
    expect([await followed.check(), await followed.check()]).toEqual([false, false]);
    expect(followed.reader().manifest.generation).toBe(1);
    expect(told).toHaveLength(1);
    await store.put(missing ?? file, bytes);
    expect(await followed.check()).toBe(true);
  });

  test("checks by itself at an interval", async () => {
    const store = createMemoryStore();
    await commitStories(store, many("before"), 10);
    const changed = new Promise<number>((resolve) => {
      void follow(store, {
        intervalMs: 5,
        onChange: ({ manifest }: { manifest: { generation: number } }) => resolve(manifest.generation),
      });
    });
    await commitStories(store, many("after"), 20);
    expect(await changed).toBe(2);
  });
});

test("no request is dropped while generations are replaced, and each answer is of one generation", async () => {
  const store = createMemoryStore();
  await commitStories(store, many("0"), 10);
  const followed = await follow(store);
  const replica = await startReplica({ reader: followed.reader, store, redirect: false });
  onTestFinished(() => replica.close());
  let stop = false;
  const seen = new Set<string>();
  const client = async () => {
    while (!stop) {
      const response = await fetch(`${replica.url}/v2/cdn/stories?token=x&sort_by=id:asc&per_page=60`);
      const { stories, cv } = (await response.json()) as { stories: StoryRecord[]; cv: number };
      expect([response.status, stories.length, stories[0]!.name]).toEqual([200, 60, String(cv - 10)]);
      seen.add(stories[0]!.name);
    }
  };
  const clients = [client(), client(), client()];
  for (let generation = 1; generation <= 8; generation += 1) {
    await commitStories(store, many(String(generation)), 10 + generation);
    expect(await followed.check()).toBe(true);
    await fetch(`${replica.url}/v2/cdn/spaces/me?token=x`);
  }
  stop = true;
  await Promise.all(clients);
  expect(seen.size).toBeGreaterThan(2);
});
