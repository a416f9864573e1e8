import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../src/contract/endpoints.js";
import type { Dialect } from "../../../src/server/replica/answers/resolve-references.js";
import type { RunningReplica } from "../../../src/server/replica/http/server.js";
import { startReplica } from "../../../src/server/replica/http/server.js";
import {
  condition,
  editions,
  type Query,
  selections,
  shapingStories,
  someOf,
  sorting,
  sortKey,
} from "../../support/lawful-queries.js";
import { fieldNames, lawfulSpaces, storyIds, words } from "../../support/lawful-space.js";
import { sampleSnapshot, uuid } from "../../support/sample-snapshot.js";

/*
 * Laws that need no oracle, asked of a running replica about a generated space. `OFFPRINT_LAWS_RUNS=500` is the long
 * form: so many questions of each law, to a new space after every 25. `OFFPRINT_LAWS_SEED` repeats what failed.
 */
const runs = Number(process.env.OFFPRINT_LAWS_RUNS ?? 8);
const firstSeed = Number(process.env.OFFPRINT_LAWS_SEED ?? Date.now() % 1_000_000_000);
const seeds = Array.from({ length: Math.ceil(runs / 25) }, (_, index) => firstSeed + index);
const dialects: Dialect[] = ["compatible", "seed", "platform"];

test("asks about every parameter that shapes the answer of stories", () => {
  const shaping = Object.entries<{ effect: string }>(endpoints.stories.params).filter(
    ([, { effect }]) => effect === "shapes",
  );
  const asked = [...Object.keys(shapingStories), "page", "per_page"];
  expect(asked.sort()).toEqual(shaping.map(([name]) => name).sort());
});

