// @module-tag long
import { describe, expect, test } from "vitest";
import { crashHistories } from "../support/crash-histories.js";
import { crashProject, killsOf, syncInChild } from "../support/crash-project.js";
import { startTinySpace } from "../support/tiny-space.js";

/** All steps with `npm run crash`; in the suite as many as fit into a few seconds. */
const all = process.env.OFFPRINT_CRASH === "all";
const sampled = 8;

describe.each(crashHistories)("%s, killed at every step", (_, history) => {
  test("leaves the old or the new generation, and the next sync ends as usual", async () => {
    const space = await startTinySpace();
    const project = await crashProject(space, history(space));
    await project.reset();
    const kills = killsOf(await syncInChild(project.dir));
    const every = all ? 1 : Math.ceil(kills.length / sampled);
    const seen = { old: 0, new: 0 };
    for (const kill of kills.filter((_, at) => at % every === every - 1)) {
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
    if (all) expect(Math.min(seen.old, seen.new)).toBeGreaterThan(5);
    if (all) console.info(`${kills.length} kills: old ${seen.old}, new ${seen.new}`);
  }, 600_000);
});
