import type { TinySpace } from "./tiny-space.js";

/** Edits of the space before each sync; the sync after the last one fails. */
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
