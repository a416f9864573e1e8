// @module-tag long
import { describe, expect, test } from "vitest";
import { crashHistories } from "../support/crash-histories.js";
import { crashProject, killsOf, syncInChild } from "../support/crash-project.js";
import { isLongForm, triedSteps } from "../support/crash-steps.js";
import { startTinySpace } from "../support/tiny-space.js";

describe.each(crashHistories)("%s, killed at every step", (_, history) => {
  test("leaves the old or the new generation, and the next sync ends as usual", async () => {
    const space = await startTinySpace();
    const project = await crashProject(space, history(space));
    await project.reset();
    const kills = killsOf(await syncInChild(project.dir));
    const seen = { old: 0, new: 0 };
    for (const step of triedSteps(kills.length, 8)) {
      const kill = kills[step - 1]!;
      await project.reset();
      const child = await syncInChild(project.dir, kill);
      // Requests are answered in another order each time, so the last steps are not always there.
      if (child.signal === null) expect(child.code, child.stderr).toBe(0);
      try {
        seen[await project.expectOldOrNew()]++;
        await project.expectConverges();
      } catch (error) {
        throw new Error(`Killed: ${JSON.stringify(kill)} of ${kills.length} kills`, { cause: error });
      }
    }
    expect(seen.old + seen.new).toBeGreaterThan(0);
    if (isLongForm) expect(Math.min(seen.old, seen.new)).toBeGreaterThan(1);
    if (isLongForm) console.info(`${seen.old + seen.new} of ${kills.length} kills: old ${seen.old}, new ${seen.new}`);
  }, 600_000);
});
