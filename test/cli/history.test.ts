import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chart } from "../../src/cli/history.js";
import { startEditableSpace } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("a chart has one bar per value, the lowest for zero and the highest for the maximum", () => {
  expect(chart([0, 1, 4, 8])).toBe("▁▂▅█");
  expect(chart([0, 0])).toBe("▁▁");
  expect(chart([])).toBe("");
});

test("a sync prints its figures, and status --history lists the last runs that did something", async () => {
  const space = await startEditableSpace({ stories: [{ name: "Home", slug: "home" }] });
  onTestFinished(() => space.close());
  const cwd = await temporaryFolder();
  await writeFile(
    join(cwd, "sync.config.yaml"),
    `source: { url: "${space.url}", token: token-of-test }\ncontent: { formats: [] }\n`,
  );
  expect((await runCommand(["status", "--history"], { cwd })).code).toBe(2);
  const first = await runCommand(["sync"], { cwd });
  expect(first.stderr).toMatch(/\n {2}\d+ requests, [\d.]+ KB, [\d.]+ m?s\n/);
  await space.publish(({ stories }) => void stories.push({ name: "Page", slug: "page" }));
  // There is no content, so none is out of date.
  expect((await runCommand(["status", "--offline"], { cwd })).stdout).toContain("content      current\n");
  const plan = await runCommand(["sync", "--dry-run"], { cwd });
  expect(plan.stderr).toMatch(/Either way: 100 stories a request\n +1 {2}opening probe\n +1 {2}links published\n/);
  await runCommand(["sync"], { cwd });
  const unchanged = JSON.parse((await runCommand(["sync", "--json"], { cwd })).stdout);
  expect(unchanged).toMatchObject({
    outcome: "unchanged",
    requests: { total: 1 },
    stagesMs: { probe: expect.any(Number) },
  });
  expect(unchanged.requests.fullCrawlWouldCost).toBeGreaterThan(5);

  const { code, stdout } = await runCommand(["status", "--history"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^2 runs that did something/);
  expect(stdout).toMatch(/\nchanges +██ {2}1\n/);
  expect(stdout).toMatch(/\nlevel +■■ /);
  expect(stdout).toMatch(/committed +#2 +exact +\d+ requests +\+1 ~0 -0/);
  const document = JSON.parse((await runCommand(["status", "--history", "--json"], { cwd })).stdout);
  expect(document).toMatchObject({
    schema: 1,
    generation: 2,
    runs: [{ requests: expect.any(Number) }, { stories: { added: 1 } }],
  });
});
