import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story, uuid } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const home = story(1, {
  full_slug: "home",
  slug: "home",
  name: "Home",
  content: { _uid: "h", component: "page", lead: uuid(2), missing: uuid(9) },
});
const other = (name: string) => story(2, { full_slug: "lead", slug: "lead", name });
const german = (name: string) => story(1, { full_slug: "de/home", slug: "home", name });

async function project() {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), 'source: { url: "demo:", token: demo }\n');
  const { store } = openOutput((await loadConfig({ cwd: dir, env: {} })).output);
  const commit = (stories: ReturnType<typeof story>[], name: string) =>
    commitSample({ editions: { "published/default": stories, "published/de": [german(name)] } }, store);
  await commit([home, other("Old lead"), story(3)], "Start");
  await commit([home, other("New lead"), story(3), story(9, { name: "Now there" })], "Anfang");
  return (...args: string[]) => runCommand(args, { cwd: dir });
}

test("why names the answers that a page reads and that differ, with their stories", async () => {
  const run = await project();
  const { code, stdout, stderr } = await run("why", "home");
  expect(code).toBe(0);
  expect(stderr).toContain("/  published/default: generation 1 → 2, 2 answers that it reads differ");
  expect(stdout).toContain("New lead (lead)  its name, slug, type or path");
  expect(stdout).toContain("[-Old-]{+New+} lead");
  expect(stdout).toContain("Now there (story-9)  its name, slug, type or path, added");
});

test("why finds a page by its URL and uuid, also in another language", async () => {
  const run = await project();
  for (const page of ["/de", "https://example.com/de/?a#b", "de/home"]) {
    const document = JSON.parse((await run("why", page, "--json")).stdout);
    expect(document).toMatchObject({
      ...{ schema: 1, from: 1, to: 2, edition: "published/de", uuid: uuid(1), full_slug: "de/home", url: "/de" },
      differences: [{ kind: "the story", about: "Anfang (de/home)", uuid: uuid(1), change: "changed" }],
    });
  }
  expect(JSON.parse((await run("why", uuid(1), "--json")).stdout)).toMatchObject({ edition: "published/default" });
});

test("why says that nothing differs, and refuses a page that is not there", async () => {
  const run = await project();
  const same = await run("why", "story-3");
  expect(same).toMatchObject({ code: 0, stdout: "" });
  expect(same.stderr).toContain("nothing that it reads differs");
  const unknown = await run("why", "hom");
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("Did you mean home?");
});
