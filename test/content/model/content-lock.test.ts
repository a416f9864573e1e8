import { expect, test } from "vitest";
import {
  breaks,
  compareLocks,
  contentLock,
  differenceText,
  lockText,
  parseLock,
} from "../../../src/content/model/content-lock.js";
import { inferContent } from "../../../src/content/model/infer-content.js";
import { story } from "../../support/sample-snapshot.js";

function lockOf(...contents: object[]) {
  const records = contents.map((content, id) => story(id, { content: { _uid: "a", ...content } as never }));
  return contentLock(inferContent(records, () => false));
}

const before = lockOf(
  { component: "page", title: "A", count: 3, body: [{ _uid: "b", component: "teaser", text: "x" }], empty: "" },
  { component: "page", title: "B", count: 4, body: [] },
);

test("reports fields that vanished, changed type or appeared, but not empty ones", () => {
  const after = lockOf({
    component: "page",
    title: { type: "doc", content: [] },
    body: [{ _uid: "b", component: "hero" }],
    empty: "now",
    more: 1,
  });
  const differences = compareLocks(before, after);
  expect(differences.map((one) => [differenceText(one), breaks(one)])).toEqual([
    ["The component hero is in the content, but not in the lock.", true],
    ["The field page.count is in the lock (number), but no longer in the content.", true],
    ["The field page.more is in the content (number), but not in the lock.", false],
    ["The field page.title is rich text in the content; the lock says text.", true],
    ["The component teaser is in the lock, but no longer in the content.", false],
  ]);
});

test("a lock survives its file, and content fits its own lock", () => {
  expect(parseLock(lockText(before))).toEqual(before);
  expect(compareLocks(parseLock(lockText(before))!, before)).toEqual([]);
  expect(
    compareLocks(
      before,
      lockOf({ component: "page", title: "", count: null, body: [], empty: "" }, { component: "teaser", text: "" }),
    ),
  ).toEqual([]);
  for (const text of ["", "[]", '{"schema":2,"components":{}}', "{"]) expect(parseLock(text)).toBeUndefined();
});