describe.each(seeds)("a replica of the space OFFPRINT_LAWS_SEED=%s", (seed) => {
  const replicas = new Map<Dialect, RunningReplica>();
  beforeAll(async () => {
    const [space] = fc.sample(lawfulSpaces, { seed, numRuns: 1 });
    const { store, reader } = await sampleSnapshot(space!);
    for (const dialect of dialects) replicas.set(dialect, await startReplica({ reader: () => reader, store, dialect }));
  });
  afterAll(async () => {
    for (const replica of replicas.values()) await replica.close();
  });

  const ask = async (path: string, query: Query, dialect: Dialect = "compatible") => {
    const parameters = new URLSearchParams({ token: "any", ...query });
    const response = await fetch(`${replicas.get(dialect)!.url}/v2/cdn/${path}?${parameters}`);
    const body = JSON.parse(await response.text());
    if (response.status !== 200) throw new Error(`${response.status} ${path}?${parameters} ${JSON.stringify(body)}`);
    return { body, total: Number(response.headers.get("total")) };
  };
  /** The uuids of a whole list, which is one page. */
  const uuids = async (query: Query, dialect?: Dialect): Promise<string[]> => {
    const { body, total } = await ask("stories", { per_page: "100", ...query }, dialect);
    const found = body.stories.map((story: { uuid: string }) => story.uuid);
    expect(total).toBe(found.length);
    return found;
  };
  const holds = <T extends [unknown, ...unknown[]]>(
    title: string,
    arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
    law: (...values: T) => Promise<void>,
  ) => {
    const parameters = { seed, numRuns: Math.min(runs, 25) };
    const property = fc.asyncProperty(fc.tuple<T>(...arbitraries), (values) => law(...values));
    test(title, { timeout: 600_000 }, () => fc.assert(property, parameters));
  };

  const dialect = fc.constantFrom(...dialects);
  holds(
    "a parameter that shapes changes neither stories nor order nor Total",
    [selections, someOf(shapingStories), dialect],
    async (selected, shape, spoken) => {
      expect(await uuids({ ...selected, ...shape }, spoken)).toEqual(await uuids(selected));
    },
  );

  holds(
    "pages put together are the whole",
    [selections, someOf(shapingStories), fc.integer({ min: 1, max: 12 })],
    async (selected, shape, size) => {
      const whole = await ask("stories", { ...selected, ...shape, per_page: "100" });
      const stories: unknown[] = [];
      for (let page = 1; stories.length < whole.total; page += 1) {
        const { body, total } = await ask("stories", { ...selected, ...shape, per_page: `${size}`, page: `${page}` });
        expect([total, body.stories.length > 0]).toEqual([whole.total, true]);
        stories.push(...body.stories);
      }
      expect(stories).toEqual(whole.body.stories);
      const beyond = { ...selected, per_page: `${size}`, page: `${Math.floor(whole.total / size) + 2}` };
      expect(await ask("stories", beyond)).toMatchObject({ body: { stories: [] }, total: whole.total });
    },
  );

  holds(
    "one story read alone equals itself in a list",
    [editions, someOf(shapingStories), fc.constantFrom(...storyIds), dialect],
    async (edition, shape, id, spoken) => {
      const { only_variants: _, ...alone } = { ...edition, ...shape };
      const { body } = await ask("stories", { ...alone, by_ids: `${id}` }, spoken);
      const { stories, ...envelope } = body;
      for (const story of stories) {
        for (const path of [`stories/${id}`, `stories/${uuid(id)}?find_by=uuid`]) {
          const [identifier = "", by] = path.split("?");
          const single = await ask(identifier, by === undefined ? alone : { ...alone, find_by: "uuid" }, spoken);
          expect(single.body).toEqual({ story, ...envelope });
        }
      }
    },
  );

  holds("two conditions select what each of them selects", [editions, condition, condition], async (edition, a, b) => {
    fc.pre(Object.keys(a)[0] !== Object.keys(b)[0]);
    const [both, onlyA, onlyB] = [
      await uuids({ ...edition, ...a, ...b }),
      await uuids({ ...edition, ...a }),
      await uuids({ ...edition, ...b }),
    ];
    expect([...both].sort()).toEqual(onlyA.filter((each) => onlyB.includes(each)).sort());
  });

  holds(
    "a list that is filtered keeps the order of the whole",
    [editions, condition, sorting],
    async (edition, some, sort_by) => {
      const filtered = await uuids({ ...edition, ...some, sort_by });
      expect(filtered).toEqual((await uuids({ ...edition, sort_by })).filter((each) => filtered.includes(each)));
    },
  );

  const field = fc.constantFrom(...fieldNames);
  const word = fc.constantFrom(...words);
  const inFilter = (name: string, operation: string, text: string): Query => ({
    [`filter_query[${name}][${operation}]`]: text,
  });
  const opposites = fc.oneof(
    fc.tuple(field, word).map(([name, text]) => [inFilter(name, "in", text), inFilter(name, "not_in", text)]),
    fc
      .tuple(field, word)
      .map(([name, text]) => [inFilter(name, "like", `${text}*`), inFilter(name, "not_like", `${text}*`)]),
    fc
      .tuple(field, fc.constantFrom("empty", "null"))
      .map(([name, state]) => [inFilter(name, "is", state), inFilter(name, "is", `not_${state}`)]),
    field.map((name) => [inFilter(name, "exists", "true"), inFilter(name, "exists", "false")]),
    fc
      .constantFrom("s*", "blog/*", "*1", "de/*")
      .map((slugs): Query[] => [{ by_slugs: slugs }, { excluding_slugs: slugs }]),
    fc.constantFrom("1,2,3", "9").map((ids): Query[] => [{ by_ids: ids }, { excluding_ids: ids }]),
    fc.constant<Query[]>([{ is_startpage: "0" }, { is_startpage: "1" }]),
  );
  holds(
    "a condition and its opposite add up to the whole, stories without the field included",
    [selections, opposites],
    async (selected, [positive, negative]) => {
      fc.pre(Object.keys({ ...positive, ...negative }).every((name) => !Object.hasOwn(selected, name)));
      const [whole, yes, no] = [
        await uuids(selected),
        await uuids({ ...selected, ...positive }),
        await uuids({ ...selected, ...negative }),
      ];
      expect([...yes, ...no].sort()).toEqual([...whole].sort());
    },
  );

  holds("conditions that say less select no fewer", [editions, field, word, word], async (edition, name, a, b) => {
    const select = (operation: string, text: string) => uuids({ ...edition, ...inFilter(name, operation, text) });
    const union = async (...lists: Promise<string[]>[]) => [...new Set((await Promise.all(lists)).flat())].sort();
    expect((await select("in", `${a},${b}`)).sort()).toEqual(await union(select("in", a), select("in", b)));
    expect(await select("any_in_array", `${a},${b}`)).toEqual(await select("in_array", `${a},${b}`));
    expect(await select("in", a)).toEqual(expect.arrayContaining(await select("any_in_array", a)));
    expect(await select("any_in_array", `${a},${b}`)).toEqual(
      expect.arrayContaining(await select("all_in_array", `${a},${b}`)),
    );
    for (const type of ["int", "float", "date"]) {
      const limit = type === "date" ? "2024-05-01 10:00" : "9";
      const [less, greater] = [await select(`lt_${type}`, limit), await select(`gt_${type}`, limit)];
      expect(less.filter((each) => greater.includes(each))).toEqual([]);
    }
    const [isTrue, isFalse] = [await select("is", "true"), await select("is", "false")];
    expect(await select("in", "true")).toEqual(expect.arrayContaining(isTrue));
    expect(isFalse.filter((each) => isTrue.includes(each))).toEqual([]);
  });

  holds(
    "a date parts the stories that have one",
    [editions, fc.constantFrom("published_at", "updated_at"), fc.constantFrom("2024-02-01 00:00", "2024-02-15 00:00")],
    async (edition, name, limit) => {
      const select = (comparison: string) => uuids({ ...edition, [`${name}_${comparison}`]: limit });
      const dated = [...(await uuids({ ...edition, [`${name}_gte`]: "1970-01-01 00:00" }))].sort();
      expect([...(await select("gt")), ...(await select("lte"))].sort()).toEqual(dated);
      expect([...(await select("gte")), ...(await select("lt"))].sort()).toEqual(dated);
      expect(await select("gte")).toEqual(expect.arrayContaining(await select("gt")));
    },
  );

  holds(
    "a longer starts_with selects fewer, and is the wildcard at the end",
    [editions, fc.constantFrom("s", "blog", "blog/old", "de", "es-co/"), fc.constantFrom("/", "/s", "1", "/blog")],
    async (edition, start, more) => {
      const longer = await uuids({ ...edition, starts_with: `${start}${more}` });
      expect(await uuids({ ...edition, starts_with: start })).toEqual(expect.arrayContaining(longer));
      expect(await uuids({ ...edition, by_slugs: `${start}${more}*` })).toEqual(longer);
    },
  );

  holds(
    "named uuids are those that are there, in the order of the list or of the space",
    [editions, fc.uniqueArray(fc.constantFrom(...storyIds, 99), { minLength: 1 })],
    async (edition, ids) => {
      const [whole, named] = [await uuids(edition), ids.map(uuid)];
      expect(await uuids({ ...edition, by_uuids: named.join(",") })).toEqual(
        whole.filter((each) => named.includes(each)),
      );
      expect(await uuids({ ...edition, by_uuids_ordered: named.join(",") })).toEqual(
        named.filter((each) => whole.includes(each)),
      );
    },
  );

  holds(
    "sorting moves stories and loses none; the other direction reverses all but equals, and null values stay together",
    [editions, sortKey],
    async (edition, { name, cast }) => {
      const sorted = (direction: string, nulls = "") =>
        uuids({ ...edition, sort_by: `${name}:${direction}${cast}${nulls}` });
      const [whole, up, down, first] = [
        await uuids(edition),
        await sorted("asc"),
        await sorted("desc"),
        await sorted("asc", ":nulls_first"),
      ];
      expect([...up].sort()).toEqual([...whole].sort());
      expect([...down].sort()).toEqual([...whole].sort());
      const [placeUp, placeDown, place] = [up, down, whole].map(
        (order) => new Map(order.map((each, at) => [each, at])),
      );
      const split = first.indexOf(up[0]!);
      expect([...up.slice(up.length - split), ...up.slice(0, up.length - split)]).toEqual(first);
      const valued = up.slice(0, up.length - split);
      expect(down.slice(valued.length)).toEqual(up.slice(valued.length));
      for (const a of valued) {
        for (const b of valued.slice(placeUp!.get(a)! + 1)) {
          if (placeDown!.get(a)! < placeDown!.get(b)!) expect(place!.get(a)!).toBeLessThan(place!.get(b)!);
        }
      }
    },
  );

  holds(
    "links, datasources, entries and tags keep these laws too",
    [fc.integer({ min: 1, max: 9 }), fc.constantFrom("s", "blog", "blog/"), word],
    async (size, start, text) => {
      for (const [path, key, query, shape] of [
        ["links", "links", { starts_with: start }, { include_dates: "1", paginated: "1", cv: "0" }],
        ["datasources", "datasources", { search: "red" }, { cv: "3" }],
        ["datasource_entries", "datasource_entries", { datasource: "colours" }, { dimension: "de" }],
        ["datasource_entries", "datasource_entries", {}, { dimension: "xx" }],
      ] as const) {
        const listOf = async (more: Query) => {
          const { body, total } = await ask(path, { ...query, ...more });
          const records: { id: number }[] = Object.values(body[key]);
          return { ids: records.map(({ id }) => id), total };
        };
        const whole = await listOf({ per_page: "1000" });
        expect(await listOf({ per_page: "1000", ...shape })).toEqual(whole);
        const ids: number[] = [];
        for (let page = 1; (page - 1) * size < whole.total; page += 1) {
          const part = await listOf({ ...shape, per_page: `${size}`, page: `${page}` });
          expect(part.total).toBe(whole.total);
          ids.push(...part.ids);
        }
        expect(ids).toEqual(whole.ids);
      }
      const parents = await Promise.all(["0", "1", "2"].map((with_parent) => ask("links", { with_parent })));
      const { total } = await ask("links", {});
      expect(parents.reduce((sum, each) => sum + each.total, 0)).toBe(total);
      const tagNames = async (query: Query) =>
        (await ask("tags", query)).body.tags.map(({ name }: { name: string }) => name);
      const [all, yes, no] = [
        await tagNames({}),
        await tagNames(inFilter("name", "in", text)),
        await tagNames(inFilter("name", "not_in", text)),
      ];
      expect([...yes, ...no].sort()).toEqual([...all].sort());
    },
  );
});
