import fc from "fast-check";
import { expect, test } from "vitest";
import { probeOf, UuidList } from "../src/lib/collections/uuid-list.js";
import { UuidSet, UuidSlots } from "../src/lib/collections/uuid-set.js";

/** The id of a record: mostly a uuid, sometimes any text. */
const uuid = fc.oneof(
  { weight: 4, arbitrary: fc.uuid() },
  fc.uuid().map((one) => one.toUpperCase()),
  fc.uuid().map((one) => one.replaceAll("-", "")),
  fc.constantFrom("", "a", "é", "0".repeat(36), "00000000-0000-0000-0000-00000000000g", "\ud800"),
  fc.string(),
);

test("a list of uuids behaves like an array of any texts", () => {
  fc.assert(
    fc.property(fc.array(uuid), fc.nat(8), fc.nat(8), (uuids, from, to) => {
      const list = new UuidList();
      for (const [number, one] of uuids.entries()) expect(list.push(one)).toBe(number);
      expect(list.length).toBe(uuids.length);
      expect([...list]).toEqual(uuids);
      expect(list.slice(from, to)).toEqual(uuids.slice(from, to));
      expect([...list.sorted()]).toEqual([...uuids].sort());
    }),
  );
});

test("finds a uuid at its index only", () => {
  fc.assert(
    fc.property(fc.array(uuid, { minLength: 1 }), uuid, (uuids, wanted) => {
      const list = new UuidList();
      for (const one of uuids) list.push(one);
      for (const sought of [...uuids, wanted]) {
        const probe = probeOf(sought);
        const found = uuids.filter((_, number) => list.isAt(number, probe));
        expect(found).toEqual(uuids.filter((one) => one === sought));
        for (const [number, one] of uuids.entries()) if (one === sought) expect(list.hashAt(number)).toBe(probe.hash);
      }
      for (const a of uuids.keys()) {
        for (const b of uuids.keys()) expect(list.isSame(a, list, b)).toBe(uuids[a] === uuids[b]);
      }
    }),
  );
});

test("reads a lower-case uuid from bytes, and nothing else", () => {
  fc.assert(
    fc.property(fc.array(uuid), fc.string(), (uuids, before) => {
      const [list, model] = [new UuidList(), new UuidList()];
      const slots = new UuidSlots(list);
      for (const one of uuids) {
        const isPlain = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.test(one);
        const bytes = Buffer.from(`${before}${one}`);
        const at = Buffer.byteLength(before);
        const number = list.pushFrom(bytes, at);
        expect(number).toBe(isPlain ? list.length - 1 : -1);
        if (!isPlain) expect(slots.numberAt(bytes, at)).toBe(-1);
        else {
          expect(list.isSame(number, model, model.push(one))).toBe(true);
          slots.put(number);
          expect(list.at(slots.numberAt(bytes, at))).toBe(one);
        }
      }
      expect([...list]).toEqual([...model]);
    }),
  );
});

test("a set of uuids behaves like a set of texts, and slots return first positions", () => {
  fc.assert(
    fc.property(fc.array(uuid), uuid, (uuids, wanted) => {
      const [set, model] = [new UuidSet(uuids), new Set(uuids)];
      expect(set.size).toBe(model.size);
      expect([...set]).toEqual([...model]);
      const list = new UuidList();
      const slots = new UuidSlots(list);
      for (const [number, one] of uuids.entries()) {
        const first = uuids.indexOf(one);
        expect(slots.put(list.push(one))).toBe(first < number ? first : -1);
      }
      for (const one of [...uuids, wanted]) {
        expect(set.has(one)).toBe(model.has(one));
        expect(slots.numberOf(one)).toBe(uuids.indexOf(one));
      }
    }),
  );
});
