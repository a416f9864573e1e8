import type { ContentTarget } from "../../src/config/config.js";
import { exportContent } from "../../src/content/tree/export-content.js";
import type { StoryRecord } from "../../src/contract/records.js";
import { parts } from "../../src/snapshot/layout.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import type { GrowthCase, Work } from "./growth-case.js";
import { configWith, readerOf, recordOf, uuidOf } from "./sample-space.js";

async function exported(
  stories: readonly StoryRecord[],
  settings: { depth?: number; target?: ContentTarget } = {},
  further?: Readonly<Record<string, readonly unknown[]>>,
): Promise<Work> {
  const reader = await readerOf(stories, further);
  return () => exportContent({ reader, config: configWith(settings), store: createMemoryStore() });
}

function stories(count: number, record: (index: number) => StoryRecord): StoryRecord[] {
  return Array.from({ length: count }, (_, index) => record(index));
}

/** Whole exports: what grows with the number of records. */
export const exportingCases: readonly GrowthCase[] = [
  {
    name: "export: n stories",
    size: 500,
    prepare: (n) => exported(stories(n, (index) => recordOf(index, { text: "a" }))),
  },
  {
    name: "export: n stories with one slug",
    size: 500,
    prepare: (n) => exported(stories(n, (index) => recordOf(index, {}, { full_slug: "a" }))),
  },
  {
    name: "export: n stories of n content types",
    size: 250,
    prepare: (n) => exported(stories(n, (index) => recordOf(index, { component: `type-${index}` }))),
  },
  {
    name: "export: n start pages in n folders",
    size: 250,
    prepare: (n) =>
      exported(stories(n, (index) => recordOf(index, {}, { full_slug: `folder-${index}/`, is_startpage: true }))),
  },
  {
    name: "export: a story with n alternates",
    size: 5_000,
    prepare: (n) =>
      exported([
        recordOf(
          0,
          {},
          {
            alternates: Array.from({ length: n }, (_, index) => ({
              id: index,
              name: "a",
              slug: "a",
              published: true,
              full_slug: `a-${index}`,
              is_folder: false,
              parent_id: 0,
            })),
          },
        ),
      ]),
  },
  {
    name: "export: n stories with n tags altogether",
    size: 500,
    prepare: (n) =>
      exported(
        stories(n, (index) => recordOf(index, {}, { tag_list: [`tag-${index}`, "a", "b"] })),
        { target: "hugo" },
      ),
  },
  {
    name: "export: a datasource with n entries",
    size: 5_000,
    prepare: (n) =>
      exported(
        [recordOf(0, {})],
        {},
        {
          [parts.datasources]: [{ id: 1, name: "d", slug: "d", dimensions: [] }],
          [parts.entries(1, null)]: Array.from({ length: n }, (_, id) => ({
            id,
            name: `n-${id}`,
            value: "v",
            dimension_value: null,
          })),
        },
      ),
  },
  {
    name: "export: n datasources",
    size: 250,
    prepare: (n) =>
      exported(
        [recordOf(0, {})],
        {},
        {
          [parts.datasources]: Array.from({ length: n }, (_, id) => ({ id, name: "d", slug: "d", dimensions: [] })),
        },
      ),
  },
  {
    name: "export: n stories that relate to the next three, depth 3",
    size: 100,
    prepare: (n) =>
      exported(
        stories(n, (index) => recordOf(index, { next: [1, 2, 3].map((step) => uuidOf((index + step) % n)) })),
        { depth: 3 },
      ),
  },
];
