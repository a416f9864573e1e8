import fc from "fast-check";

/** A record of a keyed part with what each is known by: its uuid, and text that makes the line longer. */
export function keyLine(uuid: string, text = ""): string {
  return JSON.stringify({ name: text, id: 1, uuid, slug: "", full_slug: "", content: { component: "page" } });
}

/** Uuids of which many share a long prefix; of some only the last of the 32 digits differ. */
export const clusteredUuid: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("", "0", "00000000", "80000000", "7fffffffffffffff", "ffffffffffffffffffffffffffffff"),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 32, maxLength: 32 }),
  )
  .map(([prefix, digits]) => dashed((prefix + digits).slice(0, 32)));

/** Few uuids, so that histories meet the same ones again. */
export const uuidPool = fc.uniqueArray(clusteredUuid, { minLength: 1, maxLength: 30 });

function dashed(digits: string): string {
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    "-",
  );
}
