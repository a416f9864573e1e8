import { expect, test } from "vitest";
import { AcrossRounds } from "../../../../src/sync/crawl/stories/story-states.js";

/** One round after the other: which folders its index lacks, and whether it was read to its end. */
function after(...rounds: { gone: string[]; closed: boolean }[]) {
  const across = new AcrossRounds();
  for (const { gone, closed } of rounds) {
    across.openRound();
    for (const uuid of gone) across.noteGoneFolder(uuid);
    if (closed) across.closeRound();
  }
  return across;
}

test("does not trust a folder that vanished before the only completed round", () => {
  const once = after({ gone: ["a"], closed: false }, { gone: ["a"], closed: true });
  expect([once.isRead, once.removableFolders(false)]).toEqual([false, []]);
  const twice = after({ gone: ["a"], closed: true }, { gone: ["a"], closed: true });
  expect([twice.isRead, twice.removableFolders(false)]).toEqual([true, ["a"]]);
});

test("a folder that an earlier round has listed stays unchanged, unless the round is clean", () => {
  const across = after({ gone: [], closed: true }, { gone: ["a"], closed: true });
  expect([across.isRead, across.removableFolders(false), across.removableFolders(true)]).toEqual([true, [], ["a"]]);
});
