import { describe, expect, test } from "vitest";
import { OffprintError } from "../../../src/lib/errors.js";
import { fencedStore } from "../../../src/snapshot/store/fenced-store.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";

const bytes = Buffer.from("bytes");

/** A store whose lock can be taken away. */
function fenced() {
  const memory = createMemoryStore();
  const lock = { held: true, looks: 0 };
  const store = fencedStore(memory, async () => {
    lock.looks++;
    if (!lock.held) throw new OffprintError("LOCKED", "taken over");
  });
  return { memory, store, lock };
}

describe("a store for the holder of a lock", () => {
  test.each(["put", "replace", "advance"] as const)("%s writes nothing once the lock is lost", async (method) => {
    const { memory, store, lock } = fenced();
    lock.held = false;
    await expect(store[method]("a", bytes)).rejects.toMatchObject({ code: "LOCKED" });
    expect(await memory.get("a")).toBeUndefined();
  });

  test("removes nothing once the lock is lost", async () => {
    const { memory, store, lock } = fenced();
    await memory.put("a", bytes);
    lock.held = false;
    await expect(store.remove("a")).rejects.toMatchObject({ code: "LOCKED" });
    expect(await memory.get("a")).toEqual(new Uint8Array(bytes));
  });

  test("checks the lock once for writes in quick succession, and before every commit", async () => {
    const { store, lock } = fenced();
    for (let at = 0; at < 100; at++) await store.put(`a${at}`, bytes);
    expect(lock.looks).toBeLessThan(100);
    const before = lock.looks;
    await store.advance("b", bytes);
    expect(lock.looks).toBe(before + 1);
  });

  test("reports the lost lock if a write fails because the new owner removed its files", async () => {
    const { memory, store, lock } = fenced();
    const broken = fencedStore(
      { ...memory, flush: () => Promise.reject(new OffprintError("OUTPUT_UNUSABLE", "a cannot be used (ENOENT).")) },
      async () => {
        if (!lock.held) throw new OffprintError("LOCKED", "taken over");
      },
    );
    await store.put("a", bytes);
    await expect(broken.flush()).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE" });
    lock.held = false;
    await expect(broken.flush()).rejects.toMatchObject({ code: "LOCKED" });
  });

  test("reads without the lock", async () => {
    const { memory, store, lock } = fenced();
    await memory.put("a", bytes);
    lock.held = false;
    expect(await store.get("a")).toEqual(new Uint8Array(bytes));
    expect(await store.list("")).toHaveLength(1);
  });
});
