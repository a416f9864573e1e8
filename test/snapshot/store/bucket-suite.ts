import { describe, expect, test } from "vitest";
import type { Bucket } from "../../../src/snapshot/store/bucket.js";

const bytes = (text: string): Uint8Array => Buffer.from(text);

/** The tests of every bucket. @param open opens an empty one */
export function bucketSuite(of: string, open: () => Promise<Bucket>): void {
  describe(`${of} as a bucket`, () => {
    test("has what was written, by names of all characters that a snapshot uses", async () => {
      const bucket = await open();
      const names = [
        "manifest.json",
        "snapshot/stories/published/de/0a.f0=1.json",
        "assets/ab/A b+c%20(1)'!*~.png",
        ".x/ü",
      ];
      for (const name of names) expect(await bucket.put(name, bytes(name))).toMatchObject({ written: true });
      for (const name of names) {
        const found = await bucket.get(name);
        expect(found !== undefined && found !== "same" && Buffer.from(found.bytes).toString()).toBe(name);
      }
      expect(await bucket.get("missing")).toBeUndefined();
      expect(await bucket.read("missing")).toBeUndefined();
      expect((await bucket.list("")).map(({ name, size }) => [name, size])).toEqual(
        [...names].sort().map((name) => [name, Buffer.byteLength(name)]),
      );
      expect((await bucket.list("snapshot/")).map(({ name }) => name)).toEqual([names[1]]);
    });

    test("sends no bytes of an object that is still in a known state", async () => {
      const bucket = await open();
      const first = await bucket.put("a", bytes("one"));
      if (!first.written) throw new Error("not written");
      expect(await bucket.get("a", first.tag)).toBe("same");
      const second = await bucket.put("a", bytes("two"));
      expect(await bucket.get("a", first.tag)).toMatchObject({ tag: second.written && second.tag });
    });

    test("creates only what is not there", async () => {
      const bucket = await open();
      const condition = { absent: true } as const;
      expect(await bucket.put("a", bytes("one"), { condition })).toMatchObject({ written: true });
      expect(await bucket.put("a", bytes("one"), { condition })).toEqual({ written: false });
      expect(await bucket.put("a", bytes("two"), { condition })).toEqual({ written: false });
      expect(await bucket.get("a")).toMatchObject({ bytes: Buffer.from("one") });
    });

    test("of many that create one object, one succeeds", async () => {
      const bucket = await open();
      const tried = await Promise.all(
        Array.from({ length: 16 }, (_, at) => bucket.put("a", bytes(`writer ${at}`), { condition: { absent: true } })),
      );
      const winners = tried.flatMap(({ written }, at) => (written ? [at] : []));
      expect(winners).toHaveLength(1);
      expect(await bucket.get("a")).toMatchObject({ bytes: Buffer.from(`writer ${winners[0]}`) });
    });

    test("replaces only the state that is named", async () => {
      const bucket = await open();
      const first = await bucket.put("a", bytes("one"));
      const tag = first.written ? first.tag : "";
      expect(await bucket.put("a", bytes("two"), { condition: { tag } })).toMatchObject({ written: true });
      expect(await bucket.put("a", bytes("three"), { condition: { tag } })).toEqual({ written: false });
      expect(await bucket.put("gone", bytes("three"), { condition: { tag } })).toEqual({ written: false });
      expect(await bucket.get("a")).toMatchObject({ bytes: Buffer.from("two") });
    });

    test("takes and gives large files piece by piece, and empty ones", async () => {
      const bucket = await open();
      const piece = Buffer.alloc(3 * 1024 * 1024, "abcdefg");
      const upload = {
        size: piece.length * 3,
        async *open() {
          for (let at = 0; at < 3; at++) yield piece;
        },
      };
      expect(await bucket.put("large", upload)).toMatchObject({ written: true });
      const read = await bucket.read("large");
      expect(read?.size).toBe(upload.size);
      const pieces: Uint8Array[] = [];
      for await (const part of read?.pieces ?? []) pieces.push(part);
      expect(Buffer.concat(pieces).equals(Buffer.concat([piece, piece, piece]))).toBe(true);
      await bucket.put("empty", new Uint8Array());
      expect((await bucket.read("empty"))?.size).toBe(0);
      expect(await bucket.get("empty")).toMatchObject({ bytes: Buffer.alloc(0) });
    });

    test("removes an object once and again", async () => {
      const bucket = await open();
      await bucket.put("a", bytes("one"));
      await bucket.remove("a");
      await bucket.remove("a");
      expect(await bucket.get("a")).toBeUndefined();
      expect(await bucket.list("")).toEqual([]);
    });

    test("writes nothing after the end of a right to write", async () => {
      const bucket = await open();
      await bucket.get("a");
      const untilMs = Date.now() + bucket.skewMs - 5000;
      await expect(bucket.put("a", bytes("late"), { untilMs })).rejects.toMatchObject({ code: "LOCKED" });
      await expect(bucket.remove("a", { untilMs })).rejects.toMatchObject({ code: "LOCKED" });
      expect(await bucket.get("a")).toBeUndefined();
      const inTime = { untilMs: Date.now() + bucket.skewMs + 60_000, condition: { absent: true } as const };
      expect(await bucket.put("a", bytes("in time"), inTime)).toMatchObject({ written: true });
      await bucket.remove("a", inTime);
      expect(await bucket.get("a")).toBeUndefined();
    });
  });
}
