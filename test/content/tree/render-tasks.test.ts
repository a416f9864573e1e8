import { expect, test } from "vitest";
import { plannedTasks } from "../../../src/content/tree/render-tasks.js";
import type { PlannedFile } from "../../../src/content/tree/rendering.js";
import { sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

const edition = "published/default";

function file(path: string, ids: readonly number[]): PlannedFile {
  return { path, basis: "", render: () => "", stories: { edition, uuids: ids.map(uuid) } };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function pages(ids: readonly number[]): PlannedFile[] {
  return ids.map((id) => file(`${id}.md`, [id]));
}

async function tasksOf(files: readonly PlannedFile[], text = "") {
  const stories = range(1, 200).map((id) => story(id, { content: { _uid: "a", component: "page", text } }));
  const { reader } = await sampleSnapshot({ editions: { [edition]: stories } });
  return [...plannedTasks(files, files.keys(), reader)].map(({ order }) => order.files.map(({ path }) => path));
}

test("pages without lines are 64 to a task", async () => {
  const tasks = await tasksOf(pages(range(1, 150)));
  expect(tasks.map(({ length }) => length)).toEqual([64, 64, 22]);
});

test("the pages of the stories of a JSON file are in its task, however many it has", async () => {
  const [first, second] = [range(1, 100), range(101, 130)];
  const tasks = await tasksOf([file("a.json", first), ...pages(first), file("b.json", second), ...pages(second)]);
  expect(tasks).toEqual([
    ["a.json", ...first.map((id) => `${id}.md`)],
    ["b.json", ...second.map((id) => `${id}.md`)],
  ]);
});

test("small JSON files share a task, each with its pages", async () => {
  const [first, second] = [range(1, 10), range(11, 20)];
  const tasks = await tasksOf([file("a.json", first), ...pages(first), file("b.json", second), ...pages(second)]);
  expect(tasks.map(({ length }) => length)).toEqual([22]);
});

test("where the stories of a JSON file are larger than a task may be, only some of their pages are in it", async () => {
  const ids = range(1, 150);
  const tasks = await tasksOf([file("a.json", ids), ...pages(ids)], "x".repeat(16_000));
  expect(tasks.flat()).toEqual(["a.json", ...ids.map((id) => `${id}.md`)]);
  const [first = [], ...more] = tasks;
  expect(first.length).toBeGreaterThan(60);
  expect(first.length).toBeLessThan(70);
  for (const { length } of more) expect(length).toBeLessThan(40);
});
