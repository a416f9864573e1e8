import type { TinySpace } from "./tiny-space.js";

/** What was synced before, and what happens to the space before the sync that is made to fail: the last of the edits. */
export const crashHistories: [string, (space: TinySpace) => (() => void)[]][] = [
  ["the first sync", () => [() => undefined]],
  [
    "a sync that adds, changes and removes, and prunes an old generation",
    (space) => [
      () => undefined,
      () =>
        edit(space, () => {
          space.stories[0]!.headline = "Home, edited";
        }),
      () =>
        edit(space, () => {
          space.stories[1]!.headline = "First, edited";
          space.stories[2] = { slug: "blog/third", headline: "Third" };
          space.stories[0] = { slug: "home", headline: "Home, without image" };
        }),
    ],
  ],
];

function edit(space: TinySpace, change: () => void): void {
  change();
  space.cv += 10;
}
