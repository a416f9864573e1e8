import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../../src/cli/program.js";
import { startEditableSpace, uuidOf } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const editor = "https://cms.example.com/{space}/{slug}";

/** A project whose space had Clara, whom articles name, and has deleted her. */
async function project(articles: number, settings = "") {
  const space = await startEditableSpace({
    stories: [
      { name: "Clara Penhaligon", slug: "authors/clara" },
      ...Array.from({ length: articles }, (_, at) => {
        return { name: `Article ${at}`, slug: `blog/${at}`, relations: ["Clara Penhaligon"] };
      }),
    ],
  });
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  const source = `source: { url: "${space.url}", token: token-of-test, languages: [default], versions: [published, draft] }`;
  await writeFile(join(dir, "sync.config.yaml"), `${source}\neditor: { url: "${editor}" }\n${settings}`);
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runCommand(args, { cwd: dir });
    return { stdout, stderr, json: () => JSON.parse(stdout) };
  };
  await run("sync");
  await space.publish(({ stories }) => void stories.shift());
  return { space, run, dir };
}

const place = "Author";
const sentence = (at: number, edition = "") =>
  `! In "Article ${at}" (blog/${at}${edition}), ${place}, the value names "Clara Penhaligon" (authors/clara), deleted between generations 1 and 2. [RELATION_DANGLING]`;

test("sync and status name stories, field and the deleted target, with the address in the editor", async () => {
  const { run } = await project(1);
  const { stderr } = await run("sync", "--force-remove");
  expect(stderr).toContain(`${sentence(0)}\n`);
  expect(stderr).toContain(sentence(0, ", draft"));
  expect(stderr).toContain("\n  https://cms.example.com/77/blog/0\n");
  expect(stderr).not.toContain(uuidOf("Clara Penhaligon"));
  const { stdout } = await run("status", "--offline");
  expect(stdout).toContain(`${sentence(0)}\n  https://cms.example.com/77/blog/0\n`);
});

test("prints no address of many stories, but with --verbose; JSON has them, and keeps uuid and path", async () => {
  const { run } = await project(4);
  const { stderr } = await run("sync", "--force-remove");
  expect(stderr).toContain(sentence(0));
  expect(stderr).not.toContain("https://cms.example.com");
  expect((await run("status", "--offline", "--verbose")).stdout).toContain("https://cms.example.com/77/blog/0");
  const { problems } = (await run("status", "--offline", "--json")).json();
  const [found] = problems.filter(({ message }: { message: string }) => message.includes('"blog/0" (published'));
  const target = uuidOf("Clara Penhaligon");
  expect(found).toMatchObject({
    code: "RELATION_DANGLING",
    message: `In story "blog/0" (published/default), field author, the value names story ${target}, which this edition does not have.`,
    place: { edition: "published/default", story: uuidOf("Article 0"), field: "author", target },
    names: {
      message: sentence(0).replace(/^! | \[\w+\]$/g, ""),
      story: { name: "Article 0", slug: "blog/0" },
      field: place,
      target: { uuid: target, name: "Clara Penhaligon", slug: "authors/clara", state: "deleted", between: [1, 2] },
      editor: "https://cms.example.com/77/blog/0",
    },
  });
});

test("export names the problems too, and the exit cause of --strict", async () => {
  const { run } = await project(1);
  expect((await run("sync", "--force-remove", "--strict")).stderr).toContain(
    `✖ Exit code 3: ${sentence(0).replace(/^! | \[\w+\]$/g, "")} And 1 more.`,
  );
  expect((await run("export")).stderr).toContain(sentence(0));
});

test("pull and watch name them in their lines", async () => {
  const { run, dir } = await project(1, 'safety: { maxRemove: 100% }\nschedule: { cron: "* * * * * *", jitter: 0s }\n');
  const { stderr, stop } = await watchUntil(dir, sentence(0));
  await stop;
  expect(stderr()).not.toContain(uuidOf("Clara Penhaligon"));
  const other = await temporaryFolder();
  await writeFile(join(other, "sync.config.yaml"), await readFile(join(dir, "sync.config.yaml"), "utf8"));
  const pulled = await runCommand(["pull", "--from", join(dir, "output")], { cwd: other });
  // What is pulled has one generation: no earlier one knows her.
  expect(pulled.stderr).toContain(`! In "Article 0" (blog/0), ${place}, the value names story `);
  expect((await run("status", "--offline")).stdout).toContain(sentence(0));
});

/** Runs \`offprint watch\`, and stops it when it has printed a text. */
async function watchUntil(cwd: string, text: string) {
  const handlers: (() => void)[] = [];
  let printed = "";
  let seen = () => {};
  const heard = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const ignored = () => undefined;
  const write = (more: string) => {
    printed += more;
    if (printed.includes(text)) seen();
  };
  const stop = runProgram(["watch"], "0.0.0", {
    env: { PATH: process.env.PATH ?? "", CI: "true" },
    ...{ stdin: {}, stdout: { write: ignored }, stderr: { write }, cwd: () => cwd, off: ignored, exit: ignored },
    on: (_signal: string, handler: () => void) => handlers.push(handler),
  });
  await Promise.race([heard, stop]);
  handlers[0]?.();
  return { stderr: () => printed, stop };
}

test("tells the uuid of a story that no kept generation knows", async () => {
  const { run, space } = await project(1);
  await space.publish(({ stories }) => {
    stories.push({ name: "Late", slug: "blog/late", relations: ["Nobody"] });
  });
  expect((await run("sync", "--force-remove")).stderr).toContain(
    `! In "Late" (blog/late), Author, the value names story ${uuidOf("Nobody")}, which this edition does not have.`,
  );
});

test("diff --story names the stories that a relation named and names; JSON keeps the uuids", async () => {
  const { run, space } = await project(1);
  await space.publish(({ stories }) => {
    Object.assign(stories[0] ?? {}, { relations: ["Nora"], publishedAt: "2025-01-01T00:00:00.000Z" });
    stories.push({ name: "Nora", slug: "authors/nora" });
  });
  await run("sync", "--force-remove");
  const { stdout } = await run("diff", "--story", "blog/0");
  expect(stdout).toContain(
    '~ content › author\n    - "Clara Penhaligon" (authors/clara)\n    + "Nora" (authors/nora)\n',
  );
  const document = (await run("diff", "--story", "blog/0", "--json")).json();
  expect(JSON.stringify(document.entries)).not.toContain("Nora");
  expect(document.stories.map(({ name }: { name: string }) => name).sort()).toEqual(["Clara Penhaligon", "Nora"]);
});

test("usage names fields as an editor sees them; JSON has the paths too", async () => {
  const { run } = await project(2);
  const { stdout } = await run("usage", "story", "authors/clara");
  expect(stdout).toContain("  /blog/0: Author\n");
  const { users } = (await run("usage", "story", "authors/clara", "--json")).json();
  expect(users[0]).toMatchObject({ fields: ["author"], fieldTitles: ["Author"] });
});
