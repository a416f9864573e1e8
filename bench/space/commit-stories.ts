import { join } from "node:path";
import { buildSnapshot } from "../../demo/build-snapshot.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { type SpaceStory, storyText } from "./records.js";

/** Commits these stories as the next generation of the output folder. */
export async function commitStories(dir: string, stories: readonly SpaceStory[]): Promise<void> {
  await buildSnapshot(
    {
      space: { id: 1, name: "Bench", languages: [] },
      cv: 1_700_000_000,
      parts: { "stories/published/default": stories.map((story, n) => storyText(n, story, "default")) },
      editions: [{ version: "published", release: null, language: "default" }],
    },
    openFileStore(join(dir, "output")),
  );
}
