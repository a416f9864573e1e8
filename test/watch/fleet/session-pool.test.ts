import { expect, test } from "vitest";
import type { SpaceSession } from "../../../src/sync/space-session.js";
import { createSessionPool } from "../../../src/watch/fleet/session-pool.js";

test("keeps a number of idle sessions, and closes none in use", async () => {
  const told: string[] = [];
  const pool = createSessionPool(2, (space) => {
    told.push(`open ${space}`);
    return { close: async () => void told.push(`close ${space}`) } as unknown as SpaceSession;
  });
  let release: () => void = () => {};
  const long = pool.use("a", () => new Promise<void>((done) => (release = done)));
  for (const space of ["b", "c", "b", "d"]) await pool.use(space, async () => undefined);
  expect(told).toEqual(["open a", "open b", "open c", "open d", "close c"]);
  release();
  await long;
  await pool.close();
  expect(told.slice(5).sort()).toEqual(
    ["close a", "close b", "close d"].filter((one) => !told.slice(0, 5).includes(one)),
  );
  expect(told.filter((one) => one === "close a")).toHaveLength(1);
});

test("a retired session is closed when its work ends, and later work opens another one", async () => {
  const told: string[] = [];
  const pool = createSessionPool(2, (space) => {
    const name = `${space}${told.length}`;
    told.push(`open ${name}`);
    return { close: async () => void told.push(`close ${name}`) } as unknown as SpaceSession;
  });
  let release: () => void = () => {};
  const long = pool.use("a", () => new Promise<void>((done) => (release = done)));
  await pool.retire("a");
  await pool.use("a", async () => undefined);
  expect(told).toEqual(["open a0", "open a1"]);
  release();
  await long;
  expect(told).toEqual(["open a0", "open a1", "close a0"]);
  await pool.retire("a");
  await pool.close();
  expect(told).toEqual(["open a0", "open a1", "close a0", "close a1"]);
});
