import { describe, expect, onTestFinished, test } from "vitest";
import { startEditableSpace } from "../support/editable-space.js";
import { forward, startFrontServer } from "../support/front-server.js";
import { crawlYaml, syncFolder } from "../support/sync-folder.js";

/** A space that is synced, gets another story, and whose cv then falls by an hour, as a Minimum Cache TTL does it. */
async function fallenSpace() {
  const space = await startEditableSpace({ stories: [{ name: "one", slug: "one" }] });
  onTestFinished(() => space.close());
  const folder = await syncFolder(crawlYaml(space.url));
  await folder.sync();
  await space.publish((content) => {
    content.cv -= 3_610;
    content.stories.push({ name: "two", slug: "two" });
  });
  return { space, folder };
}

const slugs = async ({ records }: Awaited<ReturnType<typeof syncFolder>>) =>
  ((await records())["stories/published/default"] ?? []).map((line) => JSON.parse(line).slug).sort();

describe("a cv that falls back", () => {
  test("is refused, because it may be an old copy; --full reads at it, and gives the generation of a fresh sync", async () => {
    const { space, folder } = await fallenSpace();
    await expect(folder.sync()).rejects.toMatchObject({
      code: "UPSTREAM_INCONSISTENT",
      hint: expect.stringMatching(/Minimum Cache TTL, run `offprint sync --full`/),
    });
    expect(await slugs(folder)).toEqual(["one"]);
    expect(await folder.sync({ full: true })).toMatchObject({ outcome: "committed", cv: space.content.cv });
    expect(await slugs(folder)).toEqual(["one", "two"]);
    const fresh = await syncFolder(crawlYaml(space.url));
    await fresh.sync();
    expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: 1 } });
  });

  test("stays floored for a while: the edit after it is found once the cv moves, though it is below the first one", async () => {
    const { space, folder } = await fallenSpace();
    await folder.sync({ full: true });
    await space.publish((content) => void content.stories.push({ name: "three", slug: "three" }));
    expect(await folder.sync()).toMatchObject({ outcome: "committed", stories: { added: 1 } });
    expect(await slugs(folder)).toEqual(["one", "three", "two"]);
  });
});

test("stories without updated_at and release_id are read, and stay without them", async () => {
  const space = await startEditableSpace({ stories: [{ name: "one", slug: "one" }] });
  const front = await startFrontServer(space.url, async ({ path, query }) => {
    const answer = await forward(`${space.url}${path}?${query}`);
    if (path !== "/v2/cdn/stories" || answer.status !== 200) return answer;
    const body = JSON.parse(String(answer.body));
    for (const story of body.stories) for (const key of ["updated_at", "release_id"]) delete story[key];
    return { ...answer, body };
  });
  onTestFinished(async () => {
    await front.close();
    await space.close();
  });
  const folder = await syncFolder(crawlYaml(front.url));
  expect(await folder.sync()).toMatchObject({ outcome: "committed", problems: [] });
  const [line = ""] = (await folder.records())["stories/published/default"] ?? [];
  expect(Object.keys(JSON.parse(line))).not.toEqual(expect.arrayContaining(["updated_at"]));
  expect(line).not.toContain("release_id");
});
