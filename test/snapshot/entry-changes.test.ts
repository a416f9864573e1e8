import { expect, test } from "vitest";
import { buildSnapshot } from "../../demo/build-snapshot.js";
import { entryLines } from "../../src/cli/diff-lines.js";
import { entryChanges } from "../../src/snapshot/entry-changes.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";

type Rows = [id: number, name: string, value: string, de?: string | null][];

const labels = { id: 7, name: "Labels", slug: "labels", dimensions: [{ id: 71, name: "Deutsch", entry_value: "de" }] };

/** Two generations of one datasource. */
async function generations(...all: [Rows, Rows]) {
  const store = createMemoryStore();
  const manifests = [];
  for (const rows of all) {
    const { manifest } = await buildSnapshot(
      {
        space: { id: 1, name: "Test", source: "demo:", languages: ["de"] },
        cv: 1,
        editions: [],
        parts: {
          datasources: [JSON.stringify(labels)],
          "entries/7": rows.map(([id, name, value]) => JSON.stringify({ id, name, value, dimension_value: null })),
          "entries/7/71": rows.map(([id, name, value, de = null]) =>
            JSON.stringify({ id, name, value, dimension_value: de }),
          ),
        },
      },
      store,
    );
    manifests.push(manifest);
  }
  return { store, manifests };
}

test("names the entries that differ, with each value before and after", async () => {
  const { store, manifests } = await generations(
    [
      [1, "submit", "Send", "Senden"],
      [2, "back", "Back", "Zurück"],
      [3, "old", "Old"],
      [4, "same", "Same"],
    ],
    [
      [1, "submit", "Send it", "Senden"],
      [2, "back", "Back", "\u001b[2J"],
      [4, "same", "Same"],
      [5, "new", "New", "Neu"],
    ],
  );
  const changes = await entryChanges(store, manifests[0]!, manifests[1]!);
  expect(changes.map(({ kind, datasource, name }) => [kind, datasource, name])).toEqual([
    ["changed", "labels", "back"],
    ["added", "labels", "new"],
    ["removed", "labels", "old"],
    ["changed", "labels", "submit"],
  ]);
  expect(entryLines(changes).map(({ mark, text }) => `${mark} ${text}`)).toEqual([
    '~ labels › back (de): "Zurück" → "\\u001b[2J"',
    '+ labels › new: "New"',
    '+ labels › new (de): "Neu"',
    '- labels › old: "Old"',
    '~ labels › submit: "Send" → "Send it"',
  ]);
  expect(await entryChanges(store, manifests[0]!, manifests[0]!)).toEqual([]);
});

test("an entry that only changed its name is told by the new one", async () => {
  const { store, manifests } = await generations([[1, "a", "A"]], [[1, "b", "A"]]);
  const changes = await entryChanges(store, manifests[0]!, manifests[1]!);
  expect(entryLines(changes)).toEqual([{ mark: "~", style: "yellow", text: "labels › b" }]);
});
