import { describe, expect, test } from "vitest";
import type { Store } from "../../src/snapshot/store/store.js";

/** Tests of every store, independent of its storage. `open` gives a new empty store. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    test("has nothing at first", async () => {
      const store = await open();
      expect(await store.get("a/b.json")).toBeUndefined();
      expect(await store.list("")).toEqual([]);
      expect(await store.list("a")).toEqual([]);
    });

    test("gives back what was put, also bytes that are no text and no bytes at all", async () => {
      const store = await open();
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      await store.put("objects/all", bytes);
      await store.put("objects/none", new Uint8Array());
      expect(Buffer.from((await store.get("objects/all"))!)).toEqual(Buffer.from(bytes));
      expect((await store.get("objects/none"))!.length).toBe(0);
    });

    test("gives a file piece by piece: all of it, a part of it, nothing of what is not there", async () => {
      const store = await open();
      const bytes = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, index) => index * 7));
      await store.put("a/large", bytes);
      await store.put("none", new Uint8Array());
      const large = (await store.read("a/large"))!;
      expect(large.size).toBe(bytes.length);
      const pieces: Uint8Array[] = [];
      for await (const piece of large.pieces()) pieces.push(Buffer.from(piece));
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(65_536);
      expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
      for (const [start, end] of [
        [0, 1],
        [65_535, 131_073],
        [199_999, 200_000],
        [150_000, 900_000],
        [5, 5],
        [200_000, 200_001],
      ] as const) {
        expect((await joined(store, "a/large", { start, end })).equals(bytes.subarray(start, end))).toBe(true);
      }
      expect((await store.read("none"))!.size).toBe(0);
      expect((await joined(store, "none")).length).toBe(0);
      for (const absent of ["a", "a/large/x", "b"]) expect(await store.read(absent)).toBeUndefined();
    });

    test("goes on giving the pieces of what it began to give, when the reader stops or the file is replaced", async () => {
      const store = await open();
      const old = Buffer.alloc(300_000, "o");
      await store.replace("a", old);
      const stopped = (await store.read("a"))!;
      for await (const piece of stopped.pieces()) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
      const begun = (await store.read("a"))!.pieces()[Symbol.asyncIterator]();
      const first = await begun.next();
      await store.replace("a", Buffer.alloc(300_000, "n"));
      const rest: Uint8Array[] = [first.value as Uint8Array];
      for (let next = await begun.next(); !next.done; next = await begun.next()) rest.push(next.value);
      expect(Buffer.concat(rest).equals(old)).toBe(true);
    });

    test("keeps its bytes when the caller changes its own afterwards", async () => {
      const store = await open();
      const bytes = Buffer.from("first");
      await store.put("a", bytes);
      bytes.fill(0);
      expect(await textOf(store, "a")).toBe("first");
    });

    test("puts an object a second time where the first was damaged", async () => {
      const store = await open();
      await store.put("a.1234", Buffer.from("whole"));
      await store.replace("a.1234", Buffer.from("wh\0le"));
      await store.put("a.1234", Buffer.from("whole"));
      expect(await textOf(store, "a.1234")).toBe("whole");
      await store.replace("a.1234", Buffer.from("wh"));
      await store.put("a.1234", Buffer.from("whole"));
      expect(await textOf(store, "a.1234")).toBe("whole");
    });

    test("leaves an object alone that is there", async () => {
      const store = await open();
      await store.put("a", Buffer.from("same"));
      const before = await store.list("");
      await store.put("a", Buffer.from("same"));
      expect(await store.list("")).toEqual(before);
    });

    test("takes hundreds of objects at once, the same one several times", async () => {
      const store = await open();
      const names = Array.from({ length: 300 }, (_, index) => `deep/${index % 7}/${index % 100}`);
      await Promise.all(names.map((name) => store.put(name, Buffer.from(name))));
      await store.flush();
      const entries = await store.list("deep");
      expect(entries.map((entry) => entry.name)).toEqual([...new Set(names)].sort());
    });

    test("writes an object piece by piece, and shows it when it is finished", async () => {
      const store = await open();
      const object = await store.begin();
      const piece = Buffer.from("first, ");
      await object.write(piece);
      piece.fill(0);
      await object.write(Buffer.from("second"));
      expect(await store.list("")).toEqual([]);
      await object.finish("a/b.1234");
      await object.discard();
      await store.flush();
      expect(await textOf(store, "a/b.1234")).toBe("first, second");
      expect((await store.list("")).map(({ name, size }) => [name, size])).toEqual([["a/b.1234", 13]]);
    });

    test("leaves the object alone that is there, and replaces a damaged one, when it is written piece by piece", async () => {
      const store = await open();
      const large = Buffer.alloc(200_000, "x");
      const finish = async (bytes: Uint8Array) => {
        const object = await store.begin();
        if (bytes.length > 0) await object.write(bytes);
        await object.finish("a.1234");
      };
      await store.put("a.1234", large);
      const before = await store.list("");
      await finish(large);
      expect(await store.list("")).toEqual(before);
      for (const damaged of [Buffer.alloc(200_000, "x").fill("y", 150_000), Buffer.from("x"), Buffer.alloc(0)]) {
        await store.replace("a.1234", damaged);
        await finish(large);
        expect(Buffer.from((await store.get("a.1234"))!).equals(large)).toBe(true);
      }
      await finish(Buffer.alloc(0));
      expect((await store.get("a.1234"))!.length).toBe(0);
    });

    test("keeps nothing of an object that is discarded, and puts none outside", async () => {
      const store = await open();
      const object = await store.begin();
      await object.write(Buffer.from("some"));
      await expect(object.finish("../a")).rejects.toThrow(RangeError);
      await object.discard();
      await object.discard();
      expect(await store.list("")).toEqual([]);
    });

    test("lists the files below a folder with their sizes, in code-unit order", async () => {
      const store = await open();
      for (const name of ["a/z", "a/B", "a/b/c", "a/b.d", "ab/x", "a/é"]) await store.put(name, Buffer.from(name));
      const startedMs = Date.now();
      const entries = await store.list("a");
      expect(entries.map(({ name, size }) => [name, size])).toEqual([
        ["a/B", 3],
        ["a/b.d", 5],
        ["a/b/c", 5],
        ["a/z", 3],
        ["a/é", 4],
      ]);
      for (const { modifiedMs } of entries) expect(Math.abs(modifiedMs - startedMs)).toBeLessThan(60_000);
      expect((await store.list("")).map((entry) => entry.name)).toContain("ab/x");
      expect(await store.list("a/z")).toEqual([]);
    });

    test("removes a file, and is quiet about one that is not there", async () => {
      const store = await open();
      await store.put("a/b/c", Buffer.from("1"));
      await store.put("a/d", Buffer.from("2"));
      await store.remove("a/b/c");
      await store.remove("a/b/c");
      await store.remove("x/y/z");
      await store.flush();
      expect((await store.list("")).map((entry) => entry.name)).toEqual(["a/d"]);
    });

    test("advances once: of ten writers one creates the file", async () => {
      const store = await open();
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => store.advance("g/1.json", Buffer.from(`writer ${index}`))),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await textOf(store, "g/1.json")).toBe(`writer ${results.indexOf(true)}`);
      expect(await store.advance("g/1.json", Buffer.from("late"))).toBe(false);
      expect(await store.list("")).toHaveLength(1);
    });

    test("replaces a file while it is read: the old bytes or the new ones", async () => {
      const store = await open();
      const texts = ["a", "b"].map((letter) => letter.repeat(200_000));
      await store.replace("pointer", Buffer.from(texts[0]!));
      const seen = new Set<string>();
      let writing = true;
      const reader = (async () => {
        while (writing) seen.add((await textOf(store, "pointer"))!);
      })();
      for (let round = 1; round <= 20; round++) await store.replace("pointer", Buffer.from(texts[round % 2]!));
      writing = false;
      await reader;
      for (const text of seen) expect(texts).toContain(text);
    });

    test.each(["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a/.", "a\\b", "a\0b", "C:a", "c:/a"])(
      "refuses the name %j",
      async (name) => {
        const store = await open();
        const bytes = Buffer.from("x");
        await expect(store.put(name, bytes)).rejects.toThrow(RangeError);
        await expect(store.get(name)).rejects.toThrow(RangeError);
        await expect(store.read(name)).rejects.toThrow(RangeError);
        await expect(store.remove(name)).rejects.toThrow(RangeError);
        await expect(store.advance(name, bytes)).rejects.toThrow(RangeError);
        await expect(store.replace(name, bytes)).rejects.toThrow(RangeError);
        if (name !== "") await expect(store.list(name)).rejects.toThrow(RangeError);
        expect(await store.list("")).toEqual([]);
      },
    );
  });
}

async function textOf(store: Store, name: string): Promise<string | undefined> {
  const bytes = await store.get(name);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

async function joined(store: Store, name: string, range?: { start: number; end: number }): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await store.read(name))!.pieces(range)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
